"""Answers grouped by participant and task, with their questions, and counted. Pure values and functions."""
