"""The model of the answer grid; blocks of rows are requested as they scroll into view."""

from collections import OrderedDict
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, Signal
from typing_extensions import override

from batchwright.analysis.store.answer_query import AnswerRow, Column
from batchwright.base.i18n import _
from batchwright.ui.results.answers.answer_columns import GridColumn
from batchwright.ui.widgets.models import TableModel
from batchwright.ui.widgets.tables import Cell, CellRole, TextCell, accessible_text

BLOCK_SIZE = 128
"""Rows per block."""

_MAX_BLOCKS = 32
"""Blocks cached."""

CellOf = Callable[[AnswerRow, GridColumn], Cell]
"""Returns the cell of a row in a column."""


class AnswersModel(TableModel):
    """The rows of a query; a row whose block has not arrived has placeholders.

    `block_requested` is emitted for a block with visible rows, repeatedly until `set_block` provides it.
    """

    block_requested = Signal(int)
    cells_changed = Signal()
    """Cells must be painted again. For `dataChanged`, views ask for every index in its range, one by one."""

    def __init__(self, cell_of: CellOf, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cell_of = cell_of
        self._columns: tuple[GridColumn, ...] = ()
        self._count = 0
        self._blocks: OrderedDict[int, Sequence[AnswerRow]] = OrderedDict()
        self._sorted_by: Column | None = None
        self._is_descending = False

    @property
    def columns(self) -> tuple[GridColumn, ...]:
        """The columns that are shown."""
        return self._columns

    def show_columns(self, columns: tuple[GridColumn, ...]) -> None:
        """Show other columns."""
        if columns != self._columns:
            self.beginResetModel()
            self._columns = columns
            self.endResetModel()

    def show_rows(self, count: int, first: int = 0, rows: Sequence[AnswerRow] = ()) -> None:
        """Show other rows: their number, and those from index `first`, a multiple of `BLOCK_SIZE`."""
        self.beginResetModel()
        self._count = count
        self._blocks.clear()
        for start in range(0, len(rows), BLOCK_SIZE):
            self._blocks[(first + start) // BLOCK_SIZE] = rows[start : start + BLOCK_SIZE]
        self.endResetModel()

    def set_block(self, block: int, rows: Sequence[AnswerRow]) -> None:
        """Store and show the rows of a block."""
        self._blocks[block] = rows
        self._blocks.move_to_end(block)
        while len(self._blocks) > _MAX_BLOCKS:
            self._blocks.popitem(last=False)
        self.cells_changed.emit()

    def has_block(self, block: int) -> bool:
        """Whether a block is cached."""
        return block in self._blocks

    def show_order(self, column: Column, *, is_descending: bool) -> None:
        """Say in the headings by which column the rows are sorted."""
        if (column, is_descending) != (self._sorted_by, self._is_descending):
            self._sorted_by, self._is_descending = column, is_descending
            if self._columns:
                self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self._columns) - 1)

    def row(self, row: int) -> AnswerRow | None:
        """The answer in a row; None while its block is being read, or if the row does not exist."""
        if not 0 <= row < self._count:
            return None
        block = self._blocks.get(row // BLOCK_SIZE)
        if block is None:
            self.block_requested.emit(row // BLOCK_SIZE)
            return None
        at = row % BLOCK_SIZE
        return block[at] if at < len(block) else None

    @override
    def row_count(self) -> int:
        return self._count

    @override
    def column_count(self) -> int:
        return len(self._columns)

    @override
    def heading(self, column: int, role: int) -> object:
        shown = self._columns[column]
        match role:
            case Qt.ItemDataRole.TextAlignmentRole if shown.is_number:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            case Qt.ItemDataRole.DisplayRole:
                return shown.title
            case Qt.ItemDataRole.ToolTipRole | Qt.ItemDataRole.AccessibleTextRole:
                return self._heading_in_full(shown)
        return None

    @override
    def value(self, row: int, column: int, role: int) -> object:
        if role not in (CellRole.CELL, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        answer = self.row(row)
        if answer is None:
            return TextCell("…", tone="text3") if role == CellRole.CELL else _("Loading")
        cell = self._cell_of(answer, self._columns[column])
        return cell if role == CellRole.CELL else accessible_text(cell)

    def _heading_in_full(self, column: GridColumn) -> str:
        if column.order != self._sorted_by:
            return column.title
        template = (
            _("{column}, sorted in descending order")
            if self._is_descending
            else _("{column}, sorted in ascending order")
        )
        return template.format(column=column.title)
