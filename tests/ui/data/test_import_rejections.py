"""What the service rejected, at the rows of the file; and what is known of what it holds."""

from dataclasses import replace
from pathlib import Path

import pytest

from batchwright.data_files.formats import Format, FormatKind
from batchwright.local.projects import DataFile, Project, RemoteBinding
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.core.operations import OperationState
from batchwright.ui.data.dataset_operations import (
    UNKNOWN_RECORD,
    UPLOAD,
    UploadOperation,
    UploadSource,
    import_rejections,
)
from batchwright.ui.data.dataset_provenance import DatasetProvenance
from batchwright.ui.study.study_model import Study
from batchwright.wire.imports import ImportJob, ImportRejection, ImportStatus

pytestmark = pytest.mark.gui

SCHEMA = Schema(strict=False, fields={"a": Field(FieldType.TEXT)})
FORM = Format(FormatKind.CSV)
HERE = "This computer"


def ended(*errors: ImportRejection, rejected: int, is_whole: bool = True) -> UploadOperation:
    """An upload that has ended so."""
    load = UploadSource("Cats", Path("cats.csv"), (10, 0), FORM, SCHEMA, 5, is_whole)
    job = ImportJob(
        import_id="i",
        status=ImportStatus.PARTIAL,
        accepted_count=5 - rejected,
        rejected_count=rejected,
        errors=errors,
    )
    return UploadOperation(
        UPLOAD, "Uploading", HERE, state=OperationState.SUCCEEDED, connection_title=HERE, source=load, job=job
    )


def test_an_upload_whose_counts_do_not_add_up_is_reported_as_that() -> None:
    fine, odd = ended(rejected=1), ended(rejected=1)
    assert not fine.has_count_mismatch
    assert replace(odd, source=replace(odd.source, records=6)).has_count_mismatch
    assert not replace(odd, source=replace(odd.source, records=6), job=None).has_count_mismatch


def line_of_record(record: int) -> int | None:
    return record + 2 if record >= 0 else None


def test_a_rejection_is_placed_at_the_row_of_the_file() -> None:
    progress = ended(ImportRejection(record_index=3, field="a", reason="No."), rejected=1)
    assert [tuple(rejection) for rejection in import_rejections(progress, (), line_of_record)] == [
        (5, 3, "a", "No.")
    ]


def test_records_that_were_left_out_are_counted_in() -> None:
    error = ImportRejection(record_index=1, field="a", reason="No.")
    progress = ended(error, rejected=1, is_whole=False)
    assert [rejection.record_index for rejection in import_rejections(progress, {0, 2}, line_of_record)] == [
        3
    ]


def test_what_the_service_does_not_say_is_not_guessed() -> None:
    nameless = ended(ImportRejection(record_index=None, field=None, reason=None), rejected=1)
    assert [tuple(rejection) for rejection in import_rejections(nameless, (), line_of_record)] == [
        (0, UNKNOWN_RECORD, "", "No reason given")
    ]
    silent = import_rejections(ended(rejected=4), (), line_of_record)
    assert [entry.record_index for entry in silent] == [UNKNOWN_RECORD]
    assert "does not say" in silent[0].reason


def test_without_rejections_there_are_none() -> None:
    assert import_rejections(replace(ended(rejected=1), job=None), (), line_of_record) == ()
    assert import_rejections(ended(rejected=0), (), line_of_record) == ()


@pytest.fixture
def study() -> Study:
    """A study whose data were uploaded before it was saved, by a program that did not keep that."""
    study = Study()
    data = DataFile(Path("cats.csv"), 10, FORM)
    remotes = {HERE: RemoteBinding("w", "dataset", "import", delivered=None)}
    study.open(Project("Cats", schema=SCHEMA, data=data, remotes=remotes), None)
    return study


def test_a_study_that_was_uploaded_when_it_was_saved_is_uploaded_still(study: Study) -> None:
    delivered = DatasetProvenance(study)
    assert not delivered.was_created_from_data(HERE)
    delivered.load()
    assert delivered.was_created_from_data(HERE)
    assert not delivered.was_created_from_data("Elsewhere")


def test_a_file_that_was_chosen_and_not_sent_is_not_taken_for_sent_when_the_study_is_opened_again(
    study: Study,
) -> None:
    delivered = DatasetProvenance(study)
    delivered.start(HERE)
    delivered.complete(HERE)
    sent = study.project
    study.set_data(DataFile(Path("dogs.csv"), 10, FORM))
    for project, is_held in ((study.project, False), (sent, True)):
        study.open(project, None)
        again = DatasetProvenance(study)
        again.load()
        assert again.was_created_from_data(HERE) is is_held


def test_data_that_changed_since_it_was_saved_must_be_uploaded_again(study: Study) -> None:
    delivered = DatasetProvenance(study)
    delivered.load()
    study.set_data(DataFile(Path("cats.csv"), 11, FORM))
    assert not delivered.was_created_from_data(HERE)


def test_what_arrives_is_what_was_sent_and_not_what_it_became_meanwhile(study: Study) -> None:
    delivered = DatasetProvenance(study)
    delivered.start(HERE)
    study.set_schema(Schema(strict=True, fields=SCHEMA.fields))
    delivered.load()
    delivered.complete(HERE)
    assert not delivered.was_created_from_data(HERE)
    study.set_schema(SCHEMA)
    assert delivered.was_created_from_data(HERE)
