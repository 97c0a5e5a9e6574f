"""Conversion of sources to JSONL, which the service takes: deterministic, and recorded in the study."""
