"""The records of the answered tasks: from the data file of the study, otherwise from the report of the batch.

Tasks are titled by their records, since metadata alone seldom identifies a record for a person.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Set
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from batchwright.analysis.store.answer_query import AnswerQuery
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.client.remote_study import RemoteStudy
from batchwright.data_files.matching import find_records
from batchwright.local.projects import DataFile
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.workflows.data.find_records import AnswerToLocate, find_records_in_report

_BLOCK = 2_000
"""Answers read from the store at once."""


@dataclass(frozen=True)
class ShownAnswers:
    """The answers that are shown at present, and where they come from."""

    of: RemoteStudy | None
    """The batch or collection; collections have no records."""
    store: AnswerStore
    data: DataFile | None
    """The data file that the tasks were created from, if that is known: that of the study."""


class RecordSearch(QObject):
    """Finds complete records; the report is searched only for those that the data file lacks.

    Args:
        find_shown: returns the answers that are shown.
        show_records: shows complete records, by task id.
    """

    report_searched = Signal()

    def __init__(
        self,
        find_shown: Callable[[], ShownAnswers],
        show_records: Callable[[Mapping[str, Mapping[str, str]]], Awaitable[None]],
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
        self._opened: str | None = None
        """The task whose complete record the user wants to read, until the report was searched for it."""
        self._report_version, self._read_version = 0, -1
        """A counter of possible changes of the report, and its value when the report was last read."""

    @property
    def found(self) -> dict[str, Mapping[str, str]]:
        """Complete records by task id, from the data file and from the report."""
        return {**self._in_report, **self._in_data}

    def start(self) -> None:
        """Find the records of the answered tasks in the data file, and those that it lacks in the report."""
        self._tasks.start("results records", self._load)

    def find(self, task: str) -> Mapping[str, str] | None:
        """The complete record of a task; None if it is unknown, and is then searched for if necessary."""
        record = self._in_data.get(task) or self._in_report.get(task)
        if record is None and self.is_finding(task):
            self._opened = task
            self.start()
        return record

    def is_finding(self, task: str) -> bool:
        """Whether the complete record of a task is still being looked up."""
        of = self._find_shown().of
        has_record = bool(task) and of is not None and not of.is_collection
        is_known = task in self._in_data or task in self._in_report
        return has_record and not is_known and self._read_version != self._report_version

    def invalidate_report(self) -> None:
        """Let the report be read again, as it may have changed."""
        self._report_version += 1

    def clear_data_file(self) -> None:
        """Forget the records of the data file: the study has another one."""
        self._in_data.clear()
        self._searched_in_data.clear()

    def clear(self) -> None:
        """Forget all records: other answers are shown."""
        self.clear_data_file()
        self._in_report.clear()
        self._searched_in_report.clear()
        self._opened, self._read_version = None, -1

    async def _load(self) -> None:
        await self._load_from_data()
        needs_report = bool(await self._missing(self._searched_in_report))
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
        is_shown = False
        while (data := self._find_shown().data) is not None:
            of, missing = self._find_shown().of, await self._missing(self._searched_in_data)
            missing = {task: values for task, values in missing.items() if values}
            if not missing:
                break
            stopped = threading.Event()
            try:
                records = await asyncio.to_thread(
                    find_records, data.path, data.format, list(missing.values()), stopped.is_set
                )
            except (OSError, ValueError):  # the file is missing or has changed: only metadata is shown
                break
            finally:
                stopped.set()
            now = self._find_shown()
            if (data, of) == (now.data, now.of):
                self._searched_in_data.update(missing)
                self._in_data.update(
                    {id: record for id, record in zip(missing, records, strict=True) if record is not None}
                )
                is_shown = True
                await self._show_records(self.found)
        if not is_shown:
            await self._show_records(self.found)

    async def _missing(self, searched: set[str]) -> dict[str, dict[str, str]]:
        """What is known of the tasks without a complete record that were not searched yet, by task id."""
        values = await asyncio.to_thread(self._find_shown().store.task_values)
        found = self.found
        return {task: record for task, record in values.items() if task not in searched and task not in found}

    async def _load_from_report(self, of: RemoteStudy) -> None:
        """Find the records that the data file lacks, in one pass; none if the report cannot be read."""
        connection, version = self._session.connection, self._report_version
        store = self._find_shown().store
        records: Mapping[str, Mapping[str, str]] = {}
        searched: set[str] = set()
        missing = frozenset(await self._missing(set()))
        try:
            records = await self._session.run(
                lambda context, _hooks: find_records_in_report(
                    context, of.id, _answers_without_record(store, missing)
                ),
                may_prompt=False,
            )
            searched = set(missing)
        except Exception as error:
            # The metadata is shown instead of the record.
            if self._tasks.message(error).is_bug:
                raise
        finally:
            if (of, connection) == (self._find_shown().of, self._session.connection):
                self._in_report.update(records)
                self._searched_in_report |= searched
                self._read_version = version
                self.report_searched.emit()
        if records and of == self._find_shown().of:
            await self._show_records(self.found)


def _answers_without_record(store: AnswerStore, tasks: Set[str]) -> Iterator[AnswerToLocate]:
    """The answers to some tasks in the form in which the report has them."""
    rows = store.query(AnswerQuery())
    for start in range(0, rows.count, _BLOCK):
        for row in rows.rows(start, _BLOCK):
            if row.task in tasks and row.answered_at is not None:
                yield AnswerToLocate(row.task, row.participant, row.question.title, row.answered_at, row.text)
