"""The data file: its format, its records, their check, and what replaces it."""
