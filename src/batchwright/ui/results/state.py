"""The state of the Results stage: the answers of a batch, as a store and as rows of a query. No widgets."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer, Signal

from batchwright.analysis.answer_query import (
    AnswerColumn,
    AnswerQuery,
    AnswerRow,
    AnswerSummary,
    FieldColumn,
)
from batchwright.analysis.answer_store import AnswerRows, AnswerStore
from batchwright.analysis.answer_table import AnswerTable
from batchwright.analysis.exclusions import Exclusions
from batchwright.analysis.questions import AnalysedQuestion
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import none_if_missing
from batchwright.client.remote_study import RemoteStudy
from batchwright.layout.model import Layout
from batchwright.local.projects import StudyKind
from batchwright.results.titles import RecordTitles, titles_of
from batchwright.schema.model import FieldType
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.operations import OperationRunner
from batchwright.ui.core.remote_state import RemoteState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject
from batchwright.ui.results.records import RecordSearch, ShownAnswers
from batchwright.ui.study.answers_source import AnswersFile, AnswersSource, OtherSource
from batchwright.ui.study.study_model import Study
from batchwright.workflows.update_answers import FetchedAnswers, update_answers

MAX_VALUES = 1_001
"""Maximum number of participants, or of values of a field, that are read: one more than filters list."""

_POLL_MS, _LIVE_POLL_MS = 5_000, 30_000
"""Milliseconds between two fetches while answers arrive: on this computer, and at a hosted service."""
_FILE_PROGRESS_S = 0.5
"""Seconds after which more answers are shown while a file is being read."""


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


@dataclass(frozen=True)
class _Fetched:
    """What a fetch has changed, until `ResultsState` uses it."""

    store: AnswerStore
    overview: AnswersOverview | None
    """None if no answer is new, and the questions are the same."""


class ResultsState(QObject):
    """The answers of a batch at the current connection, and the downloads of the window.

    The batch is that of the study, or another one of the workspace that was selected in Run (`source`).
    """

    changed = Signal()
    answers_changed = Signal()
    """Answers, questions, exclusions or values of the dataset's fields have changed."""
    query_changed = Signal()
    rows_changed = Signal()
    """`rows` has the answers that match the query."""
    selected_changed = Signal()
    record_requested = Signal()
    """The record of the selected answer is to be shown as the participant saw it."""

    def __init__(
        self,
        study: Study,
        session: ConnectionSession,
        tasks: Tasks,
        parent: QObject | None = None,
        *,
        source: AnswersSource | None = None,
    ) -> None:
        super().__init__(parent)
        self.study, self.session, self.tasks = study, session, tasks
        self._source, self._opening = source or AnswersSource(self), study.opening
        self._file = self._source.file
        self.store = AnswerStore()
        """All answers. Its methods block: call them in a worker thread."""
        self.overview, self.titles = AnswersOverview(), RecordTitles()
        self.query = AnswerQuery()
        self.rows: AnswerRows | None = None
        """The answers that match the query; None until the first ones are known."""
        self.field_values: dict[str, tuple[str, ...]] = {}
        """The values of the dataset's fields by which the user filters."""
        self.selected: AnswerRow | None = None
        """The answer that is selected in the grid."""
        self._query_version = 0
        """Incremented by whatever makes running queries outdated."""
        self._viewed: set[int] = set()
        """Numbers of the new answers that the user has looked at."""
        self._is_loaded = False
        """Whether the answers were fetched once, so that more are new."""
        self._excluded = self.store, Exclusions()
        """The store and the exclusions in it."""
        self._titles_basis: object = None
        """The store, the records and the numbers of answers from which the titles were created."""
        self._fetched: _Fetched | None = None
        self._fetches_all = False
        """Whether the next fetch requests all answers, and the report is read again after it."""
        self.records = RecordSearch(self._find_shown, self._show_records, session, tasks, self)
        self.operations = OperationRunner(Subject(lambda: "window", parent=self), session, tasks, self)
        """Downloads: they belong to the window, regardless of the open study, and run one at a time."""
        self._poll_timer = QTimer(self)
        self._poll_timer.timeout.connect(self._poll)
        self._data = study.data
        study.changed.connect(self._on_study_changed)
        study.saved_changed.connect(self._on_study_opened)
        self.subject = Subject(
            lambda: (session.connection.name, self.of) if self.of is not None else None,
            session.changed,
            study.changed,
            study.saved_changed,
            self._source.changed,
            parent=self,
        )
        self.subject.changed.connect(self._on_subject_changed)
        self.remote: RemoteState[FetchedAnswers | None] = RemoteState(
            "the answers", self.subject, self._fetch, session, tasks, self
        )
        self.remote.fetched.connect(self._on_fetched)
        self.remote.changed.connect(self.changed)
        self._source.changed.connect(self._on_source_changed)
        if self._file is not None:
            self._start_file(self._file)

    @property
    def source(self) -> AnswersSource:
        """What is shown; set by several stages."""
        return self._source

    @property
    def file(self) -> AnswersFile | None:
        """The file that is shown instead of a batch or collection."""
        return self._source.file

    @property
    def layout(self) -> Layout:
        """The layout of the answers with its ids; empty if it is not known."""
        if self.file is not None:
            return self.file.layout
        return self.remote.value.layout if self.remote.value is not None else Layout()

    @property
    def other(self) -> OtherSource | None:
        """The batch or collection shown if it is not that of the study."""
        other = self._source.other
        return other if other is not None and other.connection == self.session.connection.name else None

    @property
    def own(self) -> RemoteStudy | None:
        """The batch or collection of the study at the current connection."""
        remote, kind = self.study.remote(self.session.connection.name), self.study.project.kind
        id = remote.collection_id if kind is StudyKind.COLLECTION else remote.batch_id
        return RemoteStudy(kind, id) if id is not None else None

    @property
    def of(self) -> RemoteStudy | None:
        """The batch or collection whose answers are shown: another one of the workspace, or the study's.

        None while a file is shown.
        """
        if self.file is not None:
            return None
        return self.other.of if self.other is not None else self.own

    @property
    def is_for_collection(self) -> bool:
        """Whether answers of a collection are shown, or would be."""
        if self.of is not None:
            return self.of.is_collection
        return self.study.is_open and self.study.project.kind is StudyKind.COLLECTION

    def show_own(self) -> None:
        """Show the answers of the study."""
        self._source.show(None)

    @property
    def has_answers(self) -> bool:
        """Whether there are answers."""
        return self.overview.summary.answers > 0

    @property
    def is_complete(self) -> bool:
        """Whether all answers that there were when they were fetched or opened are in the store."""
        return self.has_answers and self._is_loaded

    @property
    def total_tasks(self) -> int:
        """Number of tasks of the batch as it was last fetched; 0 for a collection."""
        return self.remote.value.total_tasks if self.remote.value is not None else 0

    @property
    def lacks_list(self) -> bool:
        """Whether the service does not offer the answers of collections as a list."""
        return self.remote.value is not None and not self.remote.value.has_list

    @property
    def is_loading(self) -> bool:
        """Whether the answers are being fetched and none are known yet."""
        return (self.remote.is_loading or self.file is not None) and not self.has_answers

    @property
    def is_downloading(self) -> bool:
        """Whether a download is running."""
        return self.operations.current is not None

    def title_of(self, task: str) -> str:
        """The title of a task's record; empty if nothing is known of it."""
        return self.titles.titles.get(task, "")

    def is_new(self, row: AnswerRow) -> bool:
        """Whether an answer has arrived since the others were fetched, and was not looked at."""
        return row.is_new and self._is_loaded and row.number not in self._viewed

    @property
    def new_answers(self) -> int:
        """Number of new answers that were not looked at."""
        return max(0, self.overview.new_answers - len(self._viewed)) if self._is_loaded else 0

    def set_query(self, query: AnswerQuery) -> None:
        """Show the answers that match a query; it replaces one that is still running."""
        if query != self.query:
            self.query = query
            self.query_changed.emit()
            self._start_query()

    def read_table(self) -> AnswerTable:
        """The answers as a table; call it in a worker thread."""
        return self.store.table()

    def set_exclusions(self, exclusions: Exclusions) -> None:
        """Show which answers are excluded."""
        store = self.store
        if (store, exclusions) == self._excluded:
            return
        self._excluded = store, exclusions

        async def change() -> None:
            await asyncio.to_thread(store.set_exclusions, exclusions)
            if store is self.store:
                self._start_query()

        self.tasks.start(f"results exclusions {id(exclusions)}", change)

    def select(self, row: AnswerRow | None) -> None:
        """Store which answer is selected, and mark it as seen."""
        if row != self.selected:
            self.selected = row
            self.selected_changed.emit()
            self.changed.emit()
        if row is not None:
            self._mark_viewed(row)

    def _mark_viewed(self, row: AnswerRow) -> None:
        if self.is_new(row):
            self._viewed.add(row.number)
            if self.new_answers:
                self.changed.emit()
            else:
                self.mark_all_seen()

    def mark_all_seen(self) -> None:
        """No answer is new any more."""
        store = self.store

        async def mark() -> None:
            await asyncio.to_thread(store.mark_all_seen)
            if store is self.store:
                self._viewed.clear()
                self.overview = replace(self.overview, new_answers=0)
                self._start_query()
                self.changed.emit()

        self.tasks.start("results mark as seen", mark)

    def request_values(self, field: str) -> None:
        """Read the values of a dataset field for its filter."""
        store = self.store

        async def read() -> None:
            values = await asyncio.to_thread(store.distinct, FieldColumn(field), MAX_VALUES)
            if store is self.store:
                self.field_values = {**self.field_values, field: values}
                self.changed.emit()

        self.tasks.start(f"results values of {field}", read)

    def refresh(self, *, may_prompt: bool = False) -> None:
        """Fetch the answers again.

        Args:
            may_prompt: the user requested it: a token may be asked for, and the report is read again, too.
        """
        self._fetches_all |= may_prompt
        self.remote.refresh(may_prompt=may_prompt)

    def set_active(self, *, is_active: bool) -> None:
        """While the stage is visible, fetch the answers, and new ones as long as some may arrive."""
        self.remote.is_active = is_active
        if is_active:
            self.refresh()
            self._poll_timer.start(_LIVE_POLL_MS if self.session.is_live else _POLL_MS)
        else:
            self._poll_timer.stop()

    def _poll(self) -> None:
        fetched = self.remote.value
        if fetched is not None and fetched.is_collecting and not self.remote.needs_sign_in:
            self.refresh()

    async def _fetch(self, context: WorkflowContext) -> FetchedAnswers | None:
        """Fetch the answers; None if the service does not have the batch or collection any more."""
        of, store, is_first = self.of, self.store, not self._is_loaded
        self._fetched = None
        if of is None:
            return None
        loop, before = asyncio.get_running_loop(), self.overview

        def on_progress() -> None:
            if is_first:
                store.mark_all_seen()
                loop.call_soon_threadsafe(self._on_progress, store)

        only_newest = not (is_first or self._fetches_all)
        fetched = await none_if_missing(
            update_answers(context, of, store, only_newest=only_newest, on_progress=on_progress)
        )
        if fetched is not None and fetched.has_removed:
            store = await asyncio.to_thread(AnswerStore)
            fetched = await none_if_missing(update_answers(context, of, store, only_newest=False))
            is_first = True
        if fetched is None:
            return None
        if is_first:
            await asyncio.to_thread(store.mark_all_seen)
        overview = await asyncio.to_thread(_read_overview, store)
        is_same = overview == before and store is self.store and not is_first
        self._fetched = _Fetched(store, None if is_same else overview)
        return fetched

    def _on_progress(self, store: AnswerStore) -> None:
        """Show the answers that have been added so far."""
        if store is self.store and not self._is_loaded:
            self.tasks.start("results progress", lambda: self._show_progress(store))

    async def _show_progress(self, store: AnswerStore) -> None:
        overview = await asyncio.to_thread(_read_overview, store)
        if store is self.store and not self._is_loaded:
            self.overview = overview
            self._start_query()
            self.changed.emit()

    def _on_fetched(self) -> None:
        fetched, self._fetched = self._fetched, None
        if fetched is None:
            self._clear_answers()
            return
        if fetched.store is not self.store:
            self._replace_store(fetched.store)
        self._is_loaded = True
        if fetched.overview is not None:
            self.overview = fetched.overview
            self._start_query()
            self.answers_changed.emit()
        if fetched.overview is not None or self._fetches_all:
            self.records.invalidate_report()
        self._fetches_all = False
        self.records.start()

    def _start_query(self) -> None:
        """Query the store; only the result of the latest query is used."""
        self._query_version += 1
        version = self._query_version
        self.tasks.start(f"results query {version}", lambda: self._run_query(version))

    async def _run_query(self, version: int) -> None:
        store, query = self.store, self.query
        rows = await asyncio.to_thread(store.query, query)
        if version == self._query_version:
            self.rows = rows
            self.rows_changed.emit()

    @property
    def _preferred(self) -> tuple[str, ...]:
        """The text fields of the study, which participants read."""
        schema = self.study.schema if self.other is None else None
        fields = schema.fields if schema else {}
        return tuple(name for name, field in fields.items() if field.type is FieldType.TEXT)

    def _find_shown(self) -> ShownAnswers:
        return ShownAnswers(self.of, self.store, self.study.data if self.other is None else None)

    async def _show_records(self, known: Mapping[str, Mapping[str, str]]) -> None:
        """Title the answers by the records that are known, and add their values to the store."""
        store, preferred = self.store, self._preferred
        if (basis := (store, known, self.overview.summary)) == self._titles_basis:
            return
        self._titles_basis = basis

        def change() -> tuple[RecordTitles, AnswersOverview]:
            if known:
                store.set_fields(known)
            return titles_of(store.task_values(), preferred), _read_overview(store)

        titles, overview = await asyncio.to_thread(change)
        if store is self.store:
            self.titles, self.overview = titles, overview
            self._start_query()
            self.answers_changed.emit()
            self.changed.emit()

    def _on_source_changed(self) -> None:
        if self.file is not self._file:
            if self._file is not None:
                self._file.reading.cancel()
            self._file = self.file
            self._on_subject_changed()
            if self._file is not None:
                self._start_file(self._file)
        self.changed.emit()

    def _start_file(self, file: AnswersFile) -> None:
        self.tasks.start(f"results file {id(file)}", lambda: self._show_file(file))

    async def _show_file(self, file: AnswersFile) -> None:
        """Show the answers in a file, also while it is being read."""
        self._replace_store(file.store)
        while file is self.file and not file.reading.done():
            await self._show_progress(file.store)
            await asyncio.wait({file.reading}, timeout=_FILE_PROGRESS_S)
        overview = await asyncio.to_thread(_read_overview, file.store)
        if file is self.file:
            self._is_loaded, self.overview = True, overview
            self._start_query()
            self.answers_changed.emit()
            self.changed.emit()
            self.records.start()

    def _on_study_changed(self) -> None:
        if self.study.data != self._data:
            self._data = self.study.data
            self.records.clear_data_file()

    def _on_study_opened(self) -> None:
        """Show the answers of a study that was just opened."""
        if self.study.opening != self._opening:
            self._opening = self.study.opening
            self.show_own()

    def _on_subject_changed(self) -> None:
        self.query = AnswerQuery()
        self._clear_answers()

    def _clear_answers(self) -> None:
        self._replace_store(AnswerStore())
        self.overview = AnswersOverview()
        self._is_loaded = False
        self.query_changed.emit()
        self.rows_changed.emit()
        self.answers_changed.emit()

    def _replace_store(self, store: AnswerStore) -> None:
        replaced: list[object] = [self.store, self.rows, self.titles]
        self.store, self.rows, self.titles = store, None, RecordTitles()
        self._excluded = store, Exclusions()
        self.tasks.start("results release", lambda: asyncio.to_thread(replaced.clear))
        self._query_version += 1
        self._viewed.clear()
        self.field_values, self._titles_basis = {}, None
        self.records.clear()


def _read_overview(store: AnswerStore) -> AnswersOverview:
    return AnswersOverview(
        store.summary(),
        store.questions,
        store.distinct(AnswerColumn.PARTICIPANT, MAX_VALUES),
        store.fields,
        store.new_answers,
    )
