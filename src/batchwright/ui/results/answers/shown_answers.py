"""The answers that Results shows: fetched from a service while some may arrive, or read from a file."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain

from PySide6.QtCore import QObject, QTimer, Signal
from typing_extensions import override

from batchwright.analysis.record_titles import RecordTitles, titles_of
from batchwright.analysis.store.answer_query import AnswerRow
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.exclusions import Exclusions
from batchwright.client.context import WorkflowContext
from batchwright.layout.model import Layout
from batchwright.schema.model import FieldType
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.remote_state import RemoteState
from batchwright.ui.core.subject import Subject
from batchwright.ui.results.answers.answers_overview import AnswersOverview, read_overview
from batchwright.ui.results.answers.shown_source import ShownSource
from batchwright.ui.study.answers_source import AnswersFile
from batchwright.workflows.answers.joined_languages import language_field, with_languages
from batchwright.workflows.answers.update_answers import NEWEST, FetchedAnswers, update_answers

_POLL_MS, _LIVE_POLL_MS = 5_000, 30_000
"""Milliseconds between two fetches while answers arrive: on this computer, and at a hosted service."""
_FILE_PROGRESS_S = 0.5
"""Seconds after which more answers are shown for the first time while a file is being read."""
_PAUSE_GROWTH = 1.5
"""How many times longer each pause is than the one before: more answers take longer to count and sort."""


@dataclass(frozen=True)
class _Loaded:
    """All answers of a fetch, until they are shown."""

    store: AnswerStore
    overview: AnswersOverview | None
    """None if no answer is new, and the questions are the same."""


class ShownAnswers(RemoteState[FetchedAnswers | None]):
    """A store with the answers of the shown source, and what was last read from it.

    `value` is what was fetched beside the answers; None for a file, and if the service does not have the
    batch or collection any more.
    """

    replaced = Signal()
    """`answer_store` is another one, possibly with the same answers."""
    answers_changed = Signal()
    """The overview, the titles or the exclusions."""
    content_changed = Signal()
    """Statistics are outdated: all answers are loaded, the values of fields are others, or there are none."""
    loaded = Signal(bool)
    """All answers are loaded; the argument is whether the report may have changed, too."""

    def __init__(self, source: ShownSource, tasks: Tasks, parent: QObject) -> None:
        session, study = source.session, source.study
        signals = session.changed, study.changed, study.saved_changed, source.selection.changed
        self.source_subject = Subject(
            lambda: source.file or source.all_at_connection, *signals, parent=parent
        )
        """The file, or the batch or collection at its connection; None while there is neither."""
        remote = Subject(lambda: source.all_at_connection, *signals, parent=parent)
        super().__init__("the answers", remote, self._fetch_answers, session, tasks, parent)
        self.source = source
        self.answer_store = AnswerStore()
        """All answers. Its methods block: call them in a worker thread."""
        self.overview = AnswersOverview()
        self.titles = RecordTitles()
        self.is_loaded = False
        """Whether all answers were loaded once, so that more are new."""
        self._excluded = self.answer_store, Exclusions()
        """The store and the exclusions in it."""
        self._titles_basis: object = None
        """The store, the records and the numbers of answers from which the titles were created."""
        self._language_field = ""
        """The field with the language of each task; empty while answers in one language are shown."""
        self._latest: _Loaded | None = None
        self._fetches_all = False
        """Whether the next fetch requests all answers, and the report is read again after it."""
        self._requested = 0
        """How many answers were requested since all were."""
        self._poll_timer = QTimer(self)
        self._poll_timer.timeout.connect(self.poll)
        self.fetched.connect(self._on_fetched)
        self.source_subject.changed.connect(self._on_source_changed)

    @property
    def has_answers(self) -> bool:
        """Whether there are answers."""
        return self.overview.summary.answers > 0

    @property
    def is_complete(self) -> bool:
        """Whether all answers that there were when they were fetched or opened are in the store."""
        return self.has_answers and self.is_loaded

    @property
    def awaits_first(self) -> bool:
        """Whether the answers are being fetched or read and none are known yet."""
        return (self.is_loading or self.source.file is not None) and not self.has_answers

    @property
    def total_tasks(self) -> int:
        """Number of tasks of the batch as it was last fetched; 0 for a collection."""
        return self.value.total_tasks if self.value is not None else 0

    @property
    def languages(self) -> Mapping[str, str]:
        """The language in which each task was shown, if answers in several languages are shown together."""
        return self.value.languages if self.value is not None else {}

    @property
    def lacks_list(self) -> bool:
        """Whether the service does not offer the answers of collections as a list."""
        return self.value is not None and not self.value.has_list

    def title_of(self, task: str) -> str:
        """The title of a task's record; empty if nothing is known of it."""
        return self.titles.titles.get(task, "")

    def layout_of(self, answer: AnswerRow) -> Layout:
        """The layout that an answer was given to, with its ids; empty if it is not known."""
        if self.source.file is not None:
            return self.source.file.layout
        layouts = self.value.layouts.get(self.languages.get(answer.task, "")) if self.value else None
        return Layout() if layouts is None else layouts.at(answer.answered_at)

    def record_values(self, store: AnswerStore) -> dict[str, dict[str, str]]:
        """What is known of the record of each task; call it in a worker thread."""
        values = store.task_values()
        for of_task in values.values():
            of_task.pop(self._language_field, None)
        return values

    def read_table(self) -> AnswerTable:
        """The answers as a table; call it in a worker thread."""
        return self.answer_store.table()

    @override
    def refresh(self, *, may_prompt: bool = False) -> None:
        """Fetch the answers again.

        Args:
            may_prompt: the user requested it: a token may be asked for, and the report is read again, too.
        """
        self._fetches_all |= may_prompt
        super().refresh(may_prompt=may_prompt)

    def set_active(self, *, is_active: bool) -> None:
        """While the stage is visible, fetch the answers, and new ones as long as some may arrive."""
        self.is_active = is_active
        if is_active:
            self.refresh()
            self._poll_timer.start(_LIVE_POLL_MS if self._session.is_live else _POLL_MS)
        else:
            self._poll_timer.stop()

    def poll(self) -> None:
        """Fetch new answers if some may have arrived."""
        if self.value is not None and self.value.is_collecting and not self.needs_sign_in:
            self.refresh()

    def clear_answers(self, store: AnswerStore) -> None:
        """Show other answers, which are being added to a store."""
        self.overview, self.is_loaded = AnswersOverview(), False
        self._replace(store)
        self.content_changed.emit()
        self.answers_changed.emit()

    async def set_records(self, records: Mapping[str, Mapping[str, str]]) -> None:
        """Add the values of records by task id, and title the tasks by them.

        Text fields, which participants read, are preferred.
        """
        store, schema = self.answer_store, self.source.study.schema if self.source.other is None else None
        languages = self.languages
        if (basis := (store, records, self.overview.summary, languages)) == self._titles_basis:
            return
        self._titles_basis = basis
        fields = schema.fields if schema else {}
        texts = tuple(name for name, field in fields.items() if field.type is FieldType.TEXT)
        if languages and not self._language_field:
            of_answers = await asyncio.to_thread(lambda: tuple(store.fields))
            if store is not self.answer_store:
                return
            names = {*fields, *of_answers, *chain.from_iterable(records.values())}
            self._language_field = self._language_field or language_field(names)
        of_language = self._language_field

        def change() -> tuple[RecordTitles, AnswersOverview]:
            if languages:
                known = {**store.task_values(), **records}
                store.set_fields(with_languages(known, languages, of_language))
            elif records:
                store.set_fields(records)
            return titles_of(self.record_values(store), texts), read_overview(store)

        titles, overview = await asyncio.to_thread(change)
        if store is self.answer_store:
            self.titles, self.overview = titles, overview
            self.content_changed.emit()
            self.answers_changed.emit()

    def set_exclusions(self, exclusions: Exclusions) -> None:
        """Show which answers are excluded."""
        store = self.answer_store
        if (store, exclusions) == self._excluded:
            return
        self._excluded = store, exclusions
        self._tasks.start("results exclusions", self._mark_excluded)

    async def _mark_excluded(self) -> None:
        """Store which answers are excluded, until that is the latest."""
        marked: tuple[AnswerStore, Exclusions] | None = None
        while self._excluded != marked:
            store, exclusions = marked = self._excluded
            await asyncio.to_thread(store.set_exclusions, exclusions.in_words)
            if store is self.answer_store:
                self.answers_changed.emit()

    async def mark_all_seen(self) -> None:
        """No answer is new any more."""
        store = self.answer_store
        await asyncio.to_thread(store.mark_all_seen)
        if store is self.answer_store:
            self.overview = replace(self.overview, new_answers=0)
            self.answers_changed.emit()

    async def _fetch_answers(self, context: WorkflowContext) -> FetchedAnswers | None:
        """Fetch the answers; None if the service does not have the batch or collection any more."""
        remote_study, store, is_first = self.source.remote_study, self.answer_store, not self.is_loaded
        self._latest, joined = None, self.source.joined
        if remote_study is None:
            return None
        loop, before = asyncio.get_running_loop(), self.overview

        def on_progress() -> None:
            if is_first:
                store.mark_all_seen()
                loop.call_soon_threadsafe(self._on_progress, store)

        async def update(*, only_newest: bool) -> FetchedAnswers | None:
            return await update_answers(
                context,
                remote_study,
                store,
                only_newest=only_newest,
                joined=joined,
                languages=self.languages,
                on_progress=on_progress,
            )

        # An answer that is not among the newest may be changed: all are requested at times, for at most
        # twice the traffic.
        is_due = NEWEST < before.summary.answers <= self._requested
        only_newest = not (is_first or self._fetches_all or is_due)
        self._requested = self._requested + NEWEST if only_newest else 0
        fetched = await update(only_newest=only_newest)
        if only_newest and self._fetches_all:  # requested meanwhile
            fetched = await update(only_newest=False)
        if fetched is not None and fetched.is_outdated:
            store = await asyncio.to_thread(AnswerStore)
            fetched = await update_answers(context, remote_study, store, only_newest=False, joined=joined)
            is_first = True
        if fetched is None:
            return None
        if is_first:
            await asyncio.to_thread(store.mark_all_seen)
        overview = await asyncio.to_thread(read_overview, store)
        is_same = overview == before and store is self.answer_store and not is_first
        self._latest = _Loaded(store, None if is_same else overview)
        return fetched

    def _on_progress(self, store: AnswerStore) -> None:
        self._tasks.start("results progress", lambda: self._show_progress(store))

    def _on_fetched(self) -> None:
        latest, self._latest = self._latest, None
        if latest is None:
            self.clear_answers(AnswerStore())
            return
        self._show_all(latest, may_have_new_report=latest.overview is not None or self._fetches_all)
        self._fetches_all = False

    def _on_source_changed(self) -> None:
        """Show other answers; those of a batch or collection are fetched while the stage is visible."""
        file = self.source.file
        self.clear_answers(AnswerStore() if file is None else file.store)
        if file is not None:
            self._tasks.start(f"results file {id(file)}", lambda: self._show_file(file))

    async def _show_file(self, file: AnswersFile) -> None:
        """Show the answers in a file, also while it is being read."""
        pause = _FILE_PROGRESS_S
        while file is self.source.file and not file.reading.done():
            await self._show_progress(file.store)
            await asyncio.wait({file.reading}, timeout=pause)
            pause *= _PAUSE_GROWTH
        overview = await asyncio.to_thread(read_overview, file.store)
        if file is self.source.file:
            self._show_all(_Loaded(file.store, overview), may_have_new_report=False)

    async def _show_progress(self, store: AnswerStore) -> None:
        """Show the answers that have been added to a store so far, unless all were loaded meanwhile."""
        overview = await asyncio.to_thread(read_overview, store)
        if store is self.answer_store and not self.is_loaded:
            self.overview = overview
            self.answers_changed.emit()

    def _show_all(self, loaded: _Loaded, *, may_have_new_report: bool) -> None:
        if loaded.store is not self.answer_store:
            self._replace(loaded.store)
        self.is_loaded = True
        if loaded.overview is not None:
            self.overview = loaded.overview
            self.content_changed.emit()
            self.answers_changed.emit()
        self.loaded.emit(may_have_new_report)

    def _replace(self, store: AnswerStore) -> None:
        replaced: list[object] = [self.answer_store, self.titles]
        self.answer_store, self.titles, self._titles_basis = store, RecordTitles(), None
        self._excluded, self._language_field = (store, Exclusions()), ""
        self.replaced.emit()
        self._tasks.start("results release", lambda: asyncio.to_thread(replaced.clear))
