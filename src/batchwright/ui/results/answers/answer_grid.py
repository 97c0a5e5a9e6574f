"""The state of the answer grid: a query and the answers that match it, the selected one, and the new ones."""

import asyncio

from PySide6.QtCore import QObject, Signal

from batchwright.analysis.store.answer_query import AnswerColumn, AnswerQuery, AnswerRow, FieldColumn
from batchwright.analysis.store.answer_store import AnswerRows, AnswerStore
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.results.answers.answers_overview import MAX_VALUES
from batchwright.ui.results.answers.shown_answers import ShownAnswers

_MAX_OTHERS = 200
"""Maximum number of answers of a participant to a task that are read."""


class AnswerGrid(QObject):
    """What the grid shows of the answers; its rows are read again when these change.

    An answer is new if it arrived after all others had been loaded, until the user has looked at it.
    """

    changed = Signal()
    """Another answer is selected, fewer are new, or values of a field are known."""
    same_task_changed = Signal()
    query_changed = Signal()
    rows_changed = Signal()

    def __init__(self, answers: ShownAnswers, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._answers, self._tasks = answers, tasks
        self.query = AnswerQuery()
        self.rows: AnswerRows | None = None
        """The answers that the latest query found; None until the first ones are known."""
        self.field_values: dict[str, tuple[str, ...]] = {}
        """The values of the dataset's fields by which the user filters."""
        self.selected: AnswerRow | None = None
        """The answer that is selected."""
        self.same_task: tuple[AnswerRow, ...] = ()
        """The participant's answers to the task of the selected one, once they are read."""
        self._viewed: set[int] = set()
        """Numbers of the new answers that the user has looked at."""
        self._query_version = 0
        """Incremented by whatever makes running queries outdated."""
        answers.replaced.connect(self._on_store_replaced)
        answers.source_subject.changed.connect(self._on_source_changed)
        answers.answers_changed.connect(self._on_answers_changed)

    @property
    def new_answers(self) -> int:
        """Number of new answers."""
        new = self._answers.overview.new_answers
        return max(0, new - len(self._viewed)) if self._answers.is_loaded else 0

    def is_new(self, row: AnswerRow) -> bool:
        """Whether an answer is new."""
        return row.is_new and self._answers.is_loaded and row.number not in self._viewed

    def set_query(self, query: AnswerQuery) -> None:
        """Show the answers that match a query; it replaces one that is still running."""
        if query != self.query:
            self.query = query
            self.query_changed.emit()
            self._start_query()

    def select(self, row: AnswerRow | None) -> None:
        """Select an answer; it is not new any more."""
        before, self.selected = self.selected, row
        if row is None or before is None or _task_of(row) != _task_of(before):
            self.same_task = ()
        if row is not None and self.is_new(row):
            self._viewed.add(row.number)
            if not self.new_answers:
                self.mark_all_seen()
        if row != before:
            self.changed.emit()
        if row is not None:
            self._tasks.start("results answers to the same task", self._read_same_task)

    def mark_all_seen(self) -> None:
        """No answer is new any more."""
        self._tasks.start("results mark as seen", self._answers.mark_all_seen)

    def request_values(self, field: str) -> None:
        """Read the values of a dataset field for its filter."""
        store = self._answers.answer_store

        async def read() -> None:
            values = await asyncio.to_thread(store.distinct, FieldColumn(field), MAX_VALUES)
            if store is self._answers.answer_store:
                self.field_values = {**self.field_values, field: values}
                self.changed.emit()

        self._tasks.start(f"results values of {field}", read)

    def _start_query(self) -> None:
        """Query the store; only the result of the latest query is used."""
        self._query_version += 1
        version = self._query_version
        self._tasks.start(f"results query {version}", lambda: self._run_query(version))

    async def _run_query(self, version: int) -> None:
        rows = await asyncio.to_thread(self._answers.answer_store.query, self.query)
        if version == self._query_version:
            self._set_rows(rows)

    def _set_rows(self, rows: AnswerRows | None) -> None:
        self.rows = rows
        self.rows_changed.emit()

    async def _read_same_task(self) -> None:
        while (answer := self.selected) is not None:
            found = await asyncio.to_thread(answers_to_same_task, self._answers.answer_store, answer)
            if answer == self.selected:
                if found != self.same_task:
                    self.same_task = found
                    self.same_task_changed.emit()
                return

    def _on_source_changed(self) -> None:
        """Show all of other answers as soon as some are known."""
        self.query = AnswerQuery()
        self.query_changed.emit()

    def _on_store_replaced(self) -> None:
        self._query_version += 1
        self.field_values = {}
        self._viewed.clear()

    def _on_answers_changed(self) -> None:
        if not self._answers.overview.new_answers:
            self._viewed.clear()
        if self._answers.has_answers or self._answers.is_loaded:
            self._start_query()
        else:
            self._set_rows(None)


def answers_to_same_task(store: AnswerStore, answer: AnswerRow) -> tuple[AnswerRow, ...]:
    """The participant's answers to the same task, in the order of the questions; this blocks."""
    query = AnswerQuery(
        participants=(answer.participant,),
        tasks=(answer.task,),
        sort=AnswerColumn.QUESTION,
        is_descending=False,
    )
    return store.query(query).rows(0, _MAX_OTHERS)


def _task_of(answer: AnswerRow) -> tuple[str, str]:
    """The participant and the task, or only the participant of a collection."""
    return answer.participant, answer.task
