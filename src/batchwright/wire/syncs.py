"""Models of sync jobs of batches (wire reference, section 5.5)."""

from enum import StrEnum

from batchwright.wire.base import Open, ResponseBody
from batchwright.wire.ids import Timestamp


class SyncStatus(StrEnum):
    """Status of a sync (specification, Sync job status)."""

    QUEUED = "queued"
    PROCESSING = "processing"
    COMPLETE = "complete"
    FAILED = "failed"


POLLED = frozenset({SyncStatus.QUEUED, SyncStatus.PROCESSING})
"""Statuses at which a client continues to poll."""


class SyncJob(ResponseBody):
    """POST `/batches/{id}/sync` and GET `/batches/{id}/syncs/{sync_id}`."""

    status: Open[SyncStatus]
    sync_id: str | None = None
    """Absent only on a job that finished immediately."""
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
        """Whether polling ends: at every status but two, including unknown ones."""
        return self.status not in POLLED
