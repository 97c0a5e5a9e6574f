"""The Run stage."""
