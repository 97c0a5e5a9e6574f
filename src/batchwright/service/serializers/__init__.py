"""Converts stored rows to the bodies of responses, one module per resource."""
