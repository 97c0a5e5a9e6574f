"""Syncs that the service starts by itself: it tells nobody their ids, so they are detected by their tasks.

Neither the response to an append nor the batch names them, and there is no list of them. So the batch is
fetched while records wait for their tasks, and tasks that nobody here asked for are stored as a sync job.
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
"""How often the batch is fetched before the person is told to sync: some minutes at a hosted service."""
_MAKES_TASKS = frozenset({JobKind.SETUP, JobKind.SYNC})
_FILES = frozenset({JobKind.UPLOAD, JobKind.IMPORT})
"""What brings records that no auto-sync starts for."""


@dataclass(frozen=True)
class _Counts:
    """What a batch had when it was last fetched."""

    tasks: int
    records: int
    is_auto: bool
    at: datetime


class AutoSyncDetector(QObject):
    """Follows the study's batch while auto-sync is on; `changed` is emitted when waiting has ended.

    Args:
        own: returns the batch of the study, as it was last fetched.
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
        """By batch."""
        self._awaited: set[str] = set()
        """The ids of batches whose records came while auto-sync was on."""
        self._unlisted: list[tuple[str, Batch, int]] = []
        """Connection, batch and number of tasks that came by themselves, and are not among the jobs yet."""
        remote.fetched.connect(self._on_fetched)

    @property
    def is_awaited(self) -> bool:
        """Whether records of the batch get their tasks by themselves, as far as anybody can tell."""
        batch = self._own()
        return batch is not None and batch.id in self._awaited and _unsynced(batch) > 0

    def forget(self, batch_id: str) -> None:
        """Take what the batch has next as given: somebody here has asked for it."""
        self._before.pop(batch_id, None)

    def _on_fetched(self) -> None:
        """See what came since the last fetch: records to wait for, and tasks that nobody here asked for."""
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
        """List what came by itself, and fetch again while something should come."""
        pauses = (await self._session.context(asks=False)).jobs.poll_intervals()
        for pause in islice(pauses, _FETCHES):
            while self._unlisted:
                at, batch, made = self._unlisted.pop()
                if at == self._session.connection.name:
                    await _list(await self._session.context(asks=False), batch, made)
            if not self.is_awaited or self._remote.error is not None:
                return
            await asyncio.sleep(pause)
            await self._remote.fetch_now()
        self._awaited.clear()
        self.changed.emit()

    def _has_run(self, kinds: Container[str], since: datetime) -> bool:
        """Whether a job of the study of one of some kinds has run since a moment, as far as is known here."""
        known = self._remote.value
        jobs = (job for job in (known.jobs if known else ()) if job.kind in kinds)
        return any(job.ended_at is None or job.ended_at >= since for job in jobs)


async def _list(context: WorkflowContext, batch: Batch, made: int) -> None:
    """Store tasks that the service created by itself as a finished sync job."""
    begun = await context.jobs.start(JobKind.SYNC, {"batch_id": batch.id}, batch.name)
    came = JobStatus(SyncStatus.COMPLETE, JobOutcome.DONE, {"tasks_created": made, BY_ITSELF: True})
    await context.jobs.record_retried(begun.row, came)


def _counts(batch: Batch) -> _Counts:
    return _Counts(
        batch.total_task_count, dataset_record_count(batch), batch.auto_sync_enabled, datetime.now(UTC)
    )


def _unsynced(batch: Batch) -> int:
    """How many records have no task: a task is made of one record, and the service counts both."""
    return dataset_record_count(batch) - batch.total_task_count
