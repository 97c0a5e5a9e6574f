"""Syncs that the service begins by itself: it tells nobody their ids, so they are known by what they make.

Neither the answer to an append nor the batch names them, and there is no list (wire.md 4.8, 5.1, 5.5).
So the batch is looked at while records wait for their tasks, and what came is listed as a job.
"""

import asyncio
from collections.abc import Container
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from PySide6.QtCore import QObject, Signal

from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind, JobOutcome, JobStatus
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.jobs.job_types import BY_ITSELF
from batchwright.ui.run.labels import dataset_record_count
from batchwright.ui.run.remote_state import RemoteBatches
from batchwright.wire.batches import Batch, BatchStatus
from batchwright.wire.syncs import SyncStatus

_LOOKS = 20
"""How often the batch is looked at before whoever looks is told to sync: some minutes at a hosted service."""
_MAKES_TASKS = frozenset({JobKind.SETUP, JobKind.SYNC})
_FILES = frozenset({JobKind.UPLOAD, JobKind.IMPORT})
"""What brings records that no sync begins for by itself (wire.md 15)."""


@dataclass(frozen=True)
class _Known:
    """What a batch had when it was last looked at."""

    tasks: int
    records: int
    is_auto: bool
    at: datetime


class AutoSyncDetector(QObject):
    """Follows the study's batch while auto-sync is on; `changed` tells when waiting has come to an end."""

    changed = Signal()

    def __init__(
        self, session: ConnectionSession, tasks: Tasks, seen: RemoteBatches, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._tasks, self._seen = session, tasks, seen
        self._known: dict[str, _Known] = {}
        self._awaited: set[str] = set()
        """The batches whose records came while auto-sync was on."""
        self._unlisted: list[tuple[str, Batch, int]] = []
        """Tasks that came by themselves, and are not among the jobs yet, with where they came."""
        seen.looked.connect(self._take_look)

    @property
    def is_awaited(self) -> bool:
        """Whether records of the batch get their tasks by themselves, as far as anybody can tell."""
        batch = self._seen.own
        return batch is not None and batch.id in self._awaited and _waiting(batch) > 0

    def forget(self, batch_id: str) -> None:
        """Take what the batch has next for given: somebody here has asked for it."""
        self._known.pop(batch_id, None)

    def _take_look(self) -> None:
        """See what came since the last look: records to wait for, and tasks that nobody here asked for."""
        batch = self._seen.own
        if batch is None or batch.status != BatchStatus.READY:
            return
        before = self._known.get(batch.id)
        self._known[batch.id] = now = _known(batch)
        if not _waiting(batch):
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
            self._tasks.start("run self-syncs", self._follow)

    async def _follow(self) -> None:
        """List what came by itself, and look again while something should come."""
        pauses = (await self._session.bench(asks=False)).watching.pauses()
        for pause in islice(pauses, _LOOKS):
            while self._unlisted:
                at, batch, made = self._unlisted.pop()
                if at == self._session.connection.name:
                    await _list(await self._session.bench(asks=False), batch, made)
            if not self.is_awaited or self._seen.fault is not None:
                return
            await asyncio.sleep(pause)
            await self._seen.look_now()
        self._awaited.clear()
        self.changed.emit()

    def _has_run(self, kinds: Container[str], since: datetime) -> bool:
        """Whether a job of the study of one of some kinds has run since a moment, as far as is known here."""
        jobs = (job for job in self._seen.jobs if job.kind in kinds)
        return any(job.ended_at is None or job.ended_at >= since for job in jobs)


async def _list(bench: WorkflowContext, batch: Batch, made: int) -> None:
    """Have what the service did by itself listed among the jobs."""
    begun = await bench.watching.begin(JobKind.SYNC, {"batch_id": batch.id}, batch.name)
    came = JobStatus(SyncStatus.COMPLETE, JobOutcome.DONE, {"tasks_created": made, BY_ITSELF: True})
    await bench.watching.turned_out(begun.row, came)


def _known(batch: Batch) -> _Known:
    return _Known(
        batch.total_task_count, dataset_record_count(batch), batch.auto_sync_enabled, datetime.now(UTC)
    )


def _waiting(batch: Batch) -> int:
    """How many records have no task: a task is made of one record, and the service counts both."""
    return dataset_record_count(batch) - batch.total_task_count
