"""Starting and running drags."""

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QCursor, QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from batchwright.ui.editor.dnd.drag_image import HOT_SPOT, drag_image
from batchwright.ui.editor.dnd.external_drops import LayoutMimeData

_REDRAW_DELAY_MS = 100
"""Milliseconds after a drop until the page is laid out again."""


def exceeds_drag_distance(event: QMouseEvent, start: QPoint | None) -> bool:
    """Whether the pointer has moved far enough from `start` to begin a drag."""
    if start is None or not event.buttons() & Qt.MouseButton.LeftButton:
        return False
    return (event.position().toPoint() - start).manhattanLength() >= QApplication.startDragDistance()


def run_drag(source: QWidget, mime: LayoutMimeData) -> None:
    """Run a drag until it is dropped or cancelled."""
    drag = QDrag(source)
    drag.setMimeData(mime)
    drag.setPixmap(drag_image(mime.payload, source.devicePixelRatioF()))
    drag.setHotSpot(HOT_SPOT)
    supported_actions = Qt.DropAction.MoveAction | Qt.DropAction.CopyAction
    drag.exec(
        supported_actions, Qt.DropAction.CopyAction if mime.payload.is_new else Qt.DropAction.MoveAction
    )
    if isValid(source):
        window = source.window()
        end_hover(window)
        QTimer.singleShot(
            _REDRAW_DELAY_MS, window, lambda: end_hover(window)
        )  # a drop moves other widgets under the pointer


def end_hover(window: QWidget) -> None:
    """Send leave events to widgets that the pointer has left, because Qt sends none during a drag."""
    for widget in window.findChildren(QWidget):
        is_hovered = widget.rect().contains(widget.mapFromGlobal(QCursor.pos()))
        if widget.testAttribute(Qt.WidgetAttribute.WA_UnderMouse) and not is_hovered:
            widget.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
            QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))
