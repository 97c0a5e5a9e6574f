"""Comparing and merging layouts."""
