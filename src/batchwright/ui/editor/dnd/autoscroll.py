"""Auto-scrolling while a drag is near an edge; the closer to the edge, the faster."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QAbstractScrollArea, QApplication

from batchwright.ui.theme import theme

_MAX_SPEED_PX = 18
_TICK_MS = 16


class AutoScroll(QObject):
    """Scrolls an area vertically while the pointer is near its upper or lower edge."""

    def __init__(
        self, area: QAbstractScrollArea, edge: int, on_scrolled: Callable[[QPoint, bool], None]
    ) -> None:
        """Scroll within `edge` pixels of an edge.

        After each step, `on_scrolled` is called with the pointer position on the viewport and whether Ctrl is
        pressed.
        """
        super().__init__(area)
        self._area, self._edge, self._scrolled = area, edge, on_scrolled
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._on_tick)

    def refresh(self) -> None:
        """Start scrolling if the drag is near an edge."""
        if self._speed():
            self._timer.start()

    def stop(self) -> None:
        """Stop scrolling."""
        self._timer.stop()

    def _speed(self) -> int:
        view, edge = self._area.viewport(), theme().px(self._edge)
        at = view.mapFromGlobal(QCursor.pos())
        if not view.rect().adjusted(0, -edge, 0, edge).contains(at):
            return 0
        if at.y() < edge:
            return -_MAX_SPEED_PX * (edge - max(at.y(), 0)) // edge
        below = view.height() - at.y()
        return _MAX_SPEED_PX * (edge - max(below, 0)) // edge if below < edge else 0

    def _on_tick(self) -> None:
        speed, bar = self._speed(), self._area.verticalScrollBar()
        before = bar.value()
        bar.setValue(before + speed)
        if not speed or bar.value() == before:
            self._timer.stop()
            return
        control = QApplication.queryKeyboardModifiers() & Qt.KeyboardModifier.ControlModifier
        self._scrolled(self._area.viewport().mapFromGlobal(QCursor.pos()), bool(control))
