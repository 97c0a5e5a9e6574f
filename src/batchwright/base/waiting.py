"""Waiting for work that has to end before its owner may, also when the owner is cancelled."""

import asyncio
from typing import Any


async def wait_until_done(future: asyncio.Future[Any]) -> None:
    """Wait until a future is done, however often the waiting task is cancelled meanwhile.

    The result of the future is ignored, and the future itself is not cancelled.

    Raises:
        asyncio.CancelledError: the waiting task was cancelled; raised after the future is done.
    """
    cancelled: asyncio.CancelledError | None = None
    while not future.done():
        try:
            await asyncio.wait([future])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
