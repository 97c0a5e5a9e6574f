"""The Data stage: from a data file to a checked table with a schema, and to a dataset."""
