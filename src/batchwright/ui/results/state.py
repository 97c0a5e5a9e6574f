"""What the Results stage shows: the answers of the study's batch, counted and filtered. No widgets."""

import asyncio
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from PySide6.QtCore import QObject, Signal

from batchwright.base.cooperative import yielding_gil
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import is_not_found, needs_sign_in
from batchwright.data_files.matching import find_records
from batchwright.results.answer_table import Answers, TaskAnswers, group_answers, with_records
from batchwright.results.option_counts import OptionCounts, tallies
from batchwright.schema.model import FieldType
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.results.downloads import Downloads
from batchwright.ui.study.study_model import Study
from batchwright.wire.batches import Batch
from batchwright.wire.responses import ResponseRecord
from batchwright.workflows.report_records import GivenAnswer, find_in_report


@dataclass(frozen=True)
class AnswerFilter:
    """Which sheets and which questions are shown; empty means all."""

    text: str = ""
    question: str = ""
    participant: str = ""

    def apply(self, answers: Answers) -> "FilteredAnswers":
        """What it takes of all answers."""
        words = self.text.strip().casefold()
        sheets = tuple(
            sheet
            for sheet in yielding_gil(answers.sheets)
            if self.participant in ("", sheet.participant)
            and (not self.question or self.question in sheet.answers)
            and (words in sheet.words or words in sheet.title.casefold())
        )
        count = len(sheets) if self.question else sum(len(sheet.answers) for sheet in sheets)
        return FilteredAnswers(sheets, count, len({sheet.participant for sheet in sheets}))


@dataclass(frozen=True)
class FilteredAnswers:
    """The sheets that the filter takes, how many answers are in them, and from how many people."""

    sheets: tuple[TaskAnswers, ...] = ()
    answers: int = 0
    people: int = 0


class ResultsState(QObject):
    """Holds the answers of the study's batch at the active connection."""

    changed = Signal()
    shown_changed = Signal()
    """Other sheets are shown."""
    report_searched = Signal()
    """Records were looked for in the report."""

    def __init__(
        self,
        study: Study,
        session: ConnectionSession,
        tasks: Tasks,
        describe: Callable[[BaseException], TaskMessage],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.study, self.session = study, session
        self._tasks, self._describe = tasks, describe
        self.downloads = Downloads(study, session, tasks, describe, self)
        self.answers, self.tallies = Answers(), tuple[OptionCounts, ...]()
        self.batch: Batch | None = None
        self.filter, self.shown = AnswerFilter(), FilteredAnswers()
        self.fault: TaskMessage | None = None
        self.wants_sign_in = False
        """Whether the last look failed for want of a token."""
        self.is_loading = False
        self.fetched_at: datetime | None = None
        self._records: dict[str, Mapping[str, str]] = {}
        """Records of the data file by the id of their task, as far as they were found."""
        self._sought: set[str] = set()
        """The tasks whose records were looked for in the data file."""
        self._in_report: dict[str, Mapping[str, str]] = {}
        """Records of the report by the id of their task, as far as they were found."""
        self._searched: set[str] = set()
        """The tasks whose records were looked for in the report."""
        self._opened: TaskAnswers | None = None
        """A sheet whose whole record somebody wants to read, until it was looked for in the report."""
        self._news, self._reported = 0, -1
        """How often the report may have become another, and for which of these times it was read."""
        self._data = study.data
        self._batch_id = self.batch_id
        session.changed.connect(self._on_study_changed)
        study.changed.connect(self._on_study_changed)
        study.saved_changed.connect(self._on_study_changed)

    @property
    def batch_id(self) -> str | None:
        """The batch of the study at the active connection."""
        return self.study.remote(self.session.connection.name).batch_id

    def set_filter(self, filter: AnswerFilter) -> None:
        """Show other sheets."""
        if filter != self.filter:
            self.filter = filter
            self._tasks.start("results filter", self._narrow)

    def look(self, *, asks: bool = False) -> None:
        """Fetch the answers again; only where somebody `asks` to may a token be asked for."""
        if self.batch_id is not None:
            self._tasks.start("results look", lambda: self._look(asks=asks))

    def find_record(self, sheet: TaskAnswers) -> TaskAnswers:
        """The sheet with its whole record if the report had it; looks for one that was not looked for yet."""
        if sheet.is_whole_record:
            return sheet
        record = self._in_report.get(sheet.task_id)
        if record is not None:
            return replace(sheet, record=record, is_whole_record=True)
        if self.is_finding(sheet):
            self._opened = sheet
            self._tasks.start("results records", self._find_records)
        return sheet

    def is_finding(self, sheet: TaskAnswers) -> bool:
        """Whether it is not known yet if there is a whole record to a sheet that was opened."""
        return not sheet.is_whole_record and self._reported != self._news

    async def _narrow(self) -> None:
        """Filter in a thread, and again while the filter has changed meanwhile."""
        while True:
            filter, answers = self.filter, self.answers
            shown = await asyncio.to_thread(filter.apply, answers)
            if filter == self.filter and answers is self.answers:
                break
        self.shown = shown
        self.shown_changed.emit()

    async def _look(self, *, asks: bool) -> None:
        while (batch_id := self.batch_id) is not None:
            await self._look_at(batch_id, asks=asks)
            if batch_id == self.batch_id:
                return
            asks = False  # nobody has asked for what is open now

    async def _look_at(self, batch_id: str, *, asks: bool) -> None:
        before = self.answers.sheets
        self.is_loading = not before
        self.changed.emit()
        try:
            batch, records = await self.session.at_work(
                lambda bench, _waits: _ask_for(bench, batch_id), asks=asks
            )
            filter = self.filter
            known = self._known_records, self._preferred
            read = await asyncio.to_thread(_read, records, batch, filter, self.answers, known)
        except Exception as fault:
            # A look that fails is shown in place of what it would have shown.
            if batch_id != self.batch_id:
                pass
            elif is_not_found(fault):
                self._clear()
            else:
                self.fault, self.wants_sign_in = self._describe(fault), needs_sign_in(fault)
        else:
            if batch_id == self.batch_id:
                self.fault, self.wants_sign_in, self.batch = None, False, batch
                self.answers, self.tallies, self.shown = read or (self.answers, self.tallies, self.shown)
                self.fetched_at = datetime.now(UTC)
                self._news += read is not None or asks
                if filter != self.filter:
                    self._tasks.start("results filter", self._narrow)
                if (
                    known[0] != self._known_records
                ):  # some were found meanwhile, and nobody looks for them again
                    await self._show_records()
                self._tasks.start("results records", self._find_records)
        finally:
            self.is_loading = False
            self.changed.emit()
        if before is not self.answers.sheets:
            gone = list(before)
            del before
            await asyncio.to_thread(_let_go, gone)

    @property
    def _preferred(self) -> tuple[str, ...]:
        """The text fields of the study, which participants read."""
        schema = self.study.schema
        fields = schema.fields if schema else {}
        return tuple(name for name, field in fields.items() if field.type is FieldType.TEXT)

    async def _find_records(self) -> None:
        """Find the records of answered tasks in the data file, and those that it lacks in the report.

        Titles are made of them: metadata alone is seldom what a person knows a record by.
        """
        await self._find_in_data()
        needs_report = any(
            not sheet.is_whole_record and sheet.task_id not in self._searched for sheet in self.answers.sheets
        )
        while (batch_id := self.batch_id) is not None and (needs_report or self._opened is not None):
            opened, self._opened = self._opened, None
            if needs_report or (opened is not None and self.is_finding(opened)):
                await self._find_in_report(batch_id)
            needs_report = False
            await self._find_in_data()

    async def _find_in_data(self) -> None:
        """Find the records of answered tasks in the data file of the study, by their metadata."""
        while (data := self.study.data) is not None and (wanted := self._wanted_records()):
            batch_id, stopped = self.batch_id, threading.Event()
            try:
                found = await asyncio.to_thread(
                    find_records, data.path, data.form, list(wanted.values()), stopped.is_set
                )
            except (OSError, ValueError):  # the file is away, or not what it was: metadata has to do
                return
            finally:
                stopped.set()
            if (data, batch_id) == (self.study.data, self.batch_id):
                self._sought.update(wanted)
                self._records.update(
                    {id: record for id, record in zip(wanted, found, strict=True) if record is not None}
                )
                await self._show_records()

    def _wanted_records(self) -> dict[str, Mapping[str, str]]:
        """The metadata of tasks whose records were not looked for, by the id of the task."""
        return {
            sheet.task_id: sheet.record
            for sheet in self.answers.sheets
            if sheet.record and sheet.task_id not in self._sought
        }

    async def _find_in_report(self, batch_id: str) -> None:
        """Find the records that the data file lacks, all at once; a report that fails has none of them."""
        connection, news, answers = self.session.connection, self._news, self.answers
        found: Mapping[str, Mapping[str, str]] = {}
        searched: set[str] = set()
        try:
            found = await self.session.at_work(
                lambda bench, _waits: find_in_report(bench, batch_id, _answers_without_record(answers)),
                asks=False,
            )
            searched = {sheet.task_id for sheet in answers.sheets}
        except Exception as fault:
            # What is known of the record has to do, unless nobody foresaw this.
            if self._describe(fault).is_bug:
                raise
        finally:
            if (batch_id, connection) == (self.batch_id, self.session.connection):
                self._in_report.update(found)
                self._searched |= searched
                self._reported = news
                self.report_searched.emit()
        if found and batch_id == self.batch_id:
            await self._show_records()

    @property
    def _known_records(self) -> dict[str, Mapping[str, str]]:
        """Whole records by the id of their task, from the data file and from the report."""
        return {**self._in_report, **self._records}

    async def _show_records(self) -> None:
        while True:
            answers = self.answers
            named = await asyncio.to_thread(with_records, answers, self._known_records, self._preferred)
            if answers is self.answers:
                break
        self.answers = named
        await self._narrow()
        self.changed.emit()

    def _on_study_changed(self) -> None:
        if self.study.data != self._data:
            self._data = self.study.data
            self._records.clear()
            self._sought.clear()
        if self.batch_id != self._batch_id:
            self._batch_id = self.batch_id
            self.filter = AnswerFilter()
            self._clear()
            self.changed.emit()

    def _clear(self) -> None:
        self.answers, self.tallies, self.shown = Answers(), (), FilteredAnswers()
        self.batch, self.fault, self.fetched_at = None, None, None
        self._records.clear()
        self._sought.clear()
        self._in_report.clear()
        self._searched.clear()
        self._opened, self._reported = None, -1
        self.wants_sign_in = False
        self.downloads.forget_older()


async def _ask_for(bench: WorkflowContext, batch_id: str) -> tuple[Batch, Iterable[ResponseRecord]]:
    batches = bench.service.batches
    return await batches.get(batch_id), await batches.responses(batch_id)


def _answers_without_record(answers: Answers) -> Iterable[GivenAnswer]:
    """The answers to tasks whose whole record is not known, as the report has them."""
    questions = {question.id: question.title for question in answers.questions}
    for sheet in answers.sheets:
        if sheet.answered_at is not None and not sheet.is_whole_record:
            for id, answer in sheet.answers.items():
                yield GivenAnswer(
                    sheet.task_id, sheet.participant, questions[id], sheet.answered_at, answer.text
                )


def _let_go(sheets: list[TaskAnswers]) -> None:
    """End the last answers one by one: a hundred thousand at once would hold the event loop up."""
    for _sheet in yielding_gil(range(len(sheets))):
        sheets.pop()


def _read(
    records: Iterable[ResponseRecord],
    batch: Batch,
    filter: AnswerFilter,
    before: Answers,
    known: tuple[Mapping[str, Mapping[str, str]], Sequence[str]],
) -> tuple[Answers, tuple[OptionCounts, ...], FilteredAnswers] | None:
    """What the records say; None when that is what was known before.

    `known` are records of the data file by the id of their task, and the fields that participants read.
    """
    answers = with_records(group_answers(records, batch.batch_items), *known)
    if answers == before:
        sheets = list(answers.sheets)
        del answers
        _let_go(sheets)
        return None
    return answers, tallies(answers), filter.apply(answers)
