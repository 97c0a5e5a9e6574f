"""Work that must be done on the event loop, in slices, so that the window stays responsive."""

import time
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer

_SLICE_S = 0.005
"""Seconds after which the event loop continues before more steps are taken."""


class SlicedWork(QObject):
    """Takes the steps of an iterator: a slice at once, and further ones whenever the event loop is idle."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Iterator[None] = iter(())
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._take_slice)

    @property
    def is_active(self) -> bool:
        """Whether steps are left."""
        return self._timer.isActive()

    def start(self, steps: Iterator[None]) -> None:
        """Take these steps; those that are left of earlier ones are not taken any more."""
        self._steps = steps
        self._timer.start()
        self._take_slice()

    def _take_slice(self) -> None:
        end = time.perf_counter() + _SLICE_S
        for _step in self._steps:
            if time.perf_counter() > end:
                return
        self._timer.stop()
