"""The state of the Results stage: the answers of a batch, counted and filtered. No widgets."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from batchwright.base.cooperative import yielding_gil
from batchwright.base.json_values import Json, is_array
from batchwright.client.collection_content import pages_of
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import none_if_missing
from batchwright.client.remote_study import RemoteStudy
from batchwright.layout.collection_pages import layout_from_collection
from batchwright.layout.serialization import read, sequential_keys, write
from batchwright.local.projects import StudyKind
from batchwright.results.answer_table import Answers, TaskAnswers, group_answers, with_records
from batchwright.results.option_counts import OptionCounts, count_all_options
from batchwright.schema.model import FieldType
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.operations import OperationRunner
from batchwright.ui.core.remote_state import RemoteState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject
from batchwright.ui.results.answer_filter import AnswerFilter, FilteredAnswers
from batchwright.ui.results.records import RecordSearch, ShownAnswers
from batchwright.ui.study.answers_source import AnswersSource, OtherSource
from batchwright.ui.study.downloads import DownloadKind, DownloadOperation
from batchwright.ui.study.study_model import Study
from batchwright.wire.collections import AnswerRecord
from batchwright.workflows.download_verified import VerifiedDownload
from batchwright.workflows.legacy_instructions import fetch_questions

if TYPE_CHECKING:
    from batchwright.analysis.answer_table import AnswerTable


@dataclass(frozen=True)
class FetchedAnswers:
    """What was fetched beside the answers themselves."""

    total_tasks: int = 0
    """Number of tasks of the batch."""
    has_list: bool = True
    """Whether the service offers the answers as a list; it need not for a collection."""


@dataclass(frozen=True)
class _Reading:
    """What was read from a response, until `ResultsState` uses it."""

    known_records: Mapping[str, Mapping[str, str]]
    """The records that were known when it was read."""
    filter: AnswerFilter
    content: tuple[Answers, tuple[OptionCounts, ...], FilteredAnswers] | None
    """None if nothing has changed."""


class ResultsState(QObject):
    """The answers of a batch at the current connection, and the downloads of the window.

    The batch is that of the study, or another one of the workspace that was selected in Run (`source`).
    """

    changed = Signal()
    filtered_changed = Signal()
    """The filter shows other answers."""

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
        self.study, self.session, self._tasks = study, session, tasks
        self._source, self._opening = source or AnswersSource(self), study.opening
        self.records = RecordSearch(self._find_shown, self._show_records, session, tasks, self)
        self.operations = OperationRunner(Subject(lambda: "window", parent=self), session, tasks, self)
        """Downloads: they belong to the window, regardless of the open study, and run one at a time."""
        self.stale_export: VerifiedDownload | None = None
        """The latest downloaded export, if it lacks newer answers."""
        self.answers, self.option_counts = Answers(), tuple[OptionCounts, ...]()
        self.filter, self.filtered = AnswerFilter(), FilteredAnswers()
        self._reading: _Reading | None = None
        self._latest: tuple[Iterable[AnswerRecord], Json] = (), None
        self._rereads_report = False
        """Whether the report is read again after the next fetch, even if no answer is new."""
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
        self._source.changed.connect(self.changed)

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
        """The batch or collection whose answers are shown: another one of the workspace, or the study's."""
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

    def set_filter(self, filter: AnswerFilter) -> None:
        """Show the answers that match a filter."""
        if filter != self.filter:
            self.filter = filter
            self._tasks.start("results filter", self._apply_filter)

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
        return self.remote.is_loading and not self.answers.sheets

    @property
    def download(self) -> DownloadOperation | None:
        """The download that is running."""
        current = self.operations.current
        return current if isinstance(current, DownloadOperation) else None

    def refresh(self, *, may_prompt: bool = False) -> None:
        """Fetch the answers again.

        Args:
            may_prompt: the user requested it: a token may be asked for, and the report is read again, too.
        """
        self._rereads_report |= may_prompt
        self.remote.refresh(may_prompt=may_prompt)

    def read_table(self) -> "AnswerTable":
        """The answers as a table, in a worker thread."""
        from batchwright.analysis.answer_store import AnswerStore
        from batchwright.analysis.questions import questions_in

        records, questions = self._latest
        layout = read(questions if is_array(questions) else [], sequential_keys())
        store = AnswerStore(questions_in(layout))
        store.append(record.model_dump(mode="json", exclude_unset=True, warnings=False) for record in records)
        return store.table()

    def show_download(self, operation: DownloadOperation, result: VerifiedDownload) -> None:
        """Store whether the downloaded export lacks newer answers."""
        if operation.kind in (DownloadKind.EXPORT, DownloadKind.ANSWERS):
            is_stale = bool(result.newer) and operation.of == self.of
            self.stale_export = result if is_stale else None
            self.changed.emit()

    def clear_stale_export(self) -> None:
        """Hide the warning about an outdated export."""
        self.stale_export = None
        self.changed.emit()

    async def _apply_filter(self) -> None:
        """Filter in a worker thread; repeated if the filter or the answers have changed meanwhile."""
        while True:
            filter, answers = self.filter, self.answers
            filtered = await asyncio.to_thread(filter.apply, answers)
            if filter == self.filter and answers is self.answers:
                break
        self.filtered = filtered
        self.filtered_changed.emit()

    async def _fetch(self, context: WorkflowContext) -> FetchedAnswers | None:
        """Fetch the answers; None if the service does not have the batch or collection any more."""
        of = self.of
        fetched = None if of is None else await none_if_missing(_request(context, of))
        if fetched is None:
            self._reading = None
            return None
        result, questions, records = fetched
        filter, known = self.filter, (self.records.known, self._preferred)
        content = await asyncio.to_thread(_read, records, questions, filter, self.answers, known)
        self._latest = records, questions
        self._reading = _Reading(known[0], filter, content)
        return result

    def _on_fetched(self) -> None:
        reading, self._reading = self._reading, None
        before = self.answers.sheets
        if reading is None:
            self._clear_answers()
        else:
            if reading.content is not None:
                self.answers, self.option_counts, self.filtered = reading.content
            if reading.content is not None or self._rereads_report:
                self.records.invalidate_report()
            self._rereads_report = False
            if reading.filter != self.filter:
                self._tasks.start("results filter", self._apply_filter)
            if reading.known_records != self.records.known:  # some were found meanwhile
                self._tasks.start("results known records", self._show_records)
            self.records.start()
        if before is not self.answers.sheets:
            removed = list(before)
            self._tasks.start("results release", lambda: asyncio.to_thread(_release, removed))

    @property
    def _preferred(self) -> tuple[str, ...]:
        """The text fields of the study, which participants read."""
        schema = self.study.schema if self.other is None else None
        fields = schema.fields if schema else {}
        return tuple(name for name, field in fields.items() if field.type is FieldType.TEXT)

    def _find_shown(self) -> ShownAnswers:
        return ShownAnswers(self.of, self.answers, self.study.data if self.other is None else None)

    async def _show_records(self) -> None:
        """Title the answers by the records that are known."""
        while True:
            answers = self.answers
            named = await asyncio.to_thread(with_records, answers, self.records.known, self._preferred)
            if answers is self.answers:
                break
        self.answers = named
        await self._apply_filter()
        self.changed.emit()

    def _on_study_changed(self) -> None:
        if self.study.data != self._data:
            self._data = self.study.data
            self.records.forget_data_file()

    def _on_study_opened(self) -> None:
        """Show the answers of a study that was just opened."""
        if self.study.opening != self._opening:
            self._opening = self.study.opening
            self.show_own()

    def _on_subject_changed(self) -> None:
        self.filter = AnswerFilter()
        self._clear_answers()

    def _clear_answers(self) -> None:
        self.answers, self.option_counts, self.filtered = Answers(), (), FilteredAnswers()
        self.records.clear()
        self.stale_export = None


async def _request(
    context: WorkflowContext, of: RemoteStudy
) -> tuple[FetchedAnswers, Json, Iterable[AnswerRecord]]:
    """Fetch the questions and the answers of a batch or collection."""
    if not of.is_collection:
        batch = await context.service.batches.get(of.id)
        questions, records = await fetch_questions(context, batch), await of.responses(context.service)
        return FetchedAnswers(batch.total_task_count), questions, records
    collection = await context.service.collections.get(of.id)
    pages = write(layout_from_collection(pages_of(collection), sequential_keys()))
    listed = await none_if_missing(of.responses(context.service))
    return FetchedAnswers(has_list=listed is not None), pages, listed if listed is not None else ()


def _release(sheets: list[TaskAnswers]) -> None:
    """Free the previous answers one by one: freeing a hundred thousand at once would block the event loop."""
    for _sheet in yielding_gil(range(len(sheets))):
        sheets.pop()


def _read(
    records: Iterable[AnswerRecord],
    questions: Json,
    filter: AnswerFilter,
    before: Answers,
    known: tuple[Mapping[str, Mapping[str, str]], Sequence[str]],
) -> tuple[Answers, tuple[OptionCounts, ...], FilteredAnswers] | None:
    """Group and count the answers in the records; None if they are the same as before.

    `known` are the complete records by task id, and the names of the fields that participants see.
    """
    answers = with_records(group_answers(records, questions), *known)
    if answers == before:
        sheets = list(answers.sheets)
        del answers
        _release(sheets)
        return None
    return answers, count_all_options(answers), filter.apply(answers)
