"""The records of the answered tasks: from the data file of the study, otherwise from the report of the batch.

Tasks are titled by their records, since metadata alone seldom identifies a record for a person.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from batchwright.client.remote_study import RemoteStudy
from batchwright.data_files.matching import find_records
from batchwright.local.projects import DataFile
from batchwright.results.answer_table import Answers, TaskAnswers
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.workflows.find_records import AnswerToLocate, find_records_in_report


@dataclass(frozen=True)
class ShownAnswers:
    """The answers that are shown at present, and where they come from."""

    of: RemoteStudy | None
    """The batch or collection; collections have no records."""
    answers: Answers
    data: DataFile | None
    """The data file that the tasks were created from, if that is known: that of the study."""


class RecordSearch(QObject):
    """Finds complete records; the report is searched only for those that the data file lacks.

    Args:
        find_shown: returns the answers that are shown.
        show_records: shows the records that are known by then.
    """

    report_searched = Signal()

    def __init__(
        self,
        find_shown: Callable[[], ShownAnswers],
        show_records: Callable[[], Awaitable[None]],
        session: ConnectionSession,
        tasks: Tasks,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._find_shown, self._show_records = find_shown, show_records
        self._session, self._tasks = session, tasks
        self._in_data: dict[str, Mapping[str, str]] = {}
        """Records of the data file by task id, as far as they were found."""
        self._searched_in_data: set[str] = set()
        """The tasks whose records were looked up in the data file."""
        self._in_report: dict[str, Mapping[str, str]] = {}
        """Records of the report by task id, as far as they were found."""
        self._searched_in_report: set[str] = set()
        """The tasks whose records were looked up in the report."""
        self._opened: TaskAnswers | None = None
        """Answers whose complete record the user wants to read, until the report was searched for it."""
        self._answers_version, self._reported = 0, -1
        """A counter of possible changes of the report, and its value when the report was last read."""

    @property
    def known(self) -> dict[str, Mapping[str, str]]:
        """Complete records by task id, from the data file and from the report."""
        return {**self._in_report, **self._in_data}

    def start(self) -> None:
        """Find the records of the answered tasks in the data file, and those that it lacks in the report."""
        self._tasks.start("results records", self._load)

    def find(self, sheet: TaskAnswers) -> TaskAnswers:
        """The answers with their complete record if the report has it; starts a search if necessary."""
        if sheet.is_record_complete:
            return sheet
        record = self._in_report.get(sheet.task_id)
        if record is not None:
            return replace(sheet, record=record, is_record_complete=True)
        if self.is_finding(sheet):
            self._opened = sheet
            self.start()
        return sheet

    def is_finding(self, sheet: TaskAnswers) -> bool:
        """Whether the complete record of some answers is still being looked up."""
        of = self._find_shown().of
        has_record = of is None or not of.is_collection
        return has_record and not sheet.is_record_complete and self._reported != self._answers_version

    def invalidate_report(self) -> None:
        """Let the report be read again, as it may have changed."""
        self._answers_version += 1

    def forget_data_file(self) -> None:
        """Forget the records of the data file: the study has another one."""
        self._in_data.clear()
        self._searched_in_data.clear()

    def clear(self) -> None:
        """Forget all records: other answers are shown."""
        self.forget_data_file()
        self._in_report.clear()
        self._searched_in_report.clear()
        self._opened, self._reported = None, -1

    async def _load(self) -> None:
        await self._load_from_data()
        needs_report = any(
            not sheet.is_record_complete and sheet.task_id not in self._searched_in_report
            for sheet in self._find_shown().answers.sheets
        )
        while (of := self._find_shown().of) is not None and (needs_report or self._opened is not None):
            opened, self._opened = self._opened, None
            if of.is_collection:
                return  # it has no records
            if needs_report or (opened is not None and self.is_finding(opened)):
                await self._load_from_report(of)
            needs_report = False
            await self._load_from_data()

    async def _load_from_data(self) -> None:
        """Find the records of answered tasks in the data file, by their metadata."""
        while (shown := self._find_shown()).data is not None and (missing := self._missing(shown.answers)):
            data, stopped = shown.data, threading.Event()
            try:
                records = await asyncio.to_thread(
                    find_records, data.path, data.format, list(missing.values()), stopped.is_set
                )
            except (OSError, ValueError):  # the file is missing or has changed: only metadata is shown
                return
            finally:
                stopped.set()
            now = self._find_shown()
            if (data, shown.of) == (now.data, now.of):
                self._searched_in_data.update(missing)
                self._in_data.update(
                    {id: record for id, record in zip(missing, records, strict=True) if record is not None}
                )
                await self._show_records()

    def _missing(self, answers: Answers) -> dict[str, Mapping[str, str]]:
        """The metadata of the tasks whose records were not looked up in the data file yet, by task id."""
        return {
            sheet.task_id: sheet.record
            for sheet in answers.sheets
            if sheet.record and sheet.task_id not in self._searched_in_data
        }

    async def _load_from_report(self, of: RemoteStudy) -> None:
        """Find the records that the data file lacks, in one pass; none if the report cannot be read."""
        connection, version = self._session.connection, self._answers_version
        answers = self._find_shown().answers
        records: Mapping[str, Mapping[str, str]] = {}
        searched: set[str] = set()
        try:
            records = await self._session.run(
                lambda context, _hooks: find_records_in_report(
                    context, of.id, _answers_without_record(answers)
                ),
                may_prompt=False,
            )
            searched = {sheet.task_id for sheet in answers.sheets}
        except Exception as error:
            # The metadata is shown instead of the record.
            if self._tasks.message(error).is_bug:
                raise
        finally:
            if (of, connection) == (self._find_shown().of, self._session.connection):
                self._in_report.update(records)
                self._searched_in_report |= searched
                self._reported = version
                self.report_searched.emit()
        if records and of == self._find_shown().of:
            await self._show_records()


def _answers_without_record(answers: Answers) -> Iterable[AnswerToLocate]:
    """The answers to tasks whose complete record is unknown, in the form in which the report has them."""
    questions = {question.id: question.title for question in answers.questions}
    for sheet in answers.sheets:
        if sheet.answered_at is not None and not sheet.is_record_complete:
            for id, answer in sheet.answers.items():
                yield AnswerToLocate(
                    sheet.task_id, sheet.participant, questions[id], sheet.answered_at, answer.text
                )
