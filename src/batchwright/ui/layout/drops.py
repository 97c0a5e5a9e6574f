"""Taking drags: what is carried, where it would land, and doing it on release.

Canvas and page list are targets alike; each only says which gap a point means and how to mark it.
"""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent

from batchwright.layout.edits import Edit, Gap
from batchwright.layout.model import Layout
from batchwright.records.schema import Schema
from batchwright.ui.layout.cargo import Cargo
from batchwright.ui.layout.drags import cargo_of
from batchwright.ui.layout.landing import Landing, land


class Subject(Protocol):
    """What drops change: the view-model."""

    @property
    def layout(self) -> Layout:
        """The layout as it is now."""

    @property
    def schema(self) -> Schema | None:
        """The schema, for the glyphs of fields."""

    def do(self, edit: Edit, *, follows: bool = True) -> bool:
        """Do what was dropped."""


class Drop(QObject):
    """One drag over one target, from its entering to its leaving or its release."""

    hinted = Signal(str)
    """What release would do, for the status line; empty when the drag is gone."""

    def __init__(self, subject: Subject, gap_at: Callable[[QPoint, Cargo], Gap | None]) -> None:
        super().__init__()
        self._subject, self._gap_at = subject, gap_at
        self.cargo: Cargo | None = None
        self.landing: Landing | None = None
        self._asked: tuple[Gap, bool] | None = None

    def enter(self, event: QDragEnterEvent) -> None:
        """A drag has come. It is always looked at, so that a refusal can say why."""
        self.cargo = cargo_of(event.mimeData(), self._subject.layout, self._subject.schema)
        self.landing = self._asked = None
        event.acceptProposedAction()

    def move(self, event: QDragMoveEvent) -> Landing | None:
        """Where it would land now."""
        landing = self.look(event.position().toPoint(), copies=_copies(event))
        takes = landing is not None and not landing.refusal
        if takes and self.cargo is not None:
            event.setDropAction(_action(event, self.cargo))
            event.accept()
        else:
            event.ignore()
        return landing

    def look(self, point: QPoint, *, copies: bool) -> Landing | None:
        """What release at a point would do; worked out again only for another gap."""
        gap = None if self.cargo is None else self._gap_at(point, self.cargo)
        if gap is None or self.cargo is None:
            self.landing = self._asked = None
        elif (gap, copies) != self._asked:
            self._asked = (gap, copies)
            self.landing = land(self._subject.layout, self.cargo, gap, copies=copies)
        self.hinted.emit(self.landing.sentence if self.landing is not None else "")
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


def _copies(event: QDropEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)


def _action(event: QDropEvent, cargo: Cargo) -> Qt.DropAction:
    return Qt.DropAction.CopyAction if cargo.is_new or _copies(event) else Qt.DropAction.MoveAction
