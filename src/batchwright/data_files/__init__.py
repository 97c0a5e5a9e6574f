"""Data files in CSV and JSONL: format detection, reading, indexing, validation and schema inference.

Read with the `csv` and `json` modules of the standard library, not with pandas: memory use does not depend
on the size of a file, line numbers are exact, and an invalid row affects no other row.
"""
