"""The state of the Data stage, without a window."""

from dataclasses import replace
from pathlib import Path

import pytest

from batchwright.data_files.checking import Rejection
from batchwright.data_files.formats import FormatKind
from batchwright.local.projects import Project, RemoteBinding
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.core.operations import OperationState
from batchwright.ui.data.dataset.upload import start_upload
from batchwright.ui.data.file.data_file import FileState
from batchwright.ui.data.next_step import DataAction, next_step
from batchwright.ui.data.records.records_model import PAGE_SIZE
from batchwright.ui.data.state import DataState
from batchwright.ui.study.study_model import Study
from tests.ui.conftest import until
from tests.ui.data.conftest import HEADER, checked

pytestmark = pytest.mark.gui


def test_without_a_file_the_next_step_is_to_choose_one(data: DataState) -> None:
    assert data.file.state is FileState.NONE
    assert next_step(data).action is DataAction.CHOOSE


async def test_opening_a_file_proposes_a_schema_and_checks_every_record(
    data: DataState, study: Study, reviews: Path
) -> None:
    data.open_file(reviews)
    await checked(data)
    assert study.data is not None
    assert study.data.path == reviews
    assert study.schema is not None
    assert tuple(study.schema.fields) == HEADER
    assert data.validation.report is not None
    assert data.validation.report.accepted == 100
    assert next_step(data).action is DataAction.UPLOAD


async def test_changing_the_schema_validates_the_records_again(data: DataState, reviews: Path) -> None:
    data.open_file(reviews)
    await checked(data)
    data.schema.set_strict(is_strict=True)
    await checked(data)
    data.schema.set_type("picture", FieldType.IMAGE_URL)
    await checked(data)
    assert [(rejection.line, rejection.field) for rejection in data.rejections] == [
        (5, "prompt"),
        (9, "picture"),
    ]
    assert set(data.rejections_by_record) == {3, 7}
    assert next_step(data).button == "Upload 98 accepted records"
    assert next_step(data).text.startswith("2 of 100 records would be rejected.")


async def test_several_quick_changes_are_validated_once_at_the_end(data: DataState, reviews: Path) -> None:
    data.open_file(reviews)
    await checked(data)
    for _again in range(3):
        data.schema.set_strict(is_strict=True)
        data.schema.set_strict(is_strict=False)
    await checked(data)
    assert data.validation.report is not None
    assert data.validation.report.rejected == 0


async def test_any_page_of_rows_can_be_requested(data: DataState, reviews: Path) -> None:
    pages: dict[int, list[object]] = {}

    data.file.page_read.connect(pages.__setitem__)
    data.open_file(reviews)
    await until(lambda: data.file.summary is not None and data.file.summary.is_counted, 20)
    data.file.request_page(1, range(PAGE_SIZE, 2 * PAGE_SIZE))
    await until(lambda: 1 in pages)
    assert len(pages[1]) == 100 - PAGE_SIZE
    assert data.file.line_number(7) == 9


async def test_the_format_can_be_corrected(data: DataState, tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("a;b\n1;2\n")

    data.open_file(path)
    await checked(data)
    assert data.file.summary is not None
    data.read_as(replace(data.file.summary.format, header=False))
    await checked(data)
    assert data.file.summary is not None
    assert data.file.summary.columns == ("column_1", "column_2")
    assert data.file.summary.records == 2
    assert data.dataset.upload_source() is not None
    assert not data.dataset.upload_source().is_entire_file  # type: ignore[union-attr]  # looked at above


async def test_a_missing_file_is_reported(data: DataState, tmp_path: Path) -> None:
    data.open_file(tmp_path / "gone.csv")
    await until(lambda: data.file.state is FileState.UNREADABLE)
    assert data.file.error is not None
    assert "gone.csv" in data.file.error.what
    assert next_step(data).action is DataAction.CHOOSE


async def test_a_file_that_was_removed_after_its_upload_hides_no_later_step(
    data: DataState, study: Study, tmp_path: Path
) -> None:
    study.set_remote(data.session.connection.name, RemoteBinding("w", "d", "i"))

    data.open_file(tmp_path / "gone.csv")
    await until(lambda: data.file.state is FileState.UNREADABLE)
    study.set_remote(data.session.connection.name, RemoteBinding("w", "d", "i"))
    step = next_step(data)
    assert step.stage == "layout"
    assert step.text.startswith("gone.csv cannot be read, but its records were sent. ")


async def test_opening_a_study_opens_its_file(data: DataState, study: Study, reviews: Path) -> None:
    data.open_file(reviews)
    await checked(data)
    project = study.project
    study.close()
    assert data.file.state is FileState.NONE
    study.open(project, None)
    await checked(data)
    assert data.file.path == reviews
    assert study.schema is not None


async def test_a_schema_is_kept_only_if_it_fits_the_new_file(
    data: DataState, study: Study, reviews: Path, tmp_path: Path
) -> None:
    mine = Schema(strict=True, fields={"prompt": Field(FieldType.TEXT, "Mine")})
    study.open(Project("Cats", schema=mine), None)
    other = tmp_path / "other.jsonl"
    other.write_text('{"question": "Who?"}\n')

    data.open_file(reviews)
    await checked(data)
    assert study.schema == mine
    data.open_file(other)
    await checked(data)
    assert study.schema is not None
    assert tuple(study.schema.fields) == ("question",)
    assert data.file.summary is not None
    assert data.file.summary.format.kind is FormatKind.JSONL


async def test_types_chosen_before_the_file_is_profiled_are_kept(
    data: DataState, study: Study, reviews: Path
) -> None:
    data.open_file(reviews)
    await until(lambda: data.file.state is FileState.SHOWN)
    assert data.file.profile is None
    data.schema.set_type("picture", FieldType.IMAGE_URL)
    data.schema.set_type("prompt", None)
    await checked(data)
    assert study.schema is not None
    assert set(study.schema.fields) == set(HEADER) - {"prompt"}
    assert study.schema.fields["picture"].type is FieldType.IMAGE_URL


async def test_columns_have_label_type_and_statistics(data: DataState, reviews: Path) -> None:
    data.open_file(reviews)
    await checked(data)
    data.schema.set_type("topic", None)
    data.schema.set_label("prompt", "Question")
    prompt, picture, topic = data.columns
    assert (prompt.label, prompt.type) == ("Question", FieldType.TEXT)
    assert prompt.stats is not None
    assert prompt.stats.empty == 1
    assert picture.stats is not None
    assert picture.stats.urls[FieldType.IMAGE_URL] == 99
    assert topic.type is None


async def test_without_fields_the_upload_is_disabled(data: DataState, reviews: Path) -> None:
    data.open_file(reviews)
    await checked(data)
    for name in HEADER:
        data.schema.set_type(name, None)
    assert data.dataset.upload_source() is None
    assert next_step(data).disabled_reason


@pytest.mark.parametrize(("name", "is_sent_as_it_is"), [("table.csv", True), ("table.txt", False)])
async def test_a_file_is_uploaded_unchanged_only_if_the_service_accepts_its_name(
    data: DataState, tmp_path: Path, name: str, is_sent_as_it_is: bool
) -> None:
    table = tmp_path / name
    table.write_text("prompt,answer\na,b\n")

    data.open_file(table)
    await checked(data)
    load = data.dataset.upload_source()
    assert load is not None
    assert load.is_entire_file is is_sent_as_it_is


async def test_an_upload_without_a_service_fails_and_can_be_repeated(data: DataState, reviews: Path) -> None:
    data.open_file(reviews)
    await checked(data)
    start_upload(data.dataset)
    await until(lambda: data.dataset.operations.current is None)
    assert data.dataset.upload_operation is not None
    assert data.dataset.upload_operation.state is OperationState.FAILED
    assert "connection refused" in next_step(data).text
    assert next_step(data).action is DataAction.UPLOAD


def test_showing_a_rejection_requests_its_row(data: DataState) -> None:
    expected: list[tuple[int, str]] = []
    data.row_requested.connect(lambda row, field: expected.append((row, field)))
    data.show_rejection(Rejection(9, 7, "picture", "No."))
    assert expected == [(7, "picture")]
