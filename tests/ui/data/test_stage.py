"""The Data stage: files, rejections, schema and uploads to a real service."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from batchwright.app.headless import headless_context
from batchwright.service.process import ServiceAddress
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.data.dataset.dataset_operations import UploadSource
from batchwright.ui.data.dataset.upload import start_upload
from batchwright.ui.data.file.check_panel import CheckPanel, RejectionsTable
from batchwright.ui.data.file.data_file import FileState
from batchwright.ui.data.file.data_file_commands import open_schema, save_schema
from batchwright.ui.data.records.record_dialog import RecordDialog
from batchwright.ui.data.records.records_table import RowsTable
from batchwright.ui.data.schema_panel import FieldTypeCombo, SchemaColumnRow
from batchwright.ui.data.stage import DataStage
from batchwright.ui.shell.state import ShellState
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.fields import TextArea
from batchwright.wire.imports import ImportStatus
from tests.ui.accessibility import unnamed_controls
from tests.ui.conftest import until
from tests.ui.data.conftest import (
    answer,
    buttons,
    checked,
    drop,
    have_ended,
    opened,
    operation_panel,
    with_rejections,
)
from tests.ui.fake_connection_pool import FakeConnectionPool

pytestmark = pytest.mark.gui


def spoil(reviews: Path) -> None:
    """Clear a cell of the file."""
    before = "https://example.org/20.png,cats"
    reviews.write_text(reviews.read_text().replace(before, before.removesuffix("cats")))


def stricter(load: UploadSource | None) -> UploadSource:
    """The upload with a strict schema for the dataset."""
    assert load is not None
    return replace(load, schema=replace(load.schema, strict=True))


async def test_a_dropped_file_becomes_a_table_with_a_schema(stage: DataStage, reviews: Path) -> None:
    drop(stage, reviews)
    await checked(stage.state)
    table = stage.findChild(RowsTable)
    assert isinstance(table, RowsTable)
    assert table.model().rowCount() == 100
    assert table.model().index(0, 1).data() == "Which cat is number 0?"
    assert len(stage.findChildren(SchemaColumnRow)) == 3
    assert "Upload 100 records" in buttons(stage)


async def test_the_empty_stage_offers_to_choose_a_file(stage: DataStage) -> None:
    buttons(stage)["Choose a file"].click()
    await answer(stage, None)
    assert stage.state.file.state is FileState.NONE


async def test_selecting_a_rejection_selects_its_row(stage: DataStage, reviews: Path) -> None:
    await with_rejections(stage, reviews)
    rejections, table = stage.findChild(RejectionsTable), stage.findChild(RowsTable)
    assert isinstance(rejections, RejectionsTable)
    assert isinstance(table, RowsTable)
    assert rejections.model().rowCount() == 2
    rejections.selectRow(1)
    assert (table.currentIndex().row(), table.currentIndex().column()) == (7, 2)
    rejections.setFocus()
    QTest.keyClick(rejections, Qt.Key.Key_Return)
    assert table.hasFocus()


async def test_enter_shows_a_record_in_full(stage: DataStage, reviews: Path) -> None:
    await with_rejections(stage, reviews)
    table = stage.findChild(RowsTable)
    assert isinstance(table, RowsTable)
    table.go_to(3, "prompt")
    QTest.keyClick(table, Qt.Key.Key_Return)
    await until(lambda: bool(stage.window().findChildren(RecordDialog)))
    dialog = stage.window().findChildren(RecordDialog)[0]
    assert "prompt: The field is required" in dialog.accessibleDescription()
    await until(lambda: len(dialog.findChildren(TextArea)) == 3)
    texts = [area.toPlainText() for area in dialog.findChildren(TextArea)]
    assert texts == ["", "https://example.org/3.png", "dogs"]
    assert unnamed_controls(dialog) == []
    dialog.accept_button.click()
    await until(lambda: not stage.window().findChildren(RecordDialog))


async def test_the_type_of_a_field_is_changed_in_its_menu(stage: DataStage, reviews: Path) -> None:
    await opened(stage, reviews)
    choice = next(
        choice for choice in stage.findChildren(FieldTypeCombo) if choice.accessibleName() == "Type of topic"
    )
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_End)
    await checked(stage.state)
    assert stage.state.study.schema is not None
    assert "topic" not in stage.state.study.schema.fields


async def test_every_control_has_a_name_and_a_role(stage: DataStage, reviews: Path) -> None:
    assert unnamed_controls(stage) == []
    await with_rejections(stage, reviews)
    assert unnamed_controls(stage) == []


async def test_accepted_and_rejected_records_can_be_saved(
    stage: DataStage, reviews: Path, tmp_path: Path, tasks: Tasks
) -> None:
    async def save(word: str, name: str) -> None:
        buttons(stage)[word].click()
        await answer(stage, tmp_path / name)
        await until(lambda: (tmp_path / name).exists() and have_ended(tasks), 20)

    await with_rejections(stage, reviews)
    await save("Save 98 accepted", "good.csv")
    await save("Save 2 rejected", "bad.csv")
    assert len((tmp_path / "good.csv").read_text().splitlines()) == 99
    assert len((tmp_path / "bad.csv").read_text().splitlines()) == 3
    assert not list(tmp_path.glob("*.part"))


async def test_schemas_are_saved_and_opened_as_json_files(
    stage: DataStage, reviews: Path, tmp_path: Path, tasks: Tasks
) -> None:
    target = tmp_path / "schema.json"

    await with_rejections(stage, reviews)
    stage.context.start(save_schema)
    await answer(stage, target)
    await until(lambda: target.exists() and have_ended(tasks))
    stage.state.schema.use_proposal()
    await checked(stage.state)
    stage.context.start(open_schema)
    await answer(stage, target)
    await until(lambda: stage.state.study.schema is not None and stage.state.study.schema.strict)
    await checked(stage.state)
    assert len(stage.state.rejections) == 2


@pytest.mark.whole_program
async def test_accepted_records_are_uploaded_to_a_real_service(
    stage: DataStage,
    reviews: Path,
    pool: FakeConnectionPool,
    service: tuple[ServiceAddress, Path],
    shell: ShellState,
    tasks: Tasks,
) -> None:
    async with headless_context(*service, lambda _sentence: None) as context:
        pool.workflow_context = context
        await with_rejections(stage, reviews)
        buttons(stage)["Upload 98 accepted records"].click()
        await until(lambda: stage.state.dataset.operations.current is None, 30)
        observed = [stage.state.dataset.is_uploaded]
        stage.state.schema.set_strict(is_strict=False)
        observed.append(stage.state.dataset.is_uploaded)
        stage.state.schema.set_strict(is_strict=True)
        assert observed == [True, False]
        await checked(stage.state)
        await tasks.aclose()  # ends the request for the dataset before its client is closed
    progress = stage.state.dataset.upload_operation
    assert progress is not None
    assert progress.error is None
    assert progress.job is not None
    assert progress.job.status == ImportStatus.COMPLETE
    assert progress.job.accepted_count == 98
    remote = stage.state.study.remote("This computer")
    assert (remote.dataset_id, remote.import_id) == (progress.dataset_id, progress.import_id)
    assert stage.state.dataset.is_uploaded
    buttons(stage)["Lay out the pages"].click()
    assert shell.stage == "layout"
    assert shell.activity is None


@pytest.mark.whole_program
async def test_records_rejected_by_the_service_are_shown_at_their_rows(
    stage: DataStage,
    reviews: Path,
    pool: FakeConnectionPool,
    service: tuple[ServiceAddress, Path],
    monkeypatch: pytest.MonkeyPatch,
    tasks: Tasks,
) -> None:
    """The service is stricter than the validation in the window."""
    async with headless_context(*service, lambda _sentence: None) as context:
        pool.workflow_context = context
        spoil(reviews)
        await opened(stage, reviews)
        stage.state.schema.set_type("prompt", None)
        await checked(stage.state)
        source = stricter(stage.state.dataset.upload_source())
        monkeypatch.setattr(stage.state.dataset, "upload_source", lambda: source)
        start_upload(stage.state.dataset)
        await until(lambda: stage.state.dataset.operations.current is None, 30)
        await tasks.aclose()
    progress = stage.state.dataset.upload_operation
    assert progress is not None
    assert progress.job is not None
    assert progress.job.status == ImportStatus.PARTIAL
    assert [
        (rejection.record_index, rejection.line, rejection.field) for rejection in stage.state.rejections
    ] == [(20, 22, "topic")]
    assert not stage.state.dataset.is_uploaded
    panel = stage.findChild(CheckPanel)
    assert isinstance(panel, CheckPanel)
    assert panel.list.model().rowCount() == 1
    assert operation_panel(stage).accessibleName() == "Upload"


async def test_an_upload_to_a_live_service_asks_for_confirmation(stage: DataStage, reviews: Path) -> None:
    await stage.state.session.select("api.example.org")
    await opened(stage, reviews)
    buttons(stage)["Upload 100 records"].click()
    await until(lambda: bool(stage.window().findChildren(Dialog)))
    dialog = stage.window().findChildren(Dialog)[0]
    assert stage.state.dataset.upload_operation is None
    dialog.cancel_button.click()
    await until(lambda: not stage.window().findChildren(Dialog))
    assert stage.state.dataset.upload_operation is None
