"""Garbage collection on the GUI thread, in slices."""

import asyncio
import gc
import weakref

import pytest

from batchwright.ui.core import gc_scheduling
from tests.ui.conftest import until

pytestmark = pytest.mark.gui


class Cycle:
    """An object that refers to itself: only the garbage collector deletes it."""

    def __init__(self) -> None:
        self.itself = self


def tracked_objects(count: int) -> list[list[None]]:
    """Return `count` objects that the garbage collector tracks."""
    return [[] for _number in range(count)]


def test_a_cycle_is_collected_while_the_loop_runs(loop: asyncio.AbstractEventLoop) -> None:
    async def flow() -> None:
        ended = weakref.ref(Cycle())
        objects = tracked_objects(1000)
        await until(lambda: ended() is None)
        assert len(objects) == 1000

    gc.enable()
    with gc_scheduling.gc_on_this_thread():
        assert not gc.isenabled()
        loop.run_until_complete(flow())


def test_many_new_objects_are_frozen_and_still_deleted(loop: asyncio.AbstractEventLoop) -> None:
    async def flow() -> None:
        before = gc.get_freeze_count()
        objects = tracked_objects(2 * gc_scheduling._MOST)
        objects[0] = element = _TrackedList()
        ended = weakref.ref(element)
        await until(lambda: gc.get_freeze_count() > before + gc_scheduling._MOST)
        del element
        objects.clear()
        assert ended() is None

    with gc_scheduling.gc_on_this_thread():
        loop.run_until_complete(flow())


class _TrackedList(list[None]):
    """A list that weak references can refer to."""
