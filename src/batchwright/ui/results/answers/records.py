"""The records of the answered tasks: from the data file of the study, otherwise from reports of its batches.

Tasks are titled by their records, since metadata alone seldom identifies a record for a person.
"""

import asyncio
import threading
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal

from batchwright.analysis.store.answer_query import AnswerQuery
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.client.checkpoint import file_sha256
from batchwright.data_files.matching import find_records
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject
from batchwright.ui.results.answers.shown_answers import ShownAnswers
from batchwright.workflows.answers.answered_layouts import AnsweredLayouts
from batchwright.workflows.answers.joined_languages import JoinedLanguage
from batchwright.workflows.data.find_records import AnswerToLocate, find_records_in_report

_BLOCK = 2_000
"""Answers read from the store at once."""

Record = Mapping[str, str]


@dataclass
class _Search:
    """What was found in one place; another one takes its place when the place or the answers are others."""

    records: dict[str, Record] = field(default_factory=dict)
    """Complete records by task id."""
    searched: set[str] = field(default_factory=set)
    """The tasks whose records were looked up."""


class RecordSearch(QObject):
    """Finds complete records of the shown answers; reports are searched only for those that the data file
    lacks: that of the batch, or those of the batches of several languages.
    """

    changed = Signal()
    """The report was searched."""

    def __init__(
        self, answers: ShownAnswers, session: ConnectionSession, tasks: Tasks, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._answers, self._session, self._tasks = answers, session, tasks
        self._data, self._report = _Search(), _Search()
        self._opened: str | None = None
        """The task whose complete record the user wants to read, until the report was searched for it."""
        self._searching = asyncio.Lock()
        """Held while records are looked up."""
        self._report_version, self._read_version = 0, -1
        """A counter of possible changes of the report, and its value when the report was last read."""
        answers.replaced.connect(self._clear)
        answers.loaded.connect(self._on_loaded)
        study = answers.source.study
        data_file = Subject(lambda: study.data, study.changed, parent=self)
        data_file.changed.connect(self._clear_data)

    @property
    def found(self) -> dict[str, Record]:
        """Complete records by task id, from the data file and from the report."""
        return {**self._report.records, **self._data.records}

    def find(self, task: str) -> Record | None:
        """The complete record of a task; None if it is unknown, and is then searched for if necessary."""
        record = self._data.records.get(task) or self._report.records.get(task)
        if record is None and self.is_finding(task):
            self._opened = task
            self._start()
        return record

    def is_finding(self, task: str) -> bool:
        """Whether the complete record of a task is still being looked up."""
        remote_study = self._answers.source.remote_study
        has_record = bool(task) and remote_study is not None and not remote_study.is_collection
        is_known = task in self._data.records or task in self._report.records
        return has_record and not is_known and self._read_version != self._report_version

    @property
    def is_searching(self) -> bool:
        """Whether records are being looked up."""
        return self._searching.locked()

    async def wait(self) -> None:
        """Wait until no record is being looked up."""
        async with self._searching:
            return

    def _on_loaded(self, may_have_new_report: bool) -> None:
        self._report_version += may_have_new_report
        self._start()

    def _clear(self) -> None:
        """Forget all records: other answers are shown."""
        self._clear_data()
        self._report, self._opened, self._read_version = _Search(), None, -1

    def _clear_data(self) -> None:
        """Forget the records of the data file: the study has another one."""
        self._data = _Search()

    def _start(self) -> None:
        self._tasks.start("results records", self._load)

    async def _load(self) -> None:
        async with self._searching:
            await self._search()

    async def _search(self) -> None:
        """Find the records of the answered tasks in the data file, and those that it lacks in the report."""
        await self._search_data()
        needs_report = bool(await self._missing(self._report))
        while (remote_study := self._answers.source.remote_study) is not None:
            opened, self._opened = self._opened, None
            if remote_study.is_collection or not (needs_report or (opened and self.is_finding(opened))):
                return
            await self._search_reports(self._answers.source.joined or (JoinedLanguage("", remote_study),))
            needs_report = False
            await self._search_data()

    async def _search_data(self) -> None:
        """Find the records of answered tasks in the data file, by their metadata, unless it has changed."""
        source = self._answers.source
        while (data := await asyncio.to_thread(lambda: source.data)) is not None:
            search, missing = self._data, await self._missing(self._data)
            values = {task: record for task, record in missing.items() if record}
            if not values:
                break
            stopped = threading.Event()
            try:
                if data.sha256 and await asyncio.to_thread(file_sha256, data.path) != data.sha256:
                    search.searched.update(values)
                    break
                file = await source.study.records_files.of(data)
                records = await asyncio.to_thread(
                    find_records, file.path, file.format, list(values.values()), stopped.is_set
                )
            except (OSError, ValueError):  # the file is missing or cannot be read
                break
            finally:
                stopped.set()
            found = zip(values, records, strict=True)
            search.records.update({task: record for task, record in found if record is not None})
            search.searched.update(values)
            await self._answers.set_records(self.found)
        await self._answers.set_records(self.found)

    async def _missing(self, search: _Search) -> dict[str, dict[str, str]]:
        """What is known of the tasks without a complete record that were not looked up yet, by task id."""
        values = await asyncio.to_thread(self._answers.record_values, self._answers.answer_store)
        known = search.searched | self.found.keys()
        return {task: record for task, record in values.items() if task not in known}

    async def _search_reports(self, batches: Sequence[JoinedLanguage]) -> None:
        """Find the records that the data file lacks, in one pass through the report of each batch."""
        search, version, languages = self._report, self._report_version, self._answers.languages
        missing = frozenset(await self._missing(_Search()))
        try:
            for batch in batches:
                tasks = {task for task in missing if languages.get(task, "") == batch.language}
                await self._search_report(search, batch, tasks)
        finally:
            if search is self._report:
                self._read_version = version
                self.changed.emit()

    async def _search_report(self, search: _Search, batch: JoinedLanguage, tasks: Set[str]) -> None:
        """Find the records of some tasks in the report of their batch; none if it cannot be read."""
        fetched, store = self._answers.value, self._answers.answer_store
        layouts = fetched.layouts.get(batch.language) if fetched is not None else None
        answers = _answers_without_record(store, tasks, layouts or AnsweredLayouts())
        try:
            records = await self._session.run(
                lambda context, _hooks: find_records_in_report(context, batch.remote_study.id, answers),
                may_prompt=False,
            )
            search.records.update(records)
            search.searched |= tasks
        except Exception as error:
            # The metadata is shown instead of the record.
            if self._tasks.message(error).is_bug:
                raise


def _answers_without_record(
    store: AnswerStore, tasks: Set[str], layouts: AnsweredLayouts
) -> Iterator[AnswerToLocate]:
    """The answers to some tasks in the form in which the report has them, which is in their language."""
    if not tasks:  # a query without tasks finds all answers
        return
    rows = store.query(AnswerQuery(tasks=tuple(tasks)))
    for start in range(0, rows.count, _BLOCK):
        for row in rows.rows(start, _BLOCK):
            if row.answered_at is not None:
                title = layouts.title_at(row.question.instruction_id, row.answered_at) or row.question.title
                yield AnswerToLocate(row.task, row.participant, title, row.answered_at, row.text)
