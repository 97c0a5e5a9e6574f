"""Answers: counting, downloading and opening them, with the layouts that they were given to."""
