"""The model of the answer grid; blocks of rows are read as they scroll into view."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, Signal
from typing_extensions import override

from batchwright.analysis.store.answer_query import AnswerRow, Column
from batchwright.analysis.store.answer_store import AnswerRows
from batchwright.base.i18n import _
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.results.answers.answer_columns import GridColumn
from batchwright.ui.widgets.tables.models import TableModel
from batchwright.ui.widgets.tables.table import Cell, CellRole, TextCell, accessible_text

BLOCK_SIZE = 128
"""Rows per block."""

_MAX_BLOCKS = 32
"""Blocks cached."""
_MAX_REQUESTED = 8
"""Maximum number of blocks to read; those that were scrolled past are not read."""

CellOf = Callable[[AnswerRow, GridColumn], Cell]
"""Returns the cell of a row in a column."""


class AnswersModel(TableModel):
    """The rows that a query found; a row whose block has not been read has placeholders."""

    cells_changed = Signal()
    """Cells must be painted again. For `dataChanged`, views ask for every index in its range, one by one."""

    def __init__(self, cell_of: CellOf, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cell_of, self._tasks = cell_of, tasks
        self.columns: tuple[GridColumn, ...] = ()
        """The columns that are shown."""
        self.rows: AnswerRows | None = None
        """The rows that are shown; None while none are known."""
        self._blocks: OrderedDict[int, Sequence[AnswerRow]] = OrderedDict()
        self._requested: list[int] = []
        """Blocks to read, the latest last."""
        self.sorted_by: Column | None = None
        """The column by which the rows are sorted."""
        self.is_descending = False

    def show_columns(self, columns: tuple[GridColumn, ...]) -> None:
        """Show other columns."""
        self.beginResetModel()
        self.columns = columns
        self.endResetModel()

    def show_rows(self, rows: AnswerRows | None, first: int = 0, read: Sequence[AnswerRow] = ()) -> None:
        """Show other rows, of which those from index `first`, a multiple of `BLOCK_SIZE`, have been read."""
        self.beginResetModel()
        self.rows = rows
        self._blocks.clear()
        self._requested.clear()
        for start in range(0, len(read), BLOCK_SIZE):
            self._blocks[(first + start) // BLOCK_SIZE] = read[start : start + BLOCK_SIZE]
        self.endResetModel()

    def show_order(self, column: Column, *, is_descending: bool) -> None:
        """Say in the headings by which column the rows are sorted."""
        if (column, is_descending) != (self.sorted_by, self.is_descending):
            self.sorted_by, self.is_descending = column, is_descending
            if self.columns:
                self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def row(self, index: int) -> AnswerRow | None:
        """The answer in a row; None while its block is being read, or if the row does not exist."""
        if not 0 <= index < self.row_count():
            return None
        block, at = divmod(index, BLOCK_SIZE)
        if block not in self._blocks:
            self._requested = [*(each for each in self._requested if each != block), block][-_MAX_REQUESTED:]
            self._tasks.start("results read rows", self._read_blocks)
            return None
        rows = self._blocks[block]
        return rows[at] if at < len(rows) else None

    async def _read_blocks(self) -> None:
        """Read the blocks that are needed, the latest first."""
        while self._requested and self.rows is not None:
            rows, block = self.rows, self._requested.pop()
            if block in self._blocks:
                continue
            read = await asyncio.to_thread(rows.rows, block * BLOCK_SIZE, BLOCK_SIZE)
            if rows is self.rows:
                self._blocks[block] = read
                if len(self._blocks) > _MAX_BLOCKS:
                    self._blocks.popitem(last=False)
                self.cells_changed.emit()

    @override
    def row_count(self) -> int:
        return 0 if self.rows is None else self.rows.count

    @override
    def column_count(self) -> int:
        return len(self.columns)

    @override
    def heading(self, column: int, role: int) -> object:
        shown = self.columns[column]
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
        cell = self._cell_of(answer, self.columns[column])
        return cell if role == CellRole.CELL else accessible_text(cell)

    def _heading_in_full(self, column: GridColumn) -> str:
        if column.order != self.sorted_by:
            return column.title
        template = (
            _("{column}, sorted in descending order")
            if self.is_descending
            else _("{column}, sorted in ascending order")
        )
        return template.format(column=column.title)
