"""Waiting: every sight is yielded, the last one ends it, and the pauses are the caller's."""

import asyncio
from collections.abc import Iterator
from itertools import islice, repeat

from hypothesis import given
from hypothesis import strategies as st

from batchwright.jobs.polling import backoff, poll


def looks(*sights: str) -> Iterator[str]:
    """One sight after another."""
    return iter(sights)


def test_polling_yields_every_sight_up_to_and_with_the_last() -> None:
    async def watch() -> list[str]:
        sights = looks("queued", "processing", "complete", "never seen")

        async def look() -> str:
            return next(sights)

        return [seen async for seen in poll(look, "complete".__eq__, repeat(0))]

    assert asyncio.run(watch()) == ["queued", "processing", "complete"]


def test_polling_sleeps_between_two_looks_and_not_after_the_last() -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def watch() -> None:
        sights = looks("queued", "processing", "complete")

        async def look() -> str:
            return next(sights)

        async for _seen in poll(look, "complete".__eq__, [1, 2, 4], sleep):
            pass

    asyncio.run(watch())
    assert slept == [1, 2]


def test_polling_ends_with_its_pauses() -> None:
    async def watch() -> list[str]:
        async def look() -> str:
            return "queued"

        return [seen async for seen in poll(look, "complete".__eq__, [0, 0])]

    assert asyncio.run(watch()) == ["queued", "queued"]


@given(st.integers(1, 200))
def test_backoff_grows_from_one_second_to_fifteen_and_never_ends(count: int) -> None:
    pauses = list(islice(backoff(), count))
    assert len(pauses) == count
    assert 0.8 <= pauses[0] <= 1
    assert all(0.8 <= pause <= 15 for pause in pauses)
    assert all(pause >= 12 for pause in pauses[8:])
