"""Waiting well: polling, and monitors that report progress and survive a restart."""
