"""Syncs and auto-sync: tasks for records added after setup (specification, Batches rules 6 and 7).

No response names a sync that the service starts by itself (auto-sync), and there is no list of them. So the
batch is fetched repeatedly while records wait for their tasks, and new tasks that nobody here requested are
stored as a finished sync job.
"""

import asyncio
from collections.abc import Callable, Container
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from PySide6.QtCore import QObject, Signal

from batchwright.base.i18n import _
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind, JobOutcome, JobStatus
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.job_types import BY_ITSELF
from batchwright.ui.core.operations import OperationRunner
from batchwright.ui.core.remote_state import RemoteState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.run.labels import dataset_record_count
from batchwright.ui.run.remote_batches import RemoteBatches, ShownBatch
from batchwright.wire.batches import Batch, BatchStatus
from batchwright.wire.syncs import SyncJob, SyncStatus


@dataclass(frozen=True)
class LastSync:
    """The latest sync that has ended, as monitored by this program: its time and result."""

    ended_at: datetime | None
    job: SyncJob
    has_failed: bool
    is_by_itself: bool
    """Whether the service started it by itself (auto-sync)."""


class SyncState(QObject):
    """Records without tasks, and auto-sync, of the batch shown.

    Args:
        find_shown: returns the batch shown, as last fetched.
    """

    changed = Signal()
    """The requested auto-sync setting has changed, or tasks are not expected any more."""

    def __init__(
        self,
        session: ConnectionSession,
        tasks: Tasks,
        remote: RemoteState[RemoteBatches],
        operations: OperationRunner,
        find_shown: Callable[[], ShownBatch | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._operations, self._find_shown = operations, find_shown
        self._requested: dict[str, bool] = {}
        self.detector = AutoSyncDetector(session, tasks, remote, find_shown, self)
        self.detector.changed.connect(self.changed)

    @property
    def batch(self) -> Batch | None:
        """The batch shown."""
        shown = self._find_shown()
        return shown.batch if shown is not None else None

    @property
    def is_v3(self) -> bool:
        """Whether the batch has a V3 dataset, to which no records can be appended."""
        shown = self._find_shown()
        return shown is not None and shown.is_v3

    @property
    def unsynced(self) -> int:
        """Number of records without a task: each task has one record, and the service counts both."""
        batch = self.batch
        if batch is None or batch.status != BatchStatus.READY or self.is_v3:
            return 0
        return max(0, dataset_record_count(batch) - batch.total_task_count)

    @property
    def is_awaited(self) -> bool:
        """Whether auto-sync is expected to create their tasks soon."""
        return self.unsynced > 0 and self.detector.is_awaited

    @property
    def disabled_reason(self) -> str:
        """Why the batch cannot be synced now; empty if it can (Batches rule 7)."""
        batch, operation = self.batch, self._operations.current
        if batch is None:
            return _("Create the batch first")
        if operation is not None:
            return operation.title
        if batch.status != BatchStatus.READY:
            return _("Set up tasks first")
        return "" if batch.datasets else _("The batch has no dataset")

    @property
    def last_sync(self) -> LastSync | None:
        """The latest sync of the batch that has ended."""
        shown = self._find_shown()
        if shown is None:
            return None
        for job in shown.jobs:
            is_sync = job.kind == JobKind.SYNC and job.subject.get("batch_id") == shown.batch.id
            if is_sync and job.outcome in {JobOutcome.DONE, JobOutcome.FAILED}:
                result = SyncJob.model_validate({**job.detail, "status": job.state})
                is_by_itself = bool(job.detail.get(BY_ITSELF))
                return LastSync(job.ended_at, result, job.outcome == JobOutcome.FAILED, is_by_itself)
        return None

    @property
    def is_auto(self) -> bool:
        """Whether auto-sync is on, or is being switched on."""
        batch = self.batch
        return batch is not None and self._requested.get(batch.id, batch.auto_sync_enabled)

    def requested(self, batch_id: str) -> bool | None:
        """The auto-sync setting that is being sent; None if no change is running."""
        return self._requested.get(batch_id)

    def request(self, batch_id: str, *, is_on: bool | None) -> None:
        """Set the requested auto-sync setting of a batch; None once it was sent."""
        if is_on is None:
            self._requested.pop(batch_id, None)
        else:
            self._requested[batch_id] = is_on
        self.changed.emit()


_FETCHES = 20
"""How often the batch is fetched before a sync is suggested; this takes some minutes at a hosted service."""
_TASK_CREATING_JOBS = frozenset({JobKind.SETUP, JobKind.SYNC})
_FILES = frozenset({JobKind.UPLOAD, JobKind.IMPORT})
"""Kinds of job that add records for which the service starts no auto-sync."""


@dataclass(frozen=True)
class _Counts:
    """The counts of a batch when it was last fetched."""

    tasks: int
    records: int
    is_auto: bool
    at: datetime


class AutoSyncDetector(QObject):
    """Monitors the batch shown while auto-sync is on; `changed` is emitted when it gives up waiting.

    Args:
        find_shown: returns the batch shown, as last fetched.
    """

    changed = Signal()

    def __init__(
        self,
        session: ConnectionSession,
        tasks: Tasks,
        remote: RemoteState[RemoteBatches],
        find_shown: Callable[[], ShownBatch | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._tasks, self._remote = session, tasks, remote
        self._find_shown = find_shown
        self._before: dict[str, _Counts] = {}
        """The previous counts by batch id."""
        self._awaited: set[str] = set()
        """The ids of batches to which records were added while auto-sync was on."""
        self._unlisted: list[tuple[str, Batch, int]] = []
        """Connection, batch and number of new tasks of auto-syncs that are not stored as jobs yet."""
        remote.fetched.connect(self._on_fetched)

    @property
    def is_awaited(self) -> bool:
        """Whether auto-sync is expected to create the missing tasks of the batch."""
        shown = self._find_shown()
        return shown is not None and self._is_awaited(shown.batch)

    def _is_awaited(self, batch: Batch) -> bool:
        return batch.id in self._awaited and _unsynced(batch) > 0

    def remove(self, batch_id: str) -> None:
        """Do not attribute the next changes of a batch to auto-sync, because a sync was requested here."""
        self._before.pop(batch_id, None)

    def _on_fetched(self) -> None:
        """Detect new records, and new tasks not requested here, since the last fetch."""
        shown = self._find_shown()
        if shown is None or shown.batch.status != BatchStatus.READY:
            return
        batch = shown.batch
        before = self._before.get(batch.id)
        self._before[batch.id] = now = _counts(batch)
        if not _unsynced(batch):
            self._awaited.discard(batch.id)
        if before is None or not before.is_auto:
            return
        if now.records > before.records:
            if self._has_run(_FILES, before.at):
                self._awaited.discard(batch.id)
            else:
                self._awaited.add(batch.id)
        if now.tasks > before.tasks and not self._has_run(_TASK_CREATING_JOBS, before.at):
            self._unlisted.append((self._session.connection.name, batch, now.tasks - before.tasks))
        if self._unlisted or self.is_awaited:
            self._tasks.start("detect auto-syncs", self._follow)

    async def _follow(self) -> None:
        """Store detected auto-syncs as jobs, and fetch the batch again while tasks are expected."""
        pauses = (await self._session.context(may_prompt=False)).jobs.poll_intervals()
        for pause in islice(pauses, _FETCHES):
            while self._unlisted:
                at, batch, task_count = self._unlisted.pop()
                if at == self._session.connection.name:
                    await _record_sync_job(await self._session.context(may_prompt=False), batch, task_count)
            if not self.is_awaited or self._remote.error is not None:
                return
            await asyncio.sleep(pause)
            await self._remote.fetch_now()
        self._awaited.clear()
        self.changed.emit()

    def _has_run(self, kinds: Container[str], since: datetime) -> bool:
        """Whether a job of one of these kinds was running since a time, as far as known here."""
        shown = self._find_shown()
        jobs = (job for job in (shown.jobs if shown else ()) if job.kind in kinds)
        return any(job.ended_at is None or job.ended_at >= since for job in jobs)


async def _record_sync_job(context: WorkflowContext, batch: Batch, task_count: int) -> None:
    """Store an auto-sync as a finished sync job."""
    job = await context.jobs.start(JobKind.SYNC, {"batch_id": batch.id}, batch.name)
    came = JobStatus(SyncStatus.COMPLETE, JobOutcome.DONE, {"tasks_created": task_count, BY_ITSELF: True})
    await context.jobs.record_retried(job.row, came)


def _counts(batch: Batch) -> _Counts:
    return _Counts(
        batch.total_task_count, dataset_record_count(batch), batch.auto_sync_enabled, datetime.now(UTC)
    )


def _unsynced(batch: Batch) -> int:
    """Number of records without a task: each task has one record, and the service counts both."""
    return dataset_record_count(batch) - batch.total_task_count
