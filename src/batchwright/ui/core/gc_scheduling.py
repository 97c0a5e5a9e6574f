"""Runs Python's cyclic garbage collector on the GUI thread only.

Python collects cycles in whichever thread happens to allocate. If that is a worker thread, and the garbage
includes a widget or a timer, Qt destroys it on the wrong thread and the process crashes. So automatic
collection is disabled while the window runs, and a timer on the GUI thread collects instead.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QTimer

_EVERY = 250
"""Milliseconds between two checks whether a collection is due."""

_BULK, _MOST = 10_000, 50_000
"""Limits for one collection: objects allocated since the last one, and objects traversed (some 25 ms)."""


@contextmanager
def gc_on_this_thread() -> Iterator[None]:
    """Collect on the calling thread while the `with` block runs, as often as Python would; on no other
    thread.
    """
    gc.disable()
    gc.freeze()  # imported modules stay: traversing them in each collection would block the window
    timer = QTimer()
    timer.setInterval(_EVERY)
    timer.timeout.connect(_collect)
    timer.start()
    try:
        yield
    finally:
        timer.stop()
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
    if gc.get_count()[0] > _BULK:
        return True
    return generation > 0 and sum(len(gc.get_objects(younger)) for younger in range(generation + 1)) > _MOST
