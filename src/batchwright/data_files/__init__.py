"""Dataset files: CSV and JSONL sniffed, read, indexed, checked; nothing is ever held whole."""
