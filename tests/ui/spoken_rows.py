"""What a screen reader reads in a list."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView


def spoken_rows(view: QAbstractItemView) -> list[str]:
    """The accessible texts of all rows of a list."""
    model, role = view.model(), Qt.ItemDataRole.AccessibleTextRole
    return [model.index(row, 0).data(role) for row in range(model.rowCount())]
