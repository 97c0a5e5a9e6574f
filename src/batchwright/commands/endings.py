"""Ending a command well when it is asked to end: SIGTERM and Ctrl+C let it close what it holds."""

import asyncio
import signal
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Ended(Exception):
    """The command was asked to end before it was through."""


async def ending_well(work: Coroutine[Any, Any, T]) -> T:
    """Do the work, and cancel it when the process is asked to end.

    Raises:
        Ended: it was.
    """
    task = asyncio.ensure_future(work)
    if sys.platform != "win32":
        for asked in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(asked, task.cancel)
    try:
        return await task
    except asyncio.CancelledError:
        raise Ended from None
