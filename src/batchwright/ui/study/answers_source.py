"""The batch whose answers the Results stage shows: that of the study, or another one of the workspace."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal


@dataclass(frozen=True)
class OtherBatch:
    """A batch that does not belong to the study, at a connection."""

    connection: str
    id: str
    name: str


class AnswersSource(QObject):
    """Where the answers come from; set by the Run stage, shown by the Results stage."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.other: OtherBatch | None = None
        """The other batch; None for that of the study."""

    def show(self, other: OtherBatch | None) -> None:
        """Show the answers of another batch, or with None those of the study's batch."""
        if other != self.other:
            self.other = other
            self.changed.emit()
