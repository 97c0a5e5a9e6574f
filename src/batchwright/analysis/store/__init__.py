"""All answers in one column store: read from files, listed, and taken out as a table for the statistics."""
