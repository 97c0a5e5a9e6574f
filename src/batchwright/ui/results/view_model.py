"""What the Results stage shows: the answers of the study's batch, and what is being fetched. No widgets."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from batchwright.api.errors import NotFound
from batchwright.api.files import OnProgress
from batchwright.results.answers import Answers, Sheet, gather
from batchwright.results.tallies import Tally, tallies
from batchwright.ui.session import Session
from batchwright.ui.study import Study
from batchwright.ui.tasks import Message, Tasks
from batchwright.wire.batches import Batch
from batchwright.wire.responses import ResponseRecord
from batchwright.workflows.deliver import Delivered, deliver_export, deliver_report
from batchwright.workflows.workbench import Workbench


class What(StrEnum):
    """What can be taken away."""

    REPORT = "report"
    EXPORT = "export"


@dataclass(frozen=True)
class Fetching:
    """A file on its way; `done` is from 0 to 1, None until its length is known."""

    what: What
    path: Path
    done: float | None = None


@dataclass(frozen=True)
class Filter:
    """Which sheets and which questions are shown; empty means all."""

    words: str = ""
    question: str = ""
    participant: str = ""

    def takes(self, sheet: Sheet) -> bool:
        """Whether a sheet is shown."""
        is_of = not self.participant or sheet.participant == self.participant
        answers = not self.question or self.question in sheet.answers
        return is_of and answers and self.words.strip().casefold() in sheet.words


class ResultsViewModel(QObject):
    """Holds the answers of the study's batch at the active connection."""

    changed = Signal()
    """Everything but what is fetched."""
    filter_changed = Signal()
    fetching_changed = Signal()
    delivered = Signal(object, object)
    """What was fetched, and the file with its proofs."""

    def __init__(
        self,
        study: Study,
        session: Session,
        tasks: Tasks,
        describe: Callable[[BaseException], Message],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.study, self.session = study, session
        self._tasks, self._describe = tasks, describe
        self.answers, self.tallies = Answers(), tuple[Tally, ...]()
        self.batch: Batch | None = None
        self.filter = Filter()
        self.fetching: Fetching | None = None
        self.fault: Message | None = None
        self.is_loading = False
        self.fetched_at: datetime | None = None
        self._batch_id = self.batch_id
        session.changed.connect(self._take_batch)
        study.changed.connect(self._take_batch)
        study.saved_changed.connect(self._take_batch)

    @property
    def batch_id(self) -> str | None:
        """The batch of the study at the active connection."""
        return self.study.remote(self.session.connection.name).batch_id

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """The sheets that the filter takes."""
        return tuple(sheet for sheet in self.answers.sheets if self.filter.takes(sheet))

    def set_filter(self, filter: Filter) -> None:
        """Show other sheets."""
        if filter != self.filter:
            self.filter = filter
            self.filter_changed.emit()

    def look(self) -> None:
        """Fetch the answers again."""
        if self.batch_id is not None:
            self._tasks.start("results look", self._look)

    def fetch(self, what: What, path: Path) -> None:
        """Fetch report or export to `path`, and prove it."""
        self._tasks.start(f"results {what}", lambda: self._fetch(what, path))

    def stop(self) -> None:
        """Fetch nothing any more."""
        for what in What:
            self._tasks.cancel(f"results {what}")

    async def _look(self) -> None:
        batch_id = self.batch_id
        if batch_id is None:
            return
        self.is_loading = not self.answers.sheets
        self.changed.emit()
        try:
            bench = await self.session.bench()
            batch = await bench.service.batches.get(batch_id)
            records = (await bench.service.batches.responses(batch_id)).results
            answers, counted = await asyncio.to_thread(_read, records, batch)
        except NotFound:
            if batch_id == self.batch_id:
                self.fault, self.batch, self.answers, self.tallies = None, None, Answers(), ()
        except Exception as fault:
            # A look that fails is shown in place of what it would have shown.
            if batch_id == self.batch_id:
                self.fault = self._describe(fault)
        else:
            if batch_id == self.batch_id:
                self.fault, self.batch = None, batch
                self.answers, self.tallies = answers, counted
                self.fetched_at = datetime.now(UTC)
        finally:
            self.is_loading = False
            self.changed.emit()

    async def _fetch(self, what: What, path: Path) -> None:
        batch_id = self.batch_id
        if batch_id is None:
            return
        with self._fetches(what, path) as told:
            bench = await self.session.bench()
            batch = await bench.service.batches.get(batch_id)
            delivered = await self._deliver(bench, batch, what, path, told)
        self.delivered.emit(what, delivered)

    async def _deliver(
        self, bench: Workbench, batch: Batch, what: What, path: Path, told: OnProgress
    ) -> Delivered:
        if what is What.EXPORT:
            return await deliver_export(bench, batch.id, path, told)
        schema = self.study.schema
        return await deliver_report(bench, batch, list(schema.fields) if schema else [], path, told)

    @contextmanager
    def _fetches(self, what: What, path: Path) -> Iterator[OnProgress]:
        def told(done: int, total: int | None) -> None:
            self._show(Fetching(what, path, done / total if total else None))

        self._show(Fetching(what, path))
        try:
            yield told
        finally:
            self._show(None)

    def _show(self, fetching: Fetching | None) -> None:
        self.fetching = fetching
        self.fetching_changed.emit()

    def _take_batch(self) -> None:
        if self.batch_id != self._batch_id:
            self._batch_id = self.batch_id
            self.answers, self.tallies, self.batch = Answers(), (), None
            self.fault, self.fetched_at, self.filter = None, None, Filter()
            self.changed.emit()


def _read(records: Sequence[ResponseRecord], batch: Batch) -> tuple[Answers, tuple[Tally, ...]]:
    answers = gather(records, batch.batch_items)
    return answers, tallies(answers)
