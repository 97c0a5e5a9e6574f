"""Stopping in the middle: a failure is told with the step at which it came."""

from collections.abc import Iterator
from contextlib import contextmanager


class StepFailed(Exception):
    """Work has stopped at a step, and goes on from there when it is begun again; `cause` is why it did."""

    def __init__(self, step: str, cause: Exception) -> None:
        super().__init__(f"{step}: {cause}")
        self.step = step
        self.cause = cause


@contextmanager
def step(step: str) -> Iterator[None]:
    """Say of whatever goes wrong in the block that it did at this step, a sentence's beginning."""
    try:
        yield
    except Exception as cause:
        raise StepFailed(step, cause) from cause
