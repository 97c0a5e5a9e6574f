"""Waiting as an async iterator: look, pause, look again (style.md 6)."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


async def poll(
    look: Callable[[], Awaitable[T]],
    until: Callable[[T], bool],
    pauses: Iterable[float],
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> AsyncIterator[T]:
    """Yield what `look` sees, up to and with the first sight that satisfies `until`.

    Ends early when the pauses, in seconds, run out.
    """
    for pause in pauses:
        seen = await look()
        yield seen
        if until(seen):
            return
        await sleep(pause)


def backoff(first: float = 1, longest: float = 15, growth: float = 1.5) -> Iterator[float]:
    """Pauses without end, in seconds: from `first` up to `longest`, each up to a fifth shorter by chance.

    A job that is soon done is soon seen to be; one that takes hours is not asked about every second.
    """
    pause = first
    while True:
        yield pause * random.uniform(0.8, 1)  # noqa: S311 - spreads clients out; no secret depends on it
        pause = min(pause * growth, longest)
