"""The dataset schema and the validation of records: pure values and functions."""
