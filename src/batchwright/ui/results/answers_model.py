"""The table model of the answers: a row for each participant and task, a column for each question."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.results.answer_table import TaskAnswers
from batchwright.results.questions import AnsweredQuestion
from batchwright.ui.core.formatting import abbreviated_id, short_datetime
from batchwright.ui.results.charts import series_token
from batchwright.ui.widgets.models import TableModel
from batchwright.ui.widgets.tables import Cell, CellRole, TextCell, accessible_text

_BEFORE = 2
"""Columns before those of the questions: participant and task. The time is the last column."""


class AnswersModel(TableModel):
    """The rows and questions that match the filter."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sheets: tuple[TaskAnswers, ...] = ()
        self._questions: tuple[AnsweredQuestion, ...] = ()

    def show_answers(self, sheets: tuple[TaskAnswers, ...], questions: Sequence[AnsweredQuestion]) -> None:
        """Show other rows and questions. Rows are compared by identity only, since there may be very many."""
        if sheets is not self._sheets or tuple(questions) != self._questions:
            self.beginResetModel()
            self._sheets, self._questions = sheets, tuple(questions)
            self.endResetModel()

    def sheet(self, row: int) -> TaskAnswers | None:
        """The answers in a row; None if there is no such row."""
        return self._sheets[row] if 0 <= row < len(self._sheets) else None

    @override
    def row_count(self) -> int:
        return len(self._sheets)

    @override
    def column_count(self) -> int:
        return len(self._questions) + _BEFORE + 1

    @override
    def heading(self, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole and column == self.column_count() - 1:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._head(column)
        return None

    @override
    def value(self, row: int, column: int, role: int) -> object:
        if role not in (CellRole.CELL, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        sheet = self._sheets[row]
        if role == Qt.ItemDataRole.ToolTipRole:
            return {0: sheet.participant, 1: sheet.task_id}.get(column)
        cell = self._cell(sheet, column)
        return cell if role == CellRole.CELL else accessible_text(cell)

    def _head(self, section: int) -> str:
        if section < _BEFORE:
            return (_("Participant"), _("Task"))[section]
        if section == self.column_count() - 1:
            return _("Time")
        return self._questions[section - _BEFORE].title

    def _cell(self, sheet: TaskAnswers, section: int) -> Cell:
        if section == 0:
            tone = "reh" if sheet.is_simulated else "text2"
            return TextCell(abbreviated_id(sheet.participant), tone=tone)
        if section == 1:
            return TextCell(sheet.title or abbreviated_id(sheet.task_id), is_name=True)
        if section == self.column_count() - 1:
            return TextCell(short_datetime(sheet.answered_at), is_number=True, tone="text2")
        answer = sheet.answers.get(self._questions[section - _BEFORE].id)
        if answer is None or not answer.text:
            return TextCell("–", tone="text3")
        words = " ".join(answer.text.split())
        return TextCell(words, marker=series_token(answer.chosen[0]) if answer.chosen else "")
