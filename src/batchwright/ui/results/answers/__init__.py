"""The answers: fetched or read from a file, listed in a table with filters, and one of them in full."""
