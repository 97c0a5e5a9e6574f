"""The designs behind the steps: which rows belong together, where they stand, and how balanced that is."""
