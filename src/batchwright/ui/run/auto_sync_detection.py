"""Detects syncs that the service starts by itself (auto-sync).

No response names such a sync, and there is no list of them. So the batch is fetched repeatedly while records
wait for their tasks, and new tasks that nobody here requested are stored as a finished sync job.
"""

import asyncio
from collections.abc import Callable, Container
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from PySide6.QtCore import QObject, Signal

from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind, JobOutcome, JobStatus
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.job_types import BY_ITSELF
from batchwright.ui.core.remote_state import RemoteState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.run.labels import dataset_record_count
from batchwright.ui.run.remote_batches import RemoteBatches
from batchwright.wire.batches import Batch, BatchStatus
from batchwright.wire.syncs import SyncStatus

_FETCHES = 20
"""How often the batch is fetched before the user is asked to sync; takes some minutes at a hosted service."""
_MAKES_TASKS = frozenset({JobKind.SETUP, JobKind.SYNC})
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
    """Monitors the study's batch while auto-sync is on; `changed` is emitted when it gives up waiting.

    Args:
        own: returns the batch of the study, as last fetched.
    """

    changed = Signal()

    def __init__(
        self,
        session: ConnectionSession,
        tasks: Tasks,
        remote: RemoteState[RemoteBatches],
        own: Callable[[], Batch | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._tasks, self._remote, self._own = session, tasks, remote, own
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
        batch = self._own()
        return batch is not None and batch.id in self._awaited and _unsynced(batch) > 0

    def forget(self, batch_id: str) -> None:
        """Do not attribute the next changes of a batch to auto-sync, because a sync was requested here."""
        self._before.pop(batch_id, None)

    def _on_fetched(self) -> None:
        """Detect new records, and new tasks not requested here, since the last fetch."""
        batch = self._own()
        if batch is None or batch.status != BatchStatus.READY:
            return
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
        if now.tasks > before.tasks and not self._has_run(_MAKES_TASKS, before.at):
            self._unlisted.append((self._session.connection.name, batch, now.tasks - before.tasks))
        if self._unlisted or self.is_awaited:
            self._tasks.start("detect auto-syncs", self._follow)

    async def _follow(self) -> None:
        """Store detected auto-syncs as jobs, and fetch the batch again while tasks are expected."""
        pauses = (await self._session.context(may_prompt=False)).jobs.poll_intervals()
        for pause in islice(pauses, _FETCHES):
            while self._unlisted:
                at, batch, made = self._unlisted.pop()
                if at == self._session.connection.name:
                    await _list(await self._session.context(may_prompt=False), batch, made)
            if not self.is_awaited or self._remote.error is not None:
                return
            await asyncio.sleep(pause)
            await self._remote.fetch_now()
        self._awaited.clear()
        self.changed.emit()

    def _has_run(self, kinds: Container[str], since: datetime) -> bool:
        """Whether a job of one of these kinds was running since a time, as far as known here."""
        known = self._remote.value
        jobs = (job for job in (known.jobs if known else ()) if job.kind in kinds)
        return any(job.ended_at is None or job.ended_at >= since for job in jobs)


async def _list(context: WorkflowContext, batch: Batch, made: int) -> None:
    """Store an auto-sync as a finished sync job."""
    begun = await context.jobs.start(JobKind.SYNC, {"batch_id": batch.id}, batch.name)
    came = JobStatus(SyncStatus.COMPLETE, JobOutcome.DONE, {"tasks_created": made, BY_ITSELF: True})
    await context.jobs.record_retried(begun.row, came)


def _counts(batch: Batch) -> _Counts:
    return _Counts(
        batch.total_task_count, dataset_record_count(batch), batch.auto_sync_enabled, datetime.now(UTC)
    )


def _unsynced(batch: Batch) -> int:
    """Number of records without a task: each task has one record, and the service counts both."""
    return dataset_record_count(batch) - batch.total_task_count
