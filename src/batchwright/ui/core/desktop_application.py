"""The `QApplication` of the program."""

from pathlib import Path

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class DesktopApplication(QApplication):
    """Reports files that the desktop asks the running program to open.

    macOS sends an event for each file; other systems start the program again, see `SingleInstance`.
    """

    files_received = Signal(list)
    """A list with the path of the file."""

    def event(self, event: QEvent) -> bool:
        """Report the file of an event; events for URLs that are no files are left to Qt."""
        if isinstance(event, QFileOpenEvent) and event.file():
            self.files_received.emit([Path(event.file())])
            return True
        return super().event(event)
