"""Files for translators: CSV with a column for each language, and XLIFF for one language."""
