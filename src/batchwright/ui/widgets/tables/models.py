"""Base classes of models and delegates whose subclasses are only called for cells that exist.

Views, delegates and screen readers keep indexes and use them while and after rows are removed. With some
Python versions an exception in such a call ends the program, so the base classes handle removed cells.
"""

from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget
from typing_extensions import override

from batchwright.ui.theme.foreign import sanitize
from batchwright.ui.theme.tips import tooltip_text

Index = QModelIndex | QPersistentModelIndex

DisplayRole = Qt.ItemDataRole.DisplayRole
_TEXT_ROLES = (
    DisplayRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)


def sanitized(value: object, role: int) -> object:
    """The value of a role, sanitized if it is displayed or read out."""
    if not isinstance(value, str):
        return value
    if role == Qt.ItemDataRole.ToolTipRole:
        return tooltip_text(value)
    return sanitize(value) if role in _TEXT_ROLES else value


def exists(index: Index) -> bool:
    """Whether the cell of an index still exists."""
    return index.isValid() and index.model().hasIndex(index.row(), index.column(), index.parent())


class TableModel(QAbstractTableModel):
    """A table model; with one column, a list model.

    Subclasses return the numbers of rows and columns and the values of cells. Change them only between Qt's
    begin and end calls.
    """

    def row_count(self) -> int:
        """The number of rows."""
        raise NotImplementedError

    def column_count(self) -> int:
        """The number of columns."""
        return 1

    def value(self, row: int, column: int, role: int) -> object:
        """The value of a cell for a role (`data`), or None."""
        raise NotImplementedError

    def heading(self, column: int, role: int) -> object:
        """The value of a column header for a role, or None."""
        return None

    def cell_flags(self, row: int, column: int) -> Qt.ItemFlag:
        """The item flags of a cell."""
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def set_value(self, row: int, column: int, value: object) -> bool:
        """Set the value of a cell; False if it is rejected."""
        return False

    def has_cell(self, row: int, column: int) -> bool:
        """Whether the cell exists."""
        return 0 <= row < self.row_count() and 0 <= column < self.column_count()

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else self.row_count()

    @override
    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else self.column_count()

    @override
    def data(self, index: Index, role: int = DisplayRole) -> object:
        row, column = index.row(), index.column()
        value = self.value(row, column, role) if self.has_cell(row, column) else None
        return sanitized(value, role)

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        row, column = index.row(), index.column()
        return self.cell_flags(row, column) if self.has_cell(row, column) else Qt.ItemFlag.NoItemFlags

    @override
    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row, column = index.row(), index.column()
        is_edit = role == Qt.ItemDataRole.EditRole
        return is_edit and self.has_cell(row, column) and self.set_value(row, column, value)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DisplayRole) -> object:
        is_column = orientation is Qt.Orientation.Horizontal and 0 <= section < self.column_count()
        return sanitized(self.heading(section, role), role) if is_column else None


class CellDelegate(QStyledItemDelegate):
    """Paints and edits cells; by default like `QStyledItemDelegate`."""

    def paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a cell."""
        super().paint(painter, option, index)

    def create_editor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Create the editor of a cell (`createEditor`)."""
        return super().createEditor(parent, option, index)

    def load_editor(self, editor: QWidget, index: Index) -> None:
        """Load the value of a cell into its editor (`setEditorData`)."""
        super().setEditorData(editor, index)

    def commit_editor(self, editor: QWidget, index: Index) -> None:
        """Write the value of an editor to its cell (`setModelData`)."""
        super().setModelData(editor, index.model(), index)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if exists(index):
            self.paint_cell(painter, option, index)

    @override
    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        if exists(index):
            return self.create_editor(parent, option, index)
        return None  # type: ignore[return-value]  # Qt then opens no editor

    @override
    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if exists(index):
            self.load_editor(editor, index)

    @override
    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        if exists(index):
            self.commit_editor(editor, index)
