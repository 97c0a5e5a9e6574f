"""The answers that have been fetched or read, and what is known of all of them together."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from batchwright.analysis.record_titles import RecordTitles, titles_of
from batchwright.analysis.store.answer_query import AnswerColumn, AnswerSummary
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.exclusions import Exclusions
from batchwright.analysis.store.layout_use import LayoutUse
from batchwright.analysis.store.questions import AnalysedQuestion
from batchwright.ui.core.background_tasks import Tasks

MAX_VALUES = 1_001
"""Maximum number of participants, or of values of a field, that are read: one more than filters list."""


@dataclass(frozen=True)
class AnswersOverview:
    """What is known of all answers together."""

    summary: AnswerSummary = AnswerSummary()  # noqa: RUF009 - frozen
    questions: tuple[AnalysedQuestion, ...] = ()
    participants: tuple[str, ...] = ()
    """The participants, sorted; at most `MAX_VALUES`."""
    fields: tuple[str, ...] = ()
    """The dataset's fields of which values are known."""
    new_answers: int = 0
    is_survey: bool = False
    """Whether the answers belong to no record, as those to a collection."""
    layout_use: LayoutUse = LayoutUse()  # noqa: RUF009 - frozen


def read_overview(store: AnswerStore) -> AnswersOverview:
    """Read the overview of a store; call it in a worker thread."""
    return AnswersOverview(
        store.summary(),
        store.questions,
        store.distinct(AnswerColumn.PARTICIPANT, MAX_VALUES),
        store.fields,
        store.new_answers,
        store.is_survey,
        store.layout_use(),
    )


class LoadedAnswers(QObject):
    """A store with answers, which another one replaces, and what was last read from it."""

    replaced = Signal()
    """`store` is another one, possibly with the same answers."""
    cleared = Signal()
    """Other answers are shown, of which none are known yet."""
    content_changed = Signal()
    """Statistics are outdated: all answers are loaded, the values of fields are others, or it was cleared."""
    changed = Signal()
    """The overview, the titles or the exclusions."""

    def __init__(self, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self.store = AnswerStore()
        """All answers. Its methods block: call them in a worker thread."""
        self.overview = AnswersOverview()
        self.titles = RecordTitles()
        self.is_loaded = False
        """Whether all answers were loaded once, so that more are new."""
        self._excluded = self.store, Exclusions()
        """The store and the exclusions in it."""
        self._titles_basis: object = None
        """The store, the records and the numbers of answers from which the titles were created."""

    @property
    def has_answers(self) -> bool:
        """Whether there are answers."""
        return self.overview.summary.answers > 0

    @property
    def is_complete(self) -> bool:
        """Whether all answers that there were when they were fetched or opened are in the store."""
        return self.has_answers and self.is_loaded

    def title_of(self, task: str) -> str:
        """The title of a task's record; empty if nothing is known of it."""
        return self.titles.titles.get(task, "")

    def read_table(self) -> AnswerTable:
        """The answers as a table; call it in a worker thread."""
        return self.store.table()

    def clear(self, store: AnswerStore) -> None:
        """Show other answers, which are being added to a store."""
        self.overview, self.is_loaded = AnswersOverview(), False
        self._replace(store)
        self.cleared.emit()
        self.content_changed.emit()

    async def show_progress(self, store: AnswerStore) -> None:
        """Show the answers that have been added to a store so far, unless all were loaded meanwhile."""
        overview = await asyncio.to_thread(read_overview, store)
        if store is self.store and not self.is_loaded:
            self.overview = overview
            self.changed.emit()

    def show_all(self, store: AnswerStore, overview: AnswersOverview | None) -> None:
        """Show all answers in a store; the overview is None if it has not changed."""
        if store is not self.store:
            self._replace(store)
        self.is_loaded = True
        if overview is not None:
            self.overview = overview
            self.content_changed.emit()
            self.changed.emit()

    async def set_records(
        self, records: Mapping[str, Mapping[str, str]], preferred_fields: tuple[str, ...]
    ) -> None:
        """Add the values of records by task id, and title the tasks by them, preferably by some fields."""
        store = self.store
        if (basis := (store, records, self.overview.summary)) == self._titles_basis:
            return
        self._titles_basis = basis

        def change() -> tuple[RecordTitles, AnswersOverview]:
            if records:
                store.set_fields(records)
            return titles_of(store.task_values(), preferred_fields), read_overview(store)

        titles, overview = await asyncio.to_thread(change)
        if store is self.store:
            self.titles, self.overview = titles, overview
            self.content_changed.emit()
            self.changed.emit()

    def set_exclusions(self, exclusions: Exclusions) -> None:
        """Show which answers are excluded."""
        store = self.store
        if (store, exclusions) == self._excluded:
            return
        self._excluded = store, exclusions

        async def change() -> None:
            await asyncio.to_thread(store.set_exclusions, exclusions)
            if store is self.store:
                self.changed.emit()

        self._tasks.start(f"results exclusions {id(exclusions)}", change)

    async def mark_all_seen(self) -> None:
        """No answer is new any more."""
        store = self.store
        await asyncio.to_thread(store.mark_all_seen)
        if store is self.store:
            self.overview = replace(self.overview, new_answers=0)
            self.changed.emit()

    def _replace(self, store: AnswerStore) -> None:
        replaced: list[object] = [self.store, self.titles]
        self.store, self.titles, self._titles_basis = store, RecordTitles(), None
        self._excluded = store, Exclusions()
        self.replaced.emit()
        self._tasks.start("results release", lambda: asyncio.to_thread(replaced.clear))
