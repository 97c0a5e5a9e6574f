"""Qt's loop as asyncio's, with an end: a step that never comes fails its test and holds up nothing else."""

import asyncio
from collections.abc import Awaitable
from typing import ClassVar, TypeVar

from qasync import QEventLoop
from typing_extensions import override

T = TypeVar("T")


class LimitedLoop(QEventLoop):  # type: ignore[misc]  # the library has no types
    """Ends what runs in it after `limit_s` seconds, with a traceback of what it waits for.

    The signal of pytest-timeout cannot: while Qt waits for events no Python runs, and what a signal raises
    within a callback ends that callback only, since asyncio catches it.
    """

    limit_s: ClassVar[float] = 100.0

    @override
    def run_until_complete(self, future: Awaitable[T]) -> T:
        result: T = super().run_until_complete(_within(future, self.limit_s))
        return result


async def _within(awaitable: Awaitable[T], seconds: float) -> T:
    async with asyncio.timeout(seconds):
        return await awaitable
