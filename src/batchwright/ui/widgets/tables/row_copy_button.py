"""A button in a table that copies the id of a row."""

from collections.abc import Callable

from batchwright.ui.theme import theme
from batchwright.ui.widgets.id_label import CopyIdButton
from batchwright.ui.widgets.tables.table import Table


class RowCopyButton(CopyIdButton):
    """Copies the id in the row under the pointer, or in the current row, of a table.

    Args:
        table: the table.
        column: the column at whose right edge the button is.
        name: the name of the button, as "Copy the dataset id".
        id_of_row: returns the id in a row.
    """

    def __init__(self, table: Table, column: int, name: str, id_of_row: Callable[[int], str]) -> None:
        super().__init__(name, table.viewport())
        self._table, self._column, self._id_of_row = table, column, id_of_row
        self.hide()
        table.hovered_row_changed.connect(self._place)
        table.selectionModel().currentChanged.connect(self._place)
        table.model().modelReset.connect(self._place)
        table.verticalScrollBar().valueChanged.connect(self._place)
        table.horizontalScrollBar().valueChanged.connect(self._place)
        table.horizontalHeader().sectionResized.connect(self._place)

    def _place(self) -> None:
        """Show the button in the row under the pointer, or in the current one."""
        table = self._table
        row = table.hovered_row if table.hovered_row >= 0 else table.currentIndex().row()
        self.set_id(self._id_of_row(row) if 0 <= row < table.model().rowCount() else "")
        cell = table.visualRect(table.model().index(row, self._column))
        self.adjustSize()
        self.move(cell.right() - self.width() - theme().px(4), cell.center().y() - self.height() // 2)
