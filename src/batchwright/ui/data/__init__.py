"""The Data stage: a file becomes a table, a schema, a check, and a dataset (design.md 5)."""
