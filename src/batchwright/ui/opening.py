"""Opening what lies outside the window: an address in the browser, a file in its own program."""

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices


def open_address(address: str) -> None:
    """Open an address in the browser of the person."""
    QDesktopServices.openUrl(QUrl(address))


def open_file(path: Path) -> None:
    """Open a file in the program that the person opens such files with."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
