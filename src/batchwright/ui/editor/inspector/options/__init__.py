"""Editing options and units of an item in the inspector, as a table and as text."""
