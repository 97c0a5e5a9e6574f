"""What the Results stage shows the answers of: the study, or another batch or collection of the workspace."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from batchwright.client.remote_study import RemoteStudy


@dataclass(frozen=True)
class OtherSource:
    """A batch or collection that does not belong to the study, at a connection."""

    connection: str
    of: RemoteStudy
    name: str


class AnswersSource(QObject):
    """Where the answers come from; set by the stages Run and Collections, shown by Results."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.other: OtherSource | None = None
        """The other batch or collection; None for that of the study."""

    def show(self, other: OtherSource | None) -> None:
        """Show the answers of another batch or collection, or with None those of the study."""
        if other != self.other:
            self.other = other
            self.changed.emit()
