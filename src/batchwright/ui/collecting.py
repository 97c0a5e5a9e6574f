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


@contextmanager
def collecting_here() -> Iterator[None]:
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
        gc.collect()
        gc.unfreeze()
        gc.enable()


def _collect() -> None:
    """Collect the oldest generation whose turn it is."""
    for generation in (2, 1, 0):
        if gc.get_count()[generation] > gc.get_threshold()[generation]:
            gc.collect(generation)
            return
