"""What a look at a job tells: how far it is, and whether and how it has ended.

One function for each kind of job turns the service's answer into a sight; what a status means is said in the
specification under States and transitions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from batchwright.base.json_values import JsonObject, is_array
from batchwright.wire.base import to_payload
from batchwright.wire.batches import BatchStatus, BatchStatusResponse
from batchwright.wire.datasets import DatasetStatus, DatasetStatusResponse
from batchwright.wire.exports import ExportJob, ExportStatus
from batchwright.wire.imports import ImportJob, ImportStatus
from batchwright.wire.migrations import MigrationJob, MigrationStatus
from batchwright.wire.syncs import SyncJob, SyncStatus


class JobKind(StrEnum):
    """What kinds of jobs are watched, and what this program does itself (`LOCAL_KINDS`)."""

    PROCESSING = "processing"
    """A file of a V3 dataset is read."""
    IMPORT = "import"
    SETUP = "setup"
    SYNC = "sync"
    MIGRATION = "migration"
    EXPORT = "export"
    COLLECTION_EXPORT = "collection_export"
    UPLOAD = "upload"
    DOWNLOAD = "download"
    APPEND = "append"

    @property
    def is_local(self) -> bool:
        """Whether this program does it: it ends with the program, and no service can be asked about it."""
        return self in LOCAL_KINDS


LOCAL_KINDS = frozenset({JobKind.UPLOAD, JobKind.DOWNLOAD, JobKind.APPEND})
"""What this program does itself."""


class JobOutcome(StrEnum):
    """How the watching of a job has ended."""

    DONE = "done"
    PARTLY = "partly"
    """Ended, with something left out."""
    MISCOUNTED = "miscounted"
    """Ended, and what it counted is not what was sent."""
    PAUSED = "paused"
    """The service waits for its owner: looking again changes nothing until something is done."""
    FAILED = "failed"
    UNCLEAR = "unclear"
    """The service calls it by a word that nobody here knows; looked at again only when asked to."""
    GONE = "gone"
    """The service knows no such job any more."""
    NOT_STARTED = "not_started"
    """The service accepted it and did not start it; looked at again only when asked to."""
    STOPPED = "stopped"
    """This program was doing it, and was cancelled, or ended meanwhile."""


IS_LATE = "is_late"
"""Marks, in what is stored of a job, one that has not started for a while."""


@dataclass(frozen=True)
class JobStatus:
    """What one look at a job showed.

    `state` is the service's own word, shown even when nobody here knows it; `detail` holds counts, reasons
    and the like, as they came.
    """

    state: str
    outcome: JobOutcome | None = None
    detail: JsonObject = field(default_factory=dict)

    @property
    def is_settled(self) -> bool:
        """Whether there is nothing left to wait for."""
        return self.outcome is not None

    @property
    def is_late(self) -> bool:
        """Whether the service has not started it for a while."""
        return bool(self.detail.get(IS_LATE))


MAX_ERRORS = 500
"""How many rejected records or nulled values are kept of one job; its counts tell of all."""

_StatusResponse = DatasetStatusResponse | ImportJob | BatchStatusResponse | SyncJob | MigrationJob | ExportJob

_IMPORTS: dict[str, JobOutcome] = {
    ImportStatus.COMPLETE: JobOutcome.DONE,
    ImportStatus.PARTIAL: JobOutcome.PARTLY,
    ImportStatus.PENDING_SCHEMA: JobOutcome.PAUSED,
    ImportStatus.FAILED: JobOutcome.FAILED,
}
_SETUPS: dict[str, JobOutcome] = {BatchStatus.READY: JobOutcome.DONE, BatchStatus.ERROR: JobOutcome.FAILED}
_PROCESSINGS: dict[str, JobOutcome] = {
    DatasetStatus.READY: JobOutcome.DONE,
    DatasetStatus.ERROR: JobOutcome.FAILED,
}
_SYNCS: dict[str, JobOutcome] = {SyncStatus.COMPLETE: JobOutcome.DONE, SyncStatus.FAILED: JobOutcome.FAILED}
_MIGRATIONS: dict[str, JobOutcome] = {
    MigrationStatus.COMPLETE: JobOutcome.DONE,
    MigrationStatus.PARTIAL: JobOutcome.PARTLY,
    MigrationStatus.FAILED: JobOutcome.FAILED,
}
_EXPORTS: dict[str, JobOutcome] = {
    ExportStatus.COMPLETE: JobOutcome.DONE,
    ExportStatus.FAILED: JobOutcome.FAILED,
}


def import_job_status(job: ImportJob, sent: int | None = None) -> JobStatus:
    """An import job; at `pending_schema` it waits for the dataset's first schema (wire reference, 4.6).

    Args:
        job: as it stands.
        sent: how many records its file holds, where anybody has counted them.
    """
    seen = _job_status(_IMPORTS, job)
    if (
        seen.outcome not in (JobOutcome.DONE, JobOutcome.PARTLY)
        or None in (sent, job.counted)
        or job.counted == sent
    ):
        return seen
    return replace(seen, outcome=JobOutcome.MISCOUNTED, detail={**seen.detail, "sent_count": sent})


def setup_job_status(batch: BatchStatusResponse) -> JobStatus:
    """The status of a batch whose setup was accepted (wire reference, 5.3)."""
    return _job_status(_SETUPS, batch)


def processing_job_status(dataset: DatasetStatusResponse) -> JobStatus:
    """The status of a V3 dataset that a file was sent to (wire reference, 4.2)."""
    return _job_status(_PROCESSINGS, dataset)


def sync_job_status(job: SyncJob) -> JobStatus:
    """A sync job (wire reference, 5.5)."""
    return _job_status(_SYNCS, job)


def migration_job_status(job: MigrationJob) -> JobStatus:
    """A migration job; a partial one names the values that it set to null (wire reference, 4.10)."""
    return _job_status(_MIGRATIONS, job)


def export_job_status(job: ExportJob) -> JobStatus:
    """An export job; its address is left out, since it is a secret and expires (wire reference, 8)."""
    seen = _job_status(_EXPORTS, job)
    return replace(seen, detail={name: value for name, value in seen.detail.items() if name != "url"})


def _job_status(endings: Mapping[str, JobOutcome], job: _StatusResponse) -> JobStatus:
    """The bodies themselves know at which statuses a client stops looking."""
    ending = endings.get(job.status, JobOutcome.UNCLEAR) if job.settled else None
    detail = {name: value for name, value in to_payload(job).items() if name != "status"}
    faults = detail.get("errors")
    if is_array(faults):
        detail["errors"] = faults[:MAX_ERRORS]
    return JobStatus(job.status, ending, detail)
