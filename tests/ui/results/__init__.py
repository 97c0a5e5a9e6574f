"""The Results stage."""
