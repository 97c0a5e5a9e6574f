"""Helpers for dropped files."""

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QDropEvent


def dropped_paths(mime: QMimeData) -> tuple[Path, ...]:
    """The local files and folders of a drag."""
    return tuple(Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile())


def accept_copy(event: QDropEvent) -> None:
    """Accept a drag or drop as a copy, so that the source does not delete the file."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()
