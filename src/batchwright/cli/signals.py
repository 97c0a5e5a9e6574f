"""Ends a command in an orderly way on SIGTERM and Ctrl+C, so that it can close its resources."""

import asyncio
import signal
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Terminated(Exception):
    """The command was terminated by a signal before it was finished."""


@contextmanager
def raise_on_signal() -> Iterator[None]:
    """Raise `Terminated` at the current point of execution when the process receives a signal to end."""
    with _handlers_restored():
        for signal_number in _SIGNALS:
            signal.signal(signal_number, _end)
        yield


async def cancel_on_signal(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine, and cancel it when the process receives a signal to end.

    Raises:
        Terminated: it was cancelled.
    """
    task = asyncio.ensure_future(work)
    with _handlers_restored():
        if sys.platform != "win32":
            for signal_number in _SIGNALS:
                asyncio.get_running_loop().add_signal_handler(signal_number, task.cancel)
        try:
            return await task
        except asyncio.CancelledError:
            raise Terminated from None
        finally:
            if sys.platform != "win32":
                for signal_number in _SIGNALS:
                    asyncio.get_running_loop().remove_signal_handler(signal_number)


@contextmanager
def _handlers_restored() -> Iterator[None]:
    """Restore the previous signal handlers at the end of the block."""
    former = {signal_number: signal.getsignal(signal_number) for signal_number in _SIGNALS}
    try:
        yield
    finally:
        for signal_number, handler in former.items():
            signal.signal(signal_number, handler)


def _end(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Terminated
