"""The rows of CSV and JSONL files: encodings, formats and lines."""
