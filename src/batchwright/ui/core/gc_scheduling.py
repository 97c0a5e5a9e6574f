"""Garbage is collected on the screen's thread alone.

Python collects cycles in whichever thread happens to allocate. A widget or a timer that ends in the thread
of some file work takes the whole program down, so it does not collect by itself while the window runs.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QTimer

_EVERY = 250
"""Milliseconds between two looks at whether it is time."""

_BULK, _MOST = 10_000, 50_000
"""Things that came since the last look, and things looked at in one go, some 25 ms."""


@contextmanager
def gc_on_this_thread() -> Iterator[None]:
    """Collect on this thread while the block runs, as often as Python itself would; nowhere else."""
    gc.disable()
    gc.freeze()  # what was imported stays: looking at it again and again would stall the window
    timer = QTimer()
    timer.setInterval(_EVERY)
    timer.timeout.connect(_collect)
    timer.start()
    try:
        yield
    finally:
        timer.stop()
        gc.unfreeze()
        gc.collect()  # what was set aside too, before any thread may collect again
        gc.enable()


def _collect() -> None:
    """Collect the oldest generation whose turn it is.

    Where that would take too long, everything there is now is set aside instead, as what has come in bulk is
    there to stay: it ends as soon as nothing refers to it, as ever; only a cycle among it stays to the end.
    """
    for generation in (2, 1, 0):
        if gc.get_count()[generation] > gc.get_threshold()[generation]:
            if _are_many(generation):
                gc.freeze()
            else:
                gc.collect(generation)
            return


def _are_many(generation: int) -> bool:
    """Whether collecting a generation would look at too many things; to count those takes time as well."""
    if gc.get_count()[0] > _BULK:
        return True
    return generation > 0 and sum(len(gc.get_objects(younger)) for younger in range(generation + 1)) > _MOST
