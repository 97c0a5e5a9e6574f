"""Checking a layout with all rules, and applying their fixes."""
