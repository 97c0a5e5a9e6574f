"""Errors of operations with several steps: the error names the step that failed."""

from collections.abc import Iterator
from contextlib import contextmanager


class StepFailed(Exception):
    """A step of an operation failed; `cause` is the error. A retry resumes at this step."""

    def __init__(self, step: str, cause: Exception) -> None:
        super().__init__(f"{step}: {cause}")
        self.step = step
        self.cause = cause


@contextmanager
def step(step: str) -> Iterator[None]:
    """Raise any exception of the block as `StepFailed` with this step, the beginning of a sentence."""
    try:
        yield
    except Exception as cause:
        raise StepFailed(step, cause) from cause
