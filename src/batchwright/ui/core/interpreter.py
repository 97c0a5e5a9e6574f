"""How the Python interpreter works while the window runs: garbage collection, and switching between threads.

Python collects cycles in whichever thread happens to allocate. If that is a worker thread, and the garbage
includes a widget or a timer, Qt destroys it on the wrong thread and the process crashes. So automatic
collection is disabled while the window runs, and a timer on the GUI thread collects instead.

While a thread computes, the event loop may have to wait for the GIL at every virtual method that Qt calls,
and a paint event calls dozens. With Python's default of 5 ms these waits add up: the longest iteration that
painted sixty widgets while a thread computed took 77 to 105 ms, and 21 to 27 ms with a shorter interval (two
cores, shared with other programs). The thread computed as fast as before.
"""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QTimer

_INTERVAL_MS = 250
"""Time between two checks whether a collection is due."""

_MAX_NEW_OBJECTS, _MAX_OBJECTS = 10_000, 50_000
"""Limits for one collection: objects allocated since the last one, and objects traversed (some 25 ms)."""


@contextmanager
def gc_on_this_thread() -> Iterator[None]:
    """Collect on the calling thread while the `with` block runs, as often as Python would; on no other
    thread.

    Where automatic collection was disabled before, it stays so, and what was frozen stays frozen.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    gc.freeze()  # imported modules stay: traversing them in each collection would block the window
    timer = QTimer()
    timer.setInterval(_INTERVAL_MS)
    timer.timeout.connect(_collect)
    timer.start()
    try:
        yield
    finally:
        timer.stop()
        if was_enabled:
            gc.unfreeze()
            gc.collect()  # frozen objects as well, before collection on other threads is possible again
            gc.enable()


def _collect() -> None:
    """Collect the oldest generation that is due.

    If that would take too long, all current objects are frozen instead (`gc.freeze`), since objects created
    in large numbers are usually kept. Reference counting still frees them; only cycles among them remain
    until the end.
    """
    for generation in (2, 1, 0):
        if gc.get_count()[generation] > gc.get_threshold()[generation]:
            if _are_many(generation):
                gc.freeze()
            else:
                gc.collect(generation)
            return


def _are_many(generation: int) -> bool:
    """Whether collecting a generation would traverse too many objects. Counting them takes time as well."""
    if gc.get_count()[0] > _MAX_NEW_OBJECTS:
        return True
    return (
        generation > 0
        and sum(len(gc.get_objects(younger)) for younger in range(generation + 1)) > _MAX_OBJECTS
    )


_SWITCH_INTERVAL_S = 0.0005
"""How long a thread may keep the GIL while another one waits for it, in seconds."""


@contextmanager
def short_switch_interval() -> Iterator[None]:
    """Let threads keep the GIL only for a short time while the `with` block runs."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)
