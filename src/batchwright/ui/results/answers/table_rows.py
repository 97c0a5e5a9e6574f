"""Puts the rows of a query into the table of answers, and reads them as they scroll into view.

When the rows of another query or newer ones take their place, what was visible and selected is so again.
"""

import asyncio
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from batchwright.analysis.store.answer_query import AnswerQuery, AnswerRow
from batchwright.analysis.store.answer_store import AnswerRows
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.results.answers.answer_columns import GridColumn
from batchwright.ui.results.answers.answer_list import AnswerList
from batchwright.ui.results.answers.answers_model import BLOCK_SIZE, AnswersModel
from batchwright.ui.results.answers.answers_table import AnswersTable

_MAX_RESTORED = 100
"""Maximum number of selected rows that stay selected while answers arrive."""
_MAX_REQUESTED = 8
"""Maximum number of blocks to read; those that were scrolled past are not read."""


@dataclass(frozen=True)
class _View:
    """What the user sees of the rows, by numbers of answers, to show the same of other rows."""

    top: int | None = None
    """The first visible answer; None if the table is scrolled to its start."""
    offset: int = 0
    """Pixels of it that are above the visible part."""
    selected: tuple[int, ...] = ()
    current: int | None = None


@dataclass(frozen=True)
class _PlacedView:
    """A view as indexes of rows, and the rows around the first visible one."""

    top: int = 0
    selected: tuple[int, ...] = ()
    current: int | None = None
    first: int = 0
    """Index of the first of `rows`."""
    rows: tuple[AnswerRow, ...] = ()


class TableRows(QObject):
    """The rows that are in the table; they follow those of an `AnswerList`."""

    changed = Signal()
    """Other rows are in the table, or none."""

    def __init__(
        self, answers: AnswerList, model: AnswersModel, table: AnswersTable, tasks: Tasks, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._answers, self._model, self._table, self._tasks = answers, model, table, tasks
        self.rows: AnswerRows | None = None
        """The rows in the table; None while none are known."""
        self.query: AnswerQuery | None = None
        """The query that found them."""
        self._requested_blocks: list[int] = []
        """Blocks that are needed, the latest last."""
        model.block_requested.connect(self._on_block_requested)
        answers.rows_changed.connect(self._on_rows_changed)

    def show_columns(self, columns: tuple[GridColumn, ...]) -> None:
        """Show other columns; selection and scroll position stay."""
        current, scroll = self._table.currentIndex().row(), self._table.verticalScrollBar().value()
        selected = self._selected_indexes()
        self._model.show_columns(columns)
        self._table.select_rows(selected, current if current >= 0 else None)
        self._table.scroll_to_pixel(scroll)

    async def read(self, index: int) -> AnswerRow | None:
        """Read a row; None if other rows are in the table meanwhile."""
        shown = self.rows
        rows = () if shown is None else await asyncio.to_thread(shown.rows, index, 1)
        return rows[0] if rows and shown is self.rows else None

    def _on_rows_changed(self) -> None:
        """Show the rows; those that were visible or selected are so again, as far as they still match."""
        rows, query = self._answers.rows, self._answers.query
        if rows is None:
            self.rows = self.query = None
            self._model.show_rows(0)
            self._table.clearSelection()
            self.changed.emit()
            return
        view = self._view()
        if query != self.query:
            view = replace(view, top=None)

        async def place() -> None:
            placed = await asyncio.to_thread(_place, rows, view)
            if rows is self._answers.rows:
                self.rows, self.query = rows, query
                self._show_placed(rows, placed, view.offset)

        self._tasks.start(f"results place rows {id(rows)}", place)

    def _show_placed(self, rows: AnswerRows, placed: _PlacedView, offset: int) -> None:
        self._model.show_rows(rows.count, placed.first, placed.rows)
        self._table.select_rows(placed.selected, placed.current)
        self._table.scroll_to_pixel(placed.top * self._table.row_height + offset)
        self.changed.emit()

    def _view(self) -> _View:
        """What is visible and selected now."""
        if self.rows is None:
            return _View()
        rows, scroll = self.rows, self._table.verticalScrollBar().value()
        top, offset = divmod(scroll, self._table.row_height)
        current = self._table.currentIndex().row()
        return _View(
            rows.number_at(top) if scroll else None,
            offset if scroll else 0,
            tuple(map(rows.number_at, self._selected_indexes())),
            rows.number_at(current) if current >= 0 else None,
        )

    def _selected_indexes(self) -> list[int]:
        """The indexes of the first selected rows."""
        ranges = self._table.selected_ranges()
        return [index for part in ranges for index in part[:_MAX_RESTORED]][:_MAX_RESTORED]

    def _on_block_requested(self, block: int) -> None:
        if block in self._requested_blocks:
            self._requested_blocks.remove(block)
        self._requested_blocks = [*self._requested_blocks[1 - _MAX_REQUESTED :], block]
        self._tasks.start("results read rows", self._read_blocks)

    async def _read_blocks(self) -> None:
        """Read the blocks that are needed, the latest first."""
        while self._requested_blocks and self.rows is not None:
            shown, block = self.rows, self._requested_blocks.pop()
            if not self._model.has_block(block):
                rows = await asyncio.to_thread(shown.rows, block * BLOCK_SIZE, BLOCK_SIZE)
                if shown is self.rows:
                    self._model.set_block(block, rows)


def _place(rows: AnswerRows, view: _View) -> _PlacedView:
    """Find the answers of a view among other rows, and read the rows around the first visible one."""
    top = 0 if view.top is None else rows.index_of(view.top) or 0
    selected = tuple(index for number in view.selected if (index := rows.index_of(number)) is not None)
    current = None if view.current is None else rows.index_of(view.current)
    first = top // BLOCK_SIZE * BLOCK_SIZE
    return _PlacedView(top, selected, current, first, rows.rows(first, 2 * BLOCK_SIZE))
