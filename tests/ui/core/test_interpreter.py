"""The interpreter while the window runs: garbage is collected on the GUI thread, threads hand over soon."""

import gc
import sys
import weakref

import pytest

from batchwright.ui.core import interpreter
from tests.ui.conftest import until

pytestmark = pytest.mark.gui


class Cycle:
    """An object that refers to itself: only the garbage collector deletes it."""

    def __init__(self) -> None:
        self.itself = self


def tracked_objects(count: int) -> list[list[None]]:
    """`count` objects that the garbage collector tracks."""
    return [[] for _number in range(count)]


async def test_a_cycle_is_collected_while_the_loop_runs() -> None:
    gc.enable()
    with interpreter.gc_on_this_thread():
        assert not gc.isenabled()
        ended = weakref.ref(Cycle())
        objects = tracked_objects(1000)
        await until(lambda: ended() is None)
        assert len(objects) == 1000


async def test_many_new_objects_are_frozen_and_still_deleted() -> None:
    with interpreter.gc_on_this_thread():
        before = gc.get_freeze_count()
        objects = tracked_objects(2 * interpreter._MAX_OBJECTS)
        objects[0] = element = _TrackedList()
        ended = weakref.ref(element)
        await until(lambda: gc.get_freeze_count() > before + interpreter._MAX_OBJECTS)
        del element
        objects.clear()
        assert ended() is None


def test_the_interval_is_short_within_the_block_and_as_before_afterwards() -> None:
    usual = sys.getswitchinterval()
    with interpreter.short_switch_interval():
        assert sys.getswitchinterval() <= usual / 5
    assert sys.getswitchinterval() == usual


class _TrackedList(list[None]):
    """A list that weak references can refer to."""
