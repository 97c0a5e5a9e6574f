"""Costly work on a request that is done before the transaction that needs it, so that others can write."""

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Ahead(Generic[P, R]):
    """A function that remembers its last result, for one request.

    It is called with what a read transaction has found, outside of any transaction, and again with
    what the write transaction finds; only if the two differ it is computed while others wait.
    """

    def __init__(self, function: Callable[P, R]) -> None:
        self._function = function
        self._last: tuple[tuple[object, ...], R] | None = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The result for these arguments."""
        asked = (*args, *kwargs.items())
        if self._last is None or self._last[0] != asked:
            self._last = asked, self._function(*args, **kwargs)
        return self._last[1]
