"""The handling of a drag over a widget: its payload, the preview of the drop, and the drop itself.

Canvas, page list and outline use it alike; each only determines the insertion point at a position and draws
it.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.ui.editor.core.state import EditorState
from batchwright.ui.editor.dnd.drop_preview import DropPreview, drop_hint, preview_drop
from batchwright.ui.editor.dnd.external_drops import payload_from_mime
from batchwright.ui.editor.dnd.payload import DragPayload
from batchwright.ui.widgets.drops import dropped_paths


class DropTarget(QObject):
    """Handles drags over one widget, from the enter event to the leave or drop event."""

    hint_changed = Signal(str)
    """What a drop would do, for the status bar; empty when the drag has left."""
    rejected = Signal(str, QPoint)
    """Why a drop would be rejected, or an empty text, and the pointer position in screen coordinates."""

    def __init__(
        self,
        state: EditorState,
        widget: QWidget,
        insertion_point_at: Callable[[QPoint, DragPayload], InsertionPoint | None],
    ) -> None:
        """`insertion_point_at` returns the insertion point at a position of the widget, or None."""
        super().__init__()
        self._state, self._widget, self._insertion_point_at = state, widget, insertion_point_at
        self.payload: DragPayload | None = None
        self.preview: DropPreview | None = None
        self._preview_key: tuple[InsertionPoint, bool] | None = None

    def enter(self, event: QDragEnterEvent) -> None:
        """Accept a drag, even if a drop will be rejected, so that the reason can be shown.

        Files are ignored here; the window handles them.
        """
        if dropped_paths(event.mimeData()):
            self.leave()
            event.ignore()
            return
        self.payload = payload_from_mime(event.mimeData(), self._state.study)
        self.preview = self._preview_key = None
        event.acceptProposedAction()

    def move(self, event: QDragMoveEvent) -> DropPreview | None:
        """The preview of a drop at the position of the event."""
        preview = self.preview_at(event.position().toPoint(), copies=_copies(event))
        is_accepted = preview is not None and not preview.rejection
        if is_accepted and self.payload is not None:
            event.setDropAction(_action(event, self.payload))
            event.accept()
        else:
            event.ignore()
        return preview

    def preview_at(self, point: QPoint, *, copies: bool) -> DropPreview | None:
        """The preview of a drop at a point. It is computed again only for another insertion point."""
        insertion_point = None if self.payload is None else self._insertion_point_at(point, self.payload)
        if insertion_point is None or self.payload is None:
            self.preview = self._preview_key = None
        elif (insertion_point, copies) != self._preview_key:
            self._preview_key = (insertion_point, copies)
            self.preview = preview_drop(self._state.layout, self.payload, insertion_point, copies=copies)
        if self.preview is None or self.payload is None:
            self.hint_changed.emit("")
        else:
            self.hint_changed.emit(drop_hint(self.payload, self.preview, copies=copies))
        error = self.preview.rejection if self.preview is not None else ""
        self.rejected.emit(error, self._widget.mapToGlobal(point))
        return self.preview

    def drop(self, event: QDropEvent, *, follows: bool = True) -> None:
        """Apply the edit of the preview."""
        preview, payload = self.preview_at(event.position().toPoint(), copies=_copies(event)), self.payload
        self.leave()
        if preview is None or payload is None or preview.edit is None:
            event.ignore()
            return
        event.setDropAction(_action(event, payload))
        event.accept()
        self._state.apply(preview.edit, follows=follows)

    def leave(self) -> None:
        """Forget the drag, which has left the widget or ended."""
        self.payload = self.preview = self._preview_key = None
        self.hint_changed.emit("")
        self.rejected.emit("", QPoint())


def _copies(event: QDropEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)


def _action(event: QDropEvent, payload: DragPayload) -> Qt.DropAction:
    return Qt.DropAction.CopyAction if payload.is_new or _copies(event) else Qt.DropAction.MoveAction
