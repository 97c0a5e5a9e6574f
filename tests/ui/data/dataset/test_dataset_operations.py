"""The state of an upload, and the records rejected by its import."""

from dataclasses import replace
from pathlib import Path

import pytest

from batchwright.client.job_monitoring.transfer_rate import UNKNOWN
from batchwright.data_files.formats import Format, FormatKind
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.core.operations import OperationState
from batchwright.ui.data.dataset.dataset_operations import (
    DATASET,
    UNKNOWN_RECORD,
    UPLOAD,
    FileTransfer,
    ImportFileOperation,
    UploadOperation,
    UploadSource,
    UploadStep,
    V3UploadOperation,
    import_rejections,
)
from batchwright.ui.data.dataset.operation_text import status_text
from batchwright.wire.imports import ImportJob, ImportRejection, ImportStatus

pytestmark = pytest.mark.gui

SCHEMA = Schema(strict=False, fields={"a": Field(FieldType.TEXT)})
FORM = Format(FormatKind.CSV)
CONNECTION = "This computer"
PATH = Path("cats.csv")


def ended(*errors: ImportRejection, rejected: int, is_entire_file: bool = True) -> UploadOperation:
    """A completed upload with these rejections."""
    load = UploadSource("Cats", Path("cats.csv"), (10, 0), FORM, SCHEMA, 5, is_entire_file)
    job = ImportJob(
        import_id="i",
        status=ImportStatus.PARTIAL,
        accepted_count=5 - rejected,
        rejected_count=rejected,
        errors=errors,
    )
    return UploadOperation(
        UPLOAD,
        "Uploading",
        CONNECTION,
        state=OperationState.SUCCEEDED,
        connection_title=CONNECTION,
        source=load,
        job=job,
    )


def test_a_count_mismatch_of_an_upload_is_reported() -> None:
    fine, odd = ended(rejected=1), ended(rejected=1)
    assert not fine.has_count_mismatch
    assert replace(odd, source=replace(odd.source, records=6)).has_count_mismatch
    assert not replace(odd, source=replace(odd.source, records=6), job=None).has_count_mismatch


@pytest.mark.parametrize(
    "transfer",
    [
        replace(ended(rejected=0), job=None, step=UploadStep.SENDING),
        V3UploadOperation(DATASET, "", connection_title=CONNECTION, path=PATH),
        ImportFileOperation(DATASET, "", connection_title=CONNECTION, path=PATH, dataset_id="d"),
    ],
    ids=["upload", "V3 upload", "import"],
)
def test_a_file_that_is_sent_shows_bytes_rate_and_remaining_time(transfer: FileTransfer) -> None:
    transfer = replace(transfer, state=OperationState.RUNNING, is_connected=True)
    assert status_text(transfer).text == "Starting"
    rate = UNKNOWN.after(0, 0.0).after(1_000_000, 2.0)
    sent = replace(transfer, done=1_000_000, total=2_000_000, rate=rate)
    assert status_text(sent).text == "1.0 MB of 2.0 MB, 500.0 kB a second, 2 s left"


def line_of_record(record: int) -> int | None:
    return record + 2 if record >= 0 else None


def test_a_rejection_has_the_line_number_of_its_record() -> None:
    progress = ended(ImportRejection(record_index=3, field="a", reason="No."), rejected=1)
    assert [tuple(rejection) for rejection in import_rejections(progress, (), line_of_record)] == [
        (5, 3, "a", "No.")
    ]


def test_rejection_indices_include_the_records_that_were_not_sent() -> None:
    error = ImportRejection(record_index=1, field="a", reason="No.")
    progress = ended(error, rejected=1, is_entire_file=False)
    assert [rejection.record_index for rejection in import_rejections(progress, {0, 2}, line_of_record)] == [
        3
    ]


def test_a_rejection_without_details_is_reported_as_unknown() -> None:
    without_details = ended(ImportRejection(record_index=None, field=None, reason=None), rejected=1)
    assert [tuple(rejection) for rejection in import_rejections(without_details, (), line_of_record)] == [
        (0, UNKNOWN_RECORD, "", "No reason given")
    ]
    silent = import_rejections(ended(rejected=4), (), line_of_record)
    assert [entry.record_index for entry in silent] == [UNKNOWN_RECORD]
    assert "does not say" in silent[0].reason


def test_without_rejected_records_the_list_is_empty() -> None:
    assert import_rejections(replace(ended(rejected=1), job=None), (), line_of_record) == ()
    assert import_rejections(ended(rejected=0), (), line_of_record) == ()
