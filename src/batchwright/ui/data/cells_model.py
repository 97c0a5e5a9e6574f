"""The model of small tables whose cells are given: a preview of records, or a balance table."""

from collections.abc import Sequence

from PySide6.QtCore import QObject
from typing_extensions import override

from batchwright.ui.widgets.tables.table import CellModel, TextCell


class CellsModel(CellModel):
    """Texts in rows, with headings."""

    def __init__(
        self, headings: Sequence[str], rows: Sequence[Sequence[TextCell]], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._headings, self._rows = headings, rows

    def show_cells(self, headings: Sequence[str], rows: Sequence[Sequence[TextCell]]) -> None:
        """Replace headings and cells."""
        self.beginResetModel()
        self._headings, self._rows = headings, rows
        self.endResetModel()

    @override
    def row_count(self) -> int:
        return len(self._rows)

    @override
    def headings(self) -> Sequence[str]:
        return self._headings

    @override
    def cell(self, row: int, column: int) -> TextCell:
        return self._rows[row][column]
