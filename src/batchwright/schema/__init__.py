"""The dataset schema, and what a record may hold: pure values and functions."""
