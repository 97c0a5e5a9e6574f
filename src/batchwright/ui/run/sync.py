"""Syncs and auto-sync: tasks for records added after setup (specification, Batches rules 6 and 7)."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QObject, Signal

from batchwright.base.i18n import _
from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.job_types import BY_ITSELF
from batchwright.ui.core.operations import OperationRunner
from batchwright.ui.core.remote_state import RemoteState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.run.auto_sync_detection import AutoSyncDetector
from batchwright.ui.run.labels import dataset_record_count
from batchwright.ui.run.remote_batches import RemoteBatches
from batchwright.wire.batches import Batch, BatchStatus
from batchwright.wire.syncs import SyncJob


@dataclass(frozen=True)
class LastSync:
    """The latest sync that has ended, as monitored by this program: its time and result."""

    ended_at: datetime | None
    job: SyncJob
    has_failed: bool
    is_by_itself: bool
    """Whether the service started it by itself (auto-sync)."""


class SyncState(QObject):
    """Records without tasks, and auto-sync, of the study's batch.

    Args:
        own: returns the batch of the study, as last fetched.
    """

    changed = Signal()
    """The requested auto-sync setting has changed, or tasks are not expected any more."""

    def __init__(
        self,
        session: ConnectionSession,
        tasks: Tasks,
        remote: RemoteState[RemoteBatches],
        operations: OperationRunner,
        own: Callable[[], Batch | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._remote, self._operations, self._own = remote, operations, own
        self._wished: dict[str, bool] = {}
        self.detector = AutoSyncDetector(session, tasks, remote, own, self)
        self.detector.changed.connect(self.changed)

    @property
    def is_v3(self) -> bool:
        """Whether the batch has a V3 dataset, to which no records can be appended."""
        return self._remote.value is not None and self._remote.value.is_v3(self._own())

    @property
    def unsynced(self) -> int:
        """Number of records without a task: each task has one record, and the service counts both."""
        batch = self._own()
        if batch is None or batch.status != BatchStatus.READY or self.is_v3:
            return 0
        return max(0, dataset_record_count(batch) - batch.total_task_count)

    @property
    def is_awaited(self) -> bool:
        """Whether auto-sync is expected to create their tasks soon."""
        return self.unsynced > 0 and self.detector.is_awaited

    @property
    def reason_not(self) -> str:
        """Why the batch cannot be synced now; empty if it can (Batches rule 7)."""
        batch, operation = self._own(), self._operations.current
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
        batch = self._own()
        for job in self._remote.value.jobs if self._remote.value and batch else ():
            is_own = job.kind == JobKind.SYNC and job.subject.get("batch_id") == (batch.id if batch else "")
            if is_own and job.outcome in {JobOutcome.DONE, JobOutcome.FAILED}:
                result = SyncJob.model_validate({**job.detail, "status": job.state})
                is_by_itself = bool(job.detail.get(BY_ITSELF))
                return LastSync(job.ended_at, result, job.outcome == JobOutcome.FAILED, is_by_itself)
        return None

    @property
    def is_auto(self) -> bool:
        """Whether auto-sync is on, or is being switched on."""
        batch = self._own()
        return batch is not None and self._wished.get(batch.id, batch.auto_sync_enabled)

    def wished(self, batch_id: str) -> bool | None:
        """The auto-sync setting that is being sent; None if no change is running."""
        return self._wished.get(batch_id)

    def wish(self, batch_id: str, *, is_on: bool | None) -> None:
        """Set the requested auto-sync setting of a batch; None once it was sent."""
        if is_on is None:
            self._wished.pop(batch_id, None)
        else:
            self._wished[batch_id] = is_on
        self.changed.emit()
