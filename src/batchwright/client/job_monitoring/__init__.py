"""Waiting well: pauses, and monitors that report progress and survive a restart."""
