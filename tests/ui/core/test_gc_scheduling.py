"""Garbage is collected on the screen's thread, and a lot of it holds nothing up."""

import asyncio
import gc
import weakref

import pytest

from batchwright.ui.core import gc_scheduling
from tests.ui.conftest import until

pytestmark = pytest.mark.gui


class Ring:
    """Something that only a collection ends: it refers to itself."""

    def __init__(self) -> None:
        self.itself = self


def crowd(count: int) -> list[list[None]]:
    """So many things that a collection would look at."""
    return [[] for _number in range(count)]


def test_a_cycle_ends_while_the_loop_runs(loop: asyncio.AbstractEventLoop) -> None:
    async def flow() -> None:
        ended = weakref.ref(Ring())
        kept = crowd(1000)
        await until(lambda: ended() is None)
        assert len(kept) == 1000

    gc.enable()
    with gc_scheduling.gc_on_this_thread():
        assert not gc.isenabled()
        loop.run_until_complete(flow())


def test_what_has_come_in_bulk_is_set_aside_and_ends_all_the_same(loop: asyncio.AbstractEventLoop) -> None:
    async def flow() -> None:
        before = gc.get_freeze_count()
        kept = crowd(2 * gc_scheduling._MOST)
        kept[0] = element = _TrackedList()
        ended = weakref.ref(element)
        await until(lambda: gc.get_freeze_count() > before + gc_scheduling._MOST)
        del element
        kept.clear()
        assert ended() is None

    with gc_scheduling.gc_on_this_thread():
        loop.run_until_complete(flow())


class _TrackedList(list[None]):
    """A list that can be watched."""
