"""Simulated drags over a widget, with the events that Qt sends."""

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

from batchwright.ui.editor.dnd.external_drops import LayoutMimeData
from batchwright.ui.editor.dnd.payload import payload_for_nodes
from batchwright.ui.editor.stage import EditorStage
from tests.ui.editor.conftest import settle

LEFT, NONE, CTRL = (
    Qt.MouseButton.LeftButton,
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
)
MOVE = Qt.DropAction.MoveAction


class SimulatedDrag:
    """A drag over a widget."""

    def __init__(self, target: QWidget, mime: QMimeData) -> None:
        self.target, self.mime = target, mime

    def over(self, at: QPoint, modifiers: Qt.KeyboardModifier = NONE) -> bool:
        """Enter the widget and move to a point; return whether a drop is accepted there."""
        QApplication.sendEvent(self.target, QDragEnterEvent(at, MOVE, self.mime, LEFT, modifiers))
        event = QDragMoveEvent(at, MOVE, self.mime, LEFT, modifiers)
        QApplication.sendEvent(self.target, event)
        return event.isAccepted()

    def drop(self, at: QPoint, modifiers: Qt.KeyboardModifier = NONE) -> bool:
        """Drop at a point; return whether the drop was accepted."""
        event = QDropEvent(QPointF(at), MOVE, self.mime, LEFT, modifiers)
        QApplication.sendEvent(self.target, event)
        settle()
        return event.isAccepted()


def payload_for(stage: EditorStage, *keys: str) -> LayoutMimeData:
    """The MIME data of a drag of nodes."""
    return LayoutMimeData(payload_for_nodes(stage.state.layout, keys), stage.state.study)
