"""Ending a command well when it is asked to end: SIGTERM and Ctrl+C let it close what it holds."""

import asyncio
import signal
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")

_ASKED = (signal.SIGTERM, signal.SIGINT)


class Terminated(Exception):
    """The command was asked to end before it was through."""


@contextmanager
def raise_on_signal() -> Iterator[None]:
    """Have `Terminated` raised, wherever the command just is, once the process is asked to end."""
    with _handlers_kept():
        for asked in _ASKED:
            signal.signal(asked, _end)
        yield


async def cancel_on_signal(work: Coroutine[Any, Any, T]) -> T:
    """Do the work, and cancel it when the process is asked to end.

    Raises:
        Ended: it was.
    """
    task = asyncio.ensure_future(work)
    with _handlers_kept():
        if sys.platform != "win32":
            for asked in _ASKED:
                asyncio.get_running_loop().add_signal_handler(asked, task.cancel)
        try:
            return await task
        except asyncio.CancelledError:
            raise Terminated from None
        finally:
            if sys.platform != "win32":
                for asked in _ASKED:
                    asyncio.get_running_loop().remove_signal_handler(asked)


@contextmanager
def _handlers_kept() -> Iterator[None]:
    """Leave to what comes after what was done before when the process was asked to end."""
    former = {asked: signal.getsignal(asked) for asked in _ASKED}
    try:
        yield
    finally:
        for asked, handler in former.items():
            signal.signal(asked, handler)


def _end(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Terminated
