"""What a batch needs once its tasks are made: syncs for records that come later (Batches rules 6 and 7)."""

from dataclasses import dataclass
from datetime import datetime
from itertools import count

from PySide6.QtCore import QObject, Signal

from batchwright.api.errors import BadRequest
from batchwright.base.i18n import _
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.jobs.job_types import BY_ITSELF
from batchwright.ui.run.auto_sync_detection import AutoSyncDetector
from batchwright.ui.run.labels import dataset_record_count, sync_result_text
from batchwright.ui.run.operations import BatchOperationRunner
from batchwright.ui.run.remote_state import RemoteBatches
from batchwright.wire.batches import Batch, BatchStatus
from batchwright.wire.syncs import SyncJob
from batchwright.workflows.auto_sync import set_auto_sync
from batchwright.workflows.sync import V3NotSynced, sync


@dataclass(frozen=True)
class LastSync:
    """The latest sync that has ended, as far as this program watched it: when, and what came of it."""

    ended_at: datetime | None
    job: SyncJob
    has_failed: bool
    is_by_itself: bool
    """Whether nobody had asked for it."""


class SyncController(QObject):
    """Syncs the study's batch, and switches auto-sync; `changed` follows the switch."""

    changed = Signal()
    told = Signal(str, str)
    """A sync has ended well: what, and one line about it."""

    def __init__(
        self,
        session: ConnectionSession,
        tasks: Tasks,
        seen: RemoteBatches,
        under_way: BatchOperationRunner,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._tasks, self._seen, self._under_way = session, tasks, seen, under_way
        self._wished: dict[str, bool] = {}
        """What auto-sync is being switched to, by batch."""
        self._numbers = count(1)
        self._self_syncs = AutoSyncDetector(session, tasks, seen, self)
        self._self_syncs.changed.connect(self.changed)

    @property
    def is_v3(self) -> bool:
        """Whether the batch has a V3 dataset, which no records can be appended to."""
        return self._seen.is_v3

    @property
    def unsynced(self) -> int:
        """How many records wait for a sync: a task is made of one record, and the service counts both."""
        batch = self._seen.own
        if batch is None or batch.status != BatchStatus.READY or self.is_v3:
            return 0
        return max(0, dataset_record_count(batch) - batch.total_task_count)

    @property
    def awaits(self) -> bool:
        """Whether auto-sync should make their tasks any moment."""
        return self.unsynced > 0 and self._self_syncs.is_awaited

    @property
    def reason_not(self) -> str:
        """Why the batch cannot be synced now; empty when it can (Batches rule 7)."""
        batch, going = self._seen.own, self._under_way.going
        if batch is None:
            return _("Create the batch first")
        if going is not None:
            return going.text
        if batch.status != BatchStatus.READY:
            return _("Set up tasks first")
        return "" if batch.datasets else _("The batch has no dataset")

    @property
    def last_sync(self) -> LastSync | None:
        """What came of the latest sync of the batch."""
        for job in self._seen.jobs:
            is_own = job.kind == JobKind.SYNC and job.subject.get("batch_id") == self._seen.own_id
            if is_own and job.ending in {JobOutcome.DONE, JobOutcome.FAILED}:
                said = SyncJob.model_validate({**job.detail, "status": job.state})
                is_by_itself = bool(job.detail.get(BY_ITSELF))
                return LastSync(job.ended_at, said, job.ending == JobOutcome.FAILED, is_by_itself)
        return None

    @property
    def is_auto(self) -> bool:
        """Whether what is appended gets its tasks by itself, as it was wished last or else is."""
        batch = self._seen.own
        return batch is not None and self._wished.get(batch.id, batch.auto_sync_enabled)

    def sync(self) -> None:
        """Have tasks made of the records that came after setup or the last sync."""
        batch = self._seen.own
        if batch is not None:
            self._under_way.start("sync", lambda: self._sync(batch))

    def set_auto(self, *, is_on: bool) -> None:
        """Switch auto-sync; where the service refuses, it is again what it was."""
        batch = self._seen.own
        if batch is not None:
            is_sending = batch.id in self._wished
            self._wished[batch.id] = is_on
            self.changed.emit()
            if not is_sending:
                self._tasks.start(f"run auto-sync {next(self._numbers)}", lambda: self._send_wishes(batch.id))

    async def _sync(self, batch: Batch) -> None:
        with self._under_way.goes(_("Syncing the batch")):
            try:
                job = await sync(await self._session.bench(), batch.id, batch.name)
            except BadRequest as refused:
                if self.is_v3:
                    raise V3NotSynced(refused.said.message) from refused
                raise
        self._self_syncs.forget(batch.id)
        self.told.emit(_("Sync finished"), sync_result_text(job))

    async def _send_wishes(self, batch_id: str) -> None:
        """Send what is wished, and again when something else is wished meanwhile."""
        about, at, sent = self._under_way.about, self._session.connection.name, None

        async def send(bench: WorkflowContext, _waits: RecoveryHooks | None) -> Batch:
            nonlocal sent
            sent = self._wished[batch_id]
            return await set_auto_sync(bench, batch_id, is_on=sent)

        try:
            while sent is not self._wished[batch_id]:
                batch = await self._session.at_work(send, at=at)
                if about == self._under_way.about:
                    self._seen.keep(batch)
        finally:
            del self._wished[batch_id]
            self.changed.emit()
