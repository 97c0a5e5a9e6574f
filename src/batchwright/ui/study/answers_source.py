"""What the Results stage shows the answers of: the study, another batch or collection, or a file."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from batchwright.client.remote_study import RemoteStudy
from batchwright.layout.model import Layout

if TYPE_CHECKING:  # imported when Results opens
    from batchwright.analysis.store.answer_store import AnswerStore


@dataclass(frozen=True)
class OtherSource:
    """A batch or collection that does not belong to the study, at a connection."""

    connection: str
    remote_study: RemoteStudy
    name: str


@dataclass(frozen=True, eq=False)
class AnswersFile:
    """A file with answers, of which some have been read; shown at every connection."""

    path: Path
    digest: str
    """The SHA-256 of its content, with which it is the same file at another time."""
    store: "AnswerStore"
    layout: Layout
    """The layout with the ids of its questions; empty if it is not known."""
    reading: "asyncio.Task[object]"
    """Reads the other answers, until something else is shown."""


class AnswersSource(QObject):
    """Where the answers come from; set by the stages Run, Collections and Results, shown by Results."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.other: OtherSource | None = None
        """The other batch or collection; None for that of the study."""
        self.file: AnswersFile | None = None
        """The file that is shown instead of any batch or collection."""

    def show(self, other: OtherSource | None) -> None:
        """Show the answers of another batch or collection, or with None those of the study."""
        self._set(other, None)

    def show_file(self, file: AnswersFile) -> None:
        """Show the answers in a file, until something else is to be shown."""
        self._set(None, file)

    def _set(self, other: OtherSource | None, file: AnswersFile | None) -> None:
        if self.file is not None and file is not self.file:
            self.file.reading.cancel()
        if (other, file) != (self.other, self.file):
            self.other, self.file = other, file
            self.changed.emit()
