"""The meaning of each status of each kind of job: running, or ended, and with which outcome."""

import pytest

from batchwright.client.job_monitoring.status import (
    MAX_ERRORS,
    JobKind,
    JobOutcome,
    export_job_status,
    import_job_status,
    migration_job_status,
    processing_job_status,
    setup_job_status,
    sync_job_status,
)
from batchwright.wire.batches import BatchStatusResponse
from batchwright.wire.datasets import DatasetStatusResponse
from batchwright.wire.exports import ExportJob
from batchwright.wire.imports import ImportJob
from batchwright.wire.migrations import MigrationJob
from batchwright.wire.syncs import SyncJob


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("uninitialised", None),
        ("queued", None),
        ("processing", None),
        ("pending_schema", JobOutcome.PAUSED),
        ("complete", JobOutcome.DONE),
        ("partial", JobOutcome.PARTLY),
        ("failed", JobOutcome.FAILED),
        ("unknown to this version", JobOutcome.UNCLEAR),
    ],
)
def test_an_import_is_settled_at_every_status_but_uninitialised_queued_and_processing(
    status: str, outcome: JobOutcome | None
) -> None:
    job = ImportJob.model_validate({"import_id": "i", "status": status, "accepted_count": 3})
    result = import_job_status(job)
    assert (result.state, result.outcome, result.is_settled) == (status, outcome, outcome is not None)
    assert result.detail == {"import_id": "i", "accepted_count": 3}


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("UNINITIALISED", None),
        ("PROCESSING", None),
        ("READY", JobOutcome.DONE),
        ("ERROR", JobOutcome.FAILED),
        ("RESTING", None),
    ],
)
def test_a_setup_ends_when_the_batch_is_ready_or_in_error(status: str, outcome: JobOutcome | None) -> None:
    assert setup_job_status(BatchStatusResponse.model_validate({"status": status})).outcome is outcome


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("generating", None),
        ("complete", JobOutcome.DONE),
        ("failed", JobOutcome.FAILED),
        ("thinking", JobOutcome.UNCLEAR),
    ],
)
def test_an_export_ends_only_at_a_terminal_status(status: str, outcome: JobOutcome | None) -> None:
    assert export_job_status(ExportJob.model_validate({"status": status})).outcome is outcome


def test_the_url_of_an_export_is_not_stored() -> None:
    job = ExportJob.model_validate({"status": "complete", "export_id": "e", "url": "https://storage/secret"})
    assert export_job_status(job).detail == {"export_id": "e"}


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("UNINITIALISED", None),
        ("PROCESSING", None),
        ("READY", JobOutcome.DONE),
        ("ERROR", JobOutcome.FAILED),
        ("RESTING", None),
    ],
)
def test_processing_ends_when_the_v3_dataset_is_ready_or_in_error(
    status: str, outcome: JobOutcome | None
) -> None:
    assert processing_job_status(DatasetStatusResponse.model_validate({"status": status})).outcome is outcome


@pytest.mark.spec("ST-19")
@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("queued", None),
        ("processing", None),
        ("complete", JobOutcome.DONE),
        ("failed", JobOutcome.FAILED),
        ("dozing", JobOutcome.UNCLEAR),
    ],
)
def test_a_sync_is_settled_at_every_status_but_queued_and_processing(
    status: str, outcome: JobOutcome | None
) -> None:
    result = sync_job_status(
        SyncJob.model_validate({"sync_id": "s", "status": status, "reason": "Try again."})
    )
    assert (result.outcome, result.detail) == (outcome, {"sync_id": "s", "reason": "Try again."})


@pytest.mark.spec("ST-23")
@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("processing", None),
        ("complete", JobOutcome.DONE),
        ("partial", JobOutcome.PARTLY),
        ("failed", JobOutcome.FAILED),
        ("pondering", JobOutcome.UNCLEAR),
    ],
)
def test_a_migration_is_settled_at_every_status_but_processing(
    status: str, outcome: JobOutcome | None
) -> None:
    assert (
        migration_job_status(MigrationJob.model_validate({"job_id": "m", "status": status})).outcome
        is outcome
    )


def test_only_the_first_of_many_errors_are_stored() -> None:
    errors = [{"datapoint_id": str(row_id), "field": "f", "reason": "r"} for row_id in range(2000)]
    answer = {"job_id": "m", "status": "partial", "failed_count": 2000, "errors": errors}
    detail = migration_job_status(MigrationJob.model_validate(answer)).detail
    assert detail["errors"] == errors[:MAX_ERRORS]
    assert detail["failed_count"] == 2000


@pytest.mark.parametrize("kind", JobKind)
def test_only_uploads_downloads_and_appends_are_local(kind: JobKind) -> None:
    assert kind.is_local == (kind in ("upload", "download", "append"))
