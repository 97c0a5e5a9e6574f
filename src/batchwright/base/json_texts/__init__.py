"""JSON texts, and YAML texts with JSON values: read piece by piece, and changed in place."""
