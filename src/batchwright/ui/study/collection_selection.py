"""The collection that another stage asks Collections to show."""

from PySide6.QtCore import QObject, Signal


class CollectionSelection(QObject):
    """Set by Jobs, followed by Collections."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.id = ""
        """The id of the collection; empty before the first request."""

    def show(self, id: str) -> None:
        """Show a collection of the current connection."""
        self.id = id
        self.changed.emit()
