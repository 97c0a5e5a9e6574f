"""The files and the report that are written from results."""
