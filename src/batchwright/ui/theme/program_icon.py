"""The icon of the program, in the sizes that desktops ask for."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon

from batchwright.base.resources import resource


def program_icon() -> QIcon:
    """The icon of the program; each size is a drawing of its own."""
    program = QIcon()
    for path in resource("icons", "app").glob("*.png"):
        size = int(path.stem)
        program.addFile(str(path), QSize(size, size))
    return program
