"""Stored rows as the bodies of responses, one module per resource (`wire.md`)."""
