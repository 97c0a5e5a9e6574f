"""The selected answer in full: its record, and the participant's other answers to the same task."""

import asyncio
from dataclasses import replace

from PySide6.QtCore import QObject

from batchwright.analysis.store.answer_query import AnswerColumn, AnswerQuery, AnswerRow
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.base.i18n import _
from batchwright.ui.results.answers.answer_detail import AnswerDetail, AnswerDetailPanel
from batchwright.ui.results.answers.answers_model import AnswersModel
from batchwright.ui.results.answers.answers_table import AnswersTable
from batchwright.ui.results.answers.table_rows import TableRows
from batchwright.ui.results.state import ResultsState
from batchwright.ui.study.answered_record import AnsweredRecord
from batchwright.wire.local_routes import is_simulated

_MAX_OTHERS = 200
"""Maximum number of answers of a participant to a task that are shown."""


class SelectedAnswer(QObject):
    """Shows the selected answer in the detail panel, which is hidden while none is selected."""

    def __init__(
        self,
        state: ResultsState,
        table: AnswersTable,
        model: AnswersModel,
        rows: TableRows,
        detail: AnswerDetailPanel,
    ) -> None:
        super().__init__(detail)
        self._state, self._table, self._model, self._rows = state, table, model, rows
        self._detail = detail
        detail.hide()
        table.selection_changed.connect(self._on_selection_changed)
        rows.changed.connect(self._on_selection_changed)
        state.records.report_searched.connect(self._refresh_detail)

    def _on_selection_changed(self) -> None:
        index = self._table.selected_row()
        row = None if index is None else self._model.row(index)
        if index is not None and row is None:
            self._state.tasks.start("results read selected", self._read_selected)
            return
        self._state.list.select(row)
        self._refresh_detail()

    async def _read_selected(self) -> None:
        while (index := self._table.selected_row()) is not None and self._rows.rows is not None:
            row = await self._rows.read(index)
            if row is not None and index == self._table.selected_row():
                self._state.list.select(row)
                self._refresh_detail()
                return

    def _refresh_detail(self) -> None:
        """Show everything that is known about the selected answer."""
        state, answer = self._state, self._state.list.selected
        self._detail.setVisible(answer is not None)
        if answer is None:
            return
        shown = self._detail.shown
        is_same_task = shown is not None and _task_of(shown.answer) == _task_of(answer)
        others = shown.others if shown is not None and is_same_task else ()
        title, record = state.answers.title_of(answer.task), state.records.find(answer.task)
        is_finding = state.records.is_finding(answer.task)
        self._detail.show_detail(AnswerDetail(answer, others, title, record, is_finding))
        state.tasks.start("results other answers", self._read_others)

    async def _read_others(self) -> None:
        """Add the participant's other answers to the task."""
        while (shown := self._detail.shown) is not None:
            store = self._state.answers.store
            others = await asyncio.to_thread(_answers_to_task, store, shown.answer)
            now = self._detail.shown
            if now is not None and now.answer == shown.answer:
                self._detail.show_detail(replace(now, others=others))
                return


async def answered_record(state: ResultsState, answer: AnswerRow) -> AnsweredRecord:
    """Find what the participant saw: the layout, the record, and the answers to its task."""
    answers = await asyncio.to_thread(_answers_to_task, state.answers.store, answer)
    other, study = state.source.other, state.study
    who = (
        _("Answers of simulated participant {id}")
        if is_simulated(answer.participant)
        else _("Answers of participant {id}")
    )
    record = state.records.find(answer.task) or answer.fields
    return AnsweredRecord(
        study.details.task_name or study.project.name if other is None else other.name,
        state.layout_of(answer),
        study.schema if other is None else None,
        dict(record) if answer.task else None,
        answer.question.instruction_id,
        who.format(id=answer.participant),
        {each.question.instruction_id: each.entries for each in answers},
    )


def _task_of(answer: AnswerRow) -> tuple[str, str]:
    """The participant and the task, or only the participant of a collection."""
    return answer.participant, answer.task


def _answers_to_task(store: AnswerStore, answer: AnswerRow) -> tuple[AnswerRow, ...]:
    """The participant's answers to the same task, in the order of the questions."""
    query = AnswerQuery(
        participants=(answer.participant,),
        tasks=(answer.task,),
        sort=AnswerColumn.QUESTION,
        is_descending=False,
    )
    return store.query(query).rows(0, _MAX_OTHERS)
