"""Taking drags: what is carried, where it would land, and doing it on release.

Canvas and page list are targets alike; each only says which gap a point means and how to mark it.
"""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from batchwright.layout.edits import Edit, InsertionPoint
from batchwright.layout.model import Layout
from batchwright.schema.model import Schema
from batchwright.ui.editor.dnd.drop_preview import DropPreview, drop_hint, preview_drop
from batchwright.ui.editor.dnd.external_drops import payload_from_mime
from batchwright.ui.editor.dnd.payload import DragPayload
from batchwright.ui.widgets.drops import dropped_paths


class EditableLayout(Protocol):
    """What drops change: the view-model."""

    @property
    def layout(self) -> Layout:
        """The layout as it is now."""

    @property
    def schema(self) -> Schema | None:
        """The schema, for the glyphs of fields."""

    def do(self, edit: Edit, *, follows: bool = True) -> bool:
        """Do what was dropped."""


class DropTarget(QObject):
    """One drag over one target, from its entering to its leaving or its release."""

    hinted = Signal(str)
    """What release would do, for the status line; empty when the drag is gone."""
    refused = Signal(str, QPoint)
    """Why release would do nothing, or empty, and where the pointer is on the screen."""

    def __init__(
        self,
        subject: EditableLayout,
        on: QWidget,
        gap_at: Callable[[QPoint, DragPayload], InsertionPoint | None],
    ) -> None:
        """Take drags on a widget; `gap_at` says which gap a point of it means."""
        super().__init__()
        self._subject, self._on, self._gap_at = subject, on, gap_at
        self.cargo: DragPayload | None = None
        self.landing: DropPreview | None = None
        self._asked: tuple[InsertionPoint, bool] | None = None

    def enter(self, event: QDragEnterEvent) -> None:
        """A drag has come. It is always looked at, so that a refusal can say why; files are the window's."""
        if dropped_paths(event.mimeData()):
            self.leave()
            event.ignore()
            return
        self.cargo = payload_from_mime(event.mimeData(), self._subject.layout, self._subject.schema)
        self.landing = self._asked = None
        event.acceptProposedAction()

    def move(self, event: QDragMoveEvent) -> DropPreview | None:
        """Where it would land now."""
        landing = self.look(event.position().toPoint(), copies=_copies(event))
        takes = landing is not None and not landing.refusal
        if takes and self.cargo is not None:
            event.setDropAction(_action(event, self.cargo))
            event.accept()
        else:
            event.ignore()
        return landing

    def look(self, point: QPoint, *, copies: bool) -> DropPreview | None:
        """What release at a point would do; worked out again only for another gap."""
        gap = None if self.cargo is None else self._gap_at(point, self.cargo)
        if gap is None or self.cargo is None:
            self.landing = self._asked = None
        elif (gap, copies) != self._asked:
            self._asked = (gap, copies)
            self.landing = preview_drop(self._subject.layout, self.cargo, gap, copies=copies)
        if self.landing is None or self.cargo is None:
            self.hinted.emit("")
        else:
            self.hinted.emit(drop_hint(self.cargo, self.landing, copies=copies))
        refusal = self.landing.refusal if self.landing is not None else ""
        self.refused.emit(refusal, self._on.mapToGlobal(point))
        return self.landing

    def release(self, event: QDropEvent, *, follows: bool = True) -> None:
        """Do what was shown."""
        landing, cargo = self.look(event.position().toPoint(), copies=_copies(event)), self.cargo
        self.leave()
        if landing is None or cargo is None or landing.edit is None:
            event.ignore()
            return
        event.setDropAction(_action(event, cargo))
        event.accept()
        self._subject.do(landing.edit, follows=follows)

    def leave(self) -> None:
        """The drag is gone."""
        self.cargo = self.landing = self._asked = None
        self.hinted.emit("")
        self.refused.emit("", QPoint())


def _copies(event: QDropEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)


def _action(event: QDropEvent, cargo: DragPayload) -> Qt.DropAction:
    return Qt.DropAction.CopyAction if cargo.is_new or _copies(event) else Qt.DropAction.MoveAction
