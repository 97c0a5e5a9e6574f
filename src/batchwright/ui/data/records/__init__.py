"""The records of the data file: their table, what is found among them, and edits beside the file."""
