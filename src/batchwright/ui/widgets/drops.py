"""Files that are dropped: which they are, and that they are copied, never moved."""

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QDropEvent


def dropped_paths(mime: QMimeData) -> tuple[Path, ...]:
    """The files and folders of this computer that are dragged; none for anything else."""
    return tuple(Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile())


def accept_copy(event: QDropEvent) -> None:
    """Accept a drag or a drop as a copy: the file stays where it is."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()
