"""`JobStatus`: the result of one poll of a job, and the conversion of each kind of response to it.

The statuses of each kind of job are defined in the specification under States and transitions.
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
    """The kinds of jobs: those of a service, and those that the program performs itself (`LOCAL_KINDS`)."""

    PROCESSING = "processing"
    """The service reads the file of a V3 dataset."""
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
        """Whether the program performs it itself; such a job ends with the program and cannot be polled."""
        return self in LOCAL_KINDS


LOCAL_KINDS = frozenset({JobKind.UPLOAD, JobKind.DOWNLOAD, JobKind.APPEND})
"""The kinds of jobs that the program performs itself."""


class JobOutcome(StrEnum):
    """How a job, or its monitoring, has ended."""

    DONE = "done"
    PARTLY = "partly"
    """Completed, except for some records or values."""
    MISCOUNTED = "miscounted"
    """Completed, but the service counted another number of records than was sent."""
    PAUSED = "paused"
    """The service waits for the user: polling is pointless until they have acted."""
    FAILED = "failed"
    UNCLEAR = "unclear"
    """The service reports a status that this version does not know; polled again only on request."""
    GONE = "gone"
    """The service no longer has this job."""
    NOT_STARTED = "not_started"
    """The service accepted the job and did not start it; polled again only on request."""
    STOPPED = "stopped"
    """A local job that was cancelled, or interrupted by the end of the program."""


IS_LATE = "is_late"
"""Key in `JobStatus.detail` of a job that has not started for a while."""


@dataclass(frozen=True)
class JobStatus:
    """The result of one poll of a job.

    `state` is the service's own status, displayed even if this version does not know it. `detail` contains
    the other properties of the response, such as counts and reasons, with at most `MAX_ERRORS` errors.
    """

    state: str
    outcome: JobOutcome | None = None
    detail: JsonObject = field(default_factory=dict)

    @property
    def is_settled(self) -> bool:
        """Whether polling can end."""
        return self.outcome is not None

    @property
    def is_late(self) -> bool:
        """Whether the service has not started the job for a while."""
        return bool(self.detail.get(IS_LATE))


MAX_ERRORS = 500
"""How many rejected records or nulled values are stored per job; its counts include all of them."""

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
    """The status of an import job; at `pending_schema` it waits for the first schema (wire reference, 4.6).

    Args:
        job: the response of the service.
        sent: the number of records in the file, if known. If the job counted another number, its outcome is
            `MISCOUNTED`.
    """
    status = _job_status(_IMPORTS, job)
    if (
        status.outcome not in (JobOutcome.DONE, JobOutcome.PARTLY)
        or None in (sent, job.counted)
        or job.counted == sent
    ):
        return status
    return replace(status, outcome=JobOutcome.MISCOUNTED, detail={**status.detail, "sent_count": sent})


def setup_job_status(batch: BatchStatusResponse) -> JobStatus:
    """The status of the setup of a batch, after the request was accepted (wire reference, 5.3)."""
    return _job_status(_SETUPS, batch)


def processing_job_status(dataset: DatasetStatusResponse) -> JobStatus:
    """The status of a V3 dataset to which a file was uploaded (wire reference, 4.2)."""
    return _job_status(_PROCESSINGS, dataset)


def sync_job_status(job: SyncJob) -> JobStatus:
    """The status of a sync job (wire reference, 5.5)."""
    return _job_status(_SYNCS, job)


def migration_job_status(job: MigrationJob) -> JobStatus:
    """The status of a migration job; a partial one lists the values set to null (wire reference, 4.10)."""
    return _job_status(_MIGRATIONS, job)


def export_job_status(job: ExportJob) -> JobStatus:
    """The status of an export job, without its URL, which is secret and expires (wire reference, 8)."""
    status = _job_status(_EXPORTS, job)
    return replace(status, detail={name: value for name, value in status.detail.items() if name != "url"})


def _job_status(outcomes: Mapping[str, JobOutcome], job: _StatusResponse) -> JobStatus:
    """Convert a response; its own `settled` property says whether the status is final."""
    outcome = outcomes.get(job.status, JobOutcome.UNCLEAR) if job.settled else None
    detail = {name: value for name, value in to_payload(job).items() if name != "status"}
    errors = detail.get("errors")
    if is_array(errors):
        detail["errors"] = errors[:MAX_ERRORS]
    return JobStatus(job.status, outcome, detail)
