"""Why a preparation cannot be read, or cannot be made."""


class InvalidSteps(Exception):
    """Steps cannot be read; the message says which one, and why."""


class StepProblem(Exception):
    """A step cannot be made with a table; the message says why, and what to do."""
