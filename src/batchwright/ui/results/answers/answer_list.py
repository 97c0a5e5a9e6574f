"""The answers that match a query, in its order, and the selected one."""

import asyncio

from PySide6.QtCore import QObject, Signal

from batchwright.analysis.store.answer_query import AnswerQuery, AnswerRow, FieldColumn
from batchwright.analysis.store.answer_store import AnswerRows
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.results.answers.loaded_answers import MAX_VALUES, LoadedAnswers
from batchwright.ui.results.answers.new_answers import NewAnswers


class AnswerList(QObject):
    """A query and its rows, which are read again when the answers change."""

    changed = Signal()
    """Another answer is selected, or values of a field are known."""
    query_changed = Signal()
    rows_changed = Signal()
    """`rows` has the answers that match the query."""
    record_requested = Signal()
    """The record of the selected answer is to be shown as the participant saw it."""

    def __init__(self, answers: LoadedAnswers, new: NewAnswers, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._answers, self._new, self._tasks = answers, new, tasks
        self.query = AnswerQuery()
        self.rows: AnswerRows | None = None
        """The answers that match the query; None until the first ones are known."""
        self.field_values: dict[str, tuple[str, ...]] = {}
        """The values of the dataset's fields by which the user filters."""
        self.selected: AnswerRow | None = None
        """The answer that is selected in the grid."""
        self._query_version = 0
        """Incremented by whatever makes running queries outdated."""
        answers.replaced.connect(self._on_store_replaced)
        answers.cleared.connect(self.rows_changed)
        answers.changed.connect(self._start_query)

    def set_query(self, query: AnswerQuery) -> None:
        """Show the answers that match a query; it replaces one that is still running."""
        if query != self.query:
            self.query = query
            self.query_changed.emit()
            self._start_query()

    def clear_query(self) -> None:
        """Show all of other answers as soon as some are known."""
        self.query = AnswerQuery()
        self.query_changed.emit()

    def select(self, row: AnswerRow | None) -> None:
        """Store which answer is selected; it is not new any more."""
        if row != self.selected:
            self.selected = row
            self.changed.emit()
        if row is not None:
            self._new.mark_viewed(row)

    def request_values(self, field: str) -> None:
        """Read the values of a dataset field for its filter."""
        store = self._answers.store

        async def read() -> None:
            values = await asyncio.to_thread(store.distinct, FieldColumn(field), MAX_VALUES)
            if store is self._answers.store:
                self.field_values = {**self.field_values, field: values}
                self.changed.emit()

        self._tasks.start(f"results values of {field}", read)

    def _start_query(self) -> None:
        """Query the store; only the result of the latest query is used."""
        self._query_version += 1
        version = self._query_version
        self._tasks.start(f"results query {version}", lambda: self._run_query(version))

    async def _run_query(self, version: int) -> None:
        store, query = self._answers.store, self.query
        rows = await asyncio.to_thread(store.query, query)
        if version == self._query_version:
            self.rows = rows
            self.rows_changed.emit()

    def _on_store_replaced(self) -> None:
        self._query_version += 1
        self.rows, self.field_values = None, {}
