"""Batchwright: design, check and run annotation tasks, and collect their results."""
