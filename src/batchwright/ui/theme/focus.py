"""The focus ring: a 2-pixel line at a distance of 2 pixels around the focused widget.

Widgets cannot paint outside themselves, so one `QFocusFrame` follows the focus. It is shown after keyboard
navigation, not after a click or when a window is activated; fields show the focus by their own border.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractButton, QApplication, QFocusFrame, QStyleOption, QWidget
from shiboken6 import isValid

from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.theme.theme import Theme

RING = "ring"
"""Property: corner radius of the ring of a widget other than a button; 0 for no ring."""

MARGIN = 4
_clicks: list[QWidget] = []
"""The buttons whose click is being processed, as a stack."""
_BUTTON_RADIUS = 7


def paint_focus_ring(theme: Theme, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """Paint the focus ring."""
    around = widget.widget() if isinstance(widget, QFocusFrame) else None
    radius = theme.px(ring_radius(around) or _BUTTON_RADIUS) + MARGIN
    draw_rounded(painter, option.rect, radius, None, theme.tokens.accent_text, 2)


def ring_radius(widget: QWidget | None) -> int | None:
    """The corner radius of the ring of a widget; None if it has no ring."""
    if widget is None:
        return None
    radius = widget.property(RING)
    if isinstance(radius, int):
        return radius or None
    return _BUTTON_RADIUS if isinstance(widget, QAbstractButton) else None


@contextmanager
def click_processed(button: QWidget) -> Iterator[None]:
    """Draw no ring around what gets the focus in the block: the mouse button is released by then."""
    _clicks.append(button)
    try:
        yield
    finally:
        _clicks.pop()


class FocusRing(QObject):
    """Moves the focus frame to the focused widget."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._focus_frame: QFocusFrame | None = None
        self._last_ringed: QWidget | None = None
        app.focusChanged.connect(self._on_focus_changed)

    def _on_focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        self._remove_focus_frame()
        if now is None:
            return
        by_pointer = bool(_clicks) or QApplication.mouseButtons() is not Qt.MouseButton.NoButton
        by_window = before is None and now is not self._last_ringed
        if by_pointer or by_window or ring_radius(now) is None:
            self._last_ringed = None
            return
        self._last_ringed = now
        self._focus_frame = QFocusFrame(now.window())
        self._focus_frame.setWidget(now)

    def _remove_focus_frame(self) -> None:
        """Delete the previous frame, before its window does."""
        frame, self._focus_frame = self._focus_frame, None
        if frame is not None and isValid(frame):
            frame.setWidget(None)  # type: ignore[arg-type]  # None detaches it
            frame.deleteLater()
