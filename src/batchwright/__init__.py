"""Batchwright: design, check, run and harvest annotation tasks."""
