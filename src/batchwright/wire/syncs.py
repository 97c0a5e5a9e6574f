"""Sync jobs of batches (wire reference, 5.5)."""

from enum import StrEnum

from batchwright.wire.base import Open, ResponseBody
from batchwright.wire.ids import Timestamp


class SyncStatus(StrEnum):
    """How far a sync has come (specification, Sync job status)."""

    QUEUED = "queued"
    PROCESSING = "processing"
    COMPLETE = "complete"
    FAILED = "failed"


POLLED = frozenset({SyncStatus.QUEUED, SyncStatus.PROCESSING})
"""The statuses at which a client looks again."""


class SyncJob(ResponseBody):
    """POST `/batches/{id}/sync` and GET `/batches/{id}/syncs/{sync_id}`."""

    status: Open[SyncStatus]
    sync_id: str | None = None
    """Absent only on a job that was over at once."""
    batch_id: str | None = None
    dataset_id: str | None = None
    created_at: Timestamp | None = None
    updated_at: Timestamp | None = None
    tasks_created: int | None = None
    datapoints_processed: int | None = None
    groups_created: int | None = None
    groups_expanded: int | None = None
    reason: str | None = None

    @property
    def settled(self) -> bool:
        """Whether a client stops looking: at every status but two, unknown ones included."""
        return self.status not in POLLED
