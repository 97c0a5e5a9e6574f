"""The languages of a study: a table of its texts with a column for each language."""
