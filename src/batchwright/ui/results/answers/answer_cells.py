"""The cells of the answer grid, and its rows as text for the clipboard."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

from batchwright.analysis.store.answer_query import AnswerColumn, AnswerRow, FieldColumn
from batchwright.base.i18n import N_, _
from batchwright.base.local_formats import joined
from batchwright.base.plain_numbers import plain_text
from batchwright.data_files.spreadsheet_cells import safe_cell, tab_separated
from batchwright.ui.core.formatting import abbreviated_id, duration, short_datetime
from batchwright.ui.results.answers.answer_columns import GridColumn
from batchwright.ui.widgets.statuses import Status
from batchwright.ui.widgets.tables.table import Cell, TextCell
from batchwright.wire.local_routes import is_simulated

NEW = Status("question", "plus-circle", N_("New"))

_MAX_CELL_CHARS = 300
"""Characters of a text kept per cell; more are never visible."""
_MISSING = TextCell("–", tone="text3")


_TEXTS: Mapping[AnswerColumn, Callable[[AnswerRow], str]] = {
    AnswerColumn.PARTICIPANT: lambda row: row.participant,
    AnswerColumn.DATAPOINT: lambda row: row.datapoint,
    AnswerColumn.QUESTION: lambda row: row.question.title,
    AnswerColumn.ANSWER: lambda row: row.text,
    AnswerColumn.EXPLANATION: lambda row: _joined(entry.explanation for entry in row.entries),
    AnswerColumn.UNIT: lambda row: _joined(entry.unit for entry in row.entries),
    AnswerColumn.FILE: lambda row: _joined(entry.file_name for entry in row.entries),
    AnswerColumn.EXCLUSION: lambda row: row.exclusion,
    AnswerColumn.PAGE_SECONDS: lambda row: "" if row.page_seconds is None else plain_text(row.page_seconds),
    AnswerColumn.ANSWERED_AT: lambda row: "" if row.answered_at is None else row.answered_at.isoformat(),
}
"""The complete texts of columns that depend on the row only."""


class AnswerCells:
    """Creates the cells of rows; tasks are shown by their titles.

    Args:
        is_new: returns whether an answer is shown as new.
        title_of: returns the title of a task; empty if it has none.
    """

    def __init__(self, is_new: Callable[[AnswerRow], bool], title_of: Callable[[str], str]) -> None:
        self._is_new, self._title_of = is_new, title_of

    def cell(self, row: AnswerRow, column: GridColumn) -> Cell:
        """The cell of a row in a column."""
        if column.column is AnswerColumn.IS_NEW:
            return NEW if self._is_new(row) else TextCell("")
        text = _line(self._short_text(row, column))
        if not text:
            return _MISSING
        is_name, tone = column.column is AnswerColumn.ANSWER, "text2"
        if column.column is AnswerColumn.PARTICIPANT:
            tone = "reh" if is_simulated(row.participant) else "text2"
        elif column.column in (AnswerColumn.ANSWER, AnswerColumn.TASK):
            tone = "text"
        elif column.column is AnswerColumn.EXCLUSION:
            tone = "warn"
        if row.exclusion and column.column is not AnswerColumn.EXCLUSION:
            return TextCell(text, tone="text3", is_number=column.is_number)
        return TextCell(text, tone=tone, is_name=is_name, is_number=column.is_number)

    def text(self, row: AnswerRow, column: GridColumn) -> str:
        """The complete text of a row in a column, for the clipboard."""
        match column.column:
            case FieldColumn(name):
                return row.fields.get(name, "")
            case AnswerColumn.IS_NEW:
                return _("New") if self._is_new(row) else ""
            case AnswerColumn.TASK:
                return self._title_of(row.task) or row.task
        return _TEXTS[column.column](row)

    def as_tsv(self, rows: Iterable[AnswerRow], columns: Sequence[GridColumn], *, with_headings: bool) -> str:
        """Rows as tab-separated lines that are safe to paste into a spreadsheet.

        Tabs and line breaks within a value become spaces.
        """
        lines = ([self.text(row, column) for column in columns] for row in rows)
        headings = [[column.title for column in columns]] if with_headings else []
        return tab_separated(
            (safe_cell(" ".join(text.split())) for text in line) for line in chain(headings, lines)
        )

    def _short_text(self, row: AnswerRow, column: GridColumn) -> str:
        """The text of a cell, where that is shorter than the complete text."""
        match column.column:
            case AnswerColumn.PARTICIPANT:
                return abbreviated_id(row.participant)
            case AnswerColumn.TASK:
                return self._title_of(row.task) or abbreviated_id(row.task)
            case AnswerColumn.DATAPOINT:
                return abbreviated_id(row.datapoint)
            case AnswerColumn.ANSWERED_AT:
                return short_datetime(row.answered_at)
            case AnswerColumn.PAGE_SECONDS:
                return "" if row.page_seconds is None else duration(row.page_seconds)
        return self.text(row, column)


def _line(text: str) -> str:
    """The start of a text, in one line."""
    return " ".join(text[:_MAX_CELL_CHARS].split())


def _joined(texts: Iterable[str | None]) -> str:
    return joined(text for text in texts if text)
