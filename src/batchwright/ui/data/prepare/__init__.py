"""The preparation of a study: the list of its steps, their forms, and what they make of the table."""
