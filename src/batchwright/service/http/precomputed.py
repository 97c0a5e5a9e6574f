"""Results that are computed before the write transaction of a request, so that others can write meanwhile."""

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Precomputed(Generic[P, R]):
    """A function whose last result is cached, for one request.

    Call it first outside any transaction, with values from a read transaction, and then inside the write
    transaction with the values found there. Only if they differ is it computed again, while others wait.
    """

    def __init__(self, function: Callable[P, R]) -> None:
        self._function = function
        self._last: tuple[tuple[object, ...], R] | None = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The result for these arguments."""
        arguments = (*args, *kwargs.items())
        if self._last is None or self._last[0] != arguments:
            self._last = arguments, self._function(*args, **kwargs)
        return self._last[1]
