"""Shows why the program cannot start: one that was started from a menu has no console for it."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMessageBox


def show_start_error(text: str) -> None:
    """Show a message until the user closes it; does nothing on the platform without a screen."""
    _app = QApplication.instance() or QApplication([])
    if QGuiApplication.platformName() != "offscreen":
        QMessageBox.critical(None, "Batchwright", text)
