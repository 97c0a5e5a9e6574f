"""Using an existing dataset, from the id registry or by its id."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from batchwright.client.context import WorkflowContext
from batchwright.local.id_registry import RegisteredId, RemoteKind
from batchwright.schema.parsing import write_schema
from batchwright.ui.data.dataset.confirm_dialogs import AppendDialog
from batchwright.ui.data.dataset.dataset_commands import append_records, use_existing_dataset
from batchwright.ui.data.dataset.use_existing_dataset import fetch_dataset
from batchwright.ui.data.dataset.use_existing_dialog import RegisteredDatasetsTable, UseDatasetDialog
from batchwright.ui.data.next_step import next_step
from batchwright.ui.data.stage import DataStage
from batchwright.ui.theme import Theme
from batchwright.ui.widgets.toggles import Switch
from batchwright.wire.datasets import Dataset, DatasetCreate
from tests.api.studies import CSV, upload_data
from tests.ui.conftest import until
from tests.ui.data.conftest import (
    buttons,
    checked,
    opened,
    wait_for_dialog,
)

pytestmark = [pytest.mark.gui, pytest.mark.whole_program]


async def prompts(context: WorkflowContext, folder: Path) -> Dataset:
    """Create a dataset of two records."""
    data = folder / "prompts.csv"
    data.write_text(CSV, encoding="utf-8")
    return (await upload_data(context.service, context.workspace_id, data))[0]


def dialog_text(dialog: UseDatasetDialog) -> str:
    """All texts of the dialog."""
    return " ".join(label.text() for label in dialog.findChildren(QLabel))


async def look_up(dialog: UseDatasetDialog) -> None:
    """Look up the dataset, and wait until it is shown."""
    dialog.accept_button.click()
    await until(lambda: dialog.lookup is not None, 30)
    await asyncio.sleep(0)


async def wait_until_closed(stage: DataStage) -> None:
    """Wait until no dialog is open."""
    await until(lambda: not stage.window().findChildren(UseDatasetDialog), 30)


async def test_without_a_file_a_registered_dataset_is_used_with_its_schema(
    stage: DataStage, context: WorkflowContext, tmp_path: Path
) -> None:
    dataset = await prompts(context, tmp_path)
    buttons(stage)["Use an existing dataset"].click()
    dialog = await wait_for_dialog(stage, UseDatasetDialog)
    dialog.table.selectRow(0)
    assert dialog.id == dataset.id
    await look_up(dialog)
    assert "Its schema has these fields: prompt." in dialog_text(dialog)
    dialog.accept_button.click()
    await until(lambda: stage.state.study.remote("This computer").has_data, 30)
    remote = stage.state.study.remote("This computer")
    assert (remote.dataset_id, remote.has_data) == (dataset.id, True)
    assert stage.state.study.schema is not None
    assert list(stage.state.study.schema.fields) == ["prompt"]
    step = next_step(stage.state)
    assert "The study uses “Prompts” with 2 records" in step.text
    assert step.button == "Lay out the pages"


async def test_a_dataset_found_by_id_can_be_used_without_its_schema(
    stage: DataStage, context: WorkflowContext, reviews: Path, tmp_path: Path
) -> None:
    dataset = await prompts(context, tmp_path)
    await opened(stage, reviews)
    before = stage.state.study.schema
    stage.context.start(use_existing_dataset)
    dialog = await wait_for_dialog(stage, UseDatasetDialog)
    field = dialog.findChild(QLineEdit, "dataset")
    assert isinstance(field, QLineEdit)
    field.setText(f"  {dataset.id} ")
    await look_up(dialog)
    assert "Only in the study: picture, topic." in dialog_text(dialog)
    switch = dialog.findChild(Switch)
    assert isinstance(switch, Switch)
    switch.click()
    dialog.accept_button.click()
    await until(lambda: stage.state.dataset.is_current, 30)
    assert not stage.state.dataset.is_uploaded, "it holds other records"
    assert stage.state.study.schema == before
    await asyncio.sleep(0)
    assert stage.state.dataset.remote.schema_differs
    assert "Append records" in buttons(stage)
    stage.state.schema.set_strict(is_strict=True)
    await checked(stage.state)
    assert next_step(stage.state).button.startswith("Upload"), "another study's data is uploaded again"


async def test_an_unknown_id_is_reported_at_its_field_and_can_be_corrected(
    stage: DataStage, context: WorkflowContext, tmp_path: Path
) -> None:
    dataset = await prompts(context, tmp_path)
    stage.context.start(use_existing_dataset)
    dialog = await wait_for_dialog(stage, UseDatasetDialog)
    field = dialog.findChild(QLineEdit, "dataset")
    assert isinstance(field, QLineEdit)
    field.setText("01a1febb-0000-7000-8000-000000000000")
    dialog.accept_button.click()
    await until(lambda: "for this token" in dialog_text(dialog), 30)
    assert dialog.lookup is None
    field.setText(dataset.id)
    await look_up(dialog)
    dialog.cancel_button.click()
    await wait_until_closed(stage)
    assert stage.state.study.remote("This computer").dataset_id is None


@pytest.mark.parametrize("has_records", [False, True])
async def test_the_next_step_depends_on_the_records_of_the_used_dataset(
    stage: DataStage, context: WorkflowContext, reviews: Path, tmp_path: Path, has_records: bool
) -> None:
    state = stage.state
    await opened(stage, reviews)
    assert state.study.schema is not None
    schema = dict(write_schema(state.study.schema))
    request = DatasetCreate(name="Empty", workspace_id=context.workspace_id, schema=schema)
    dataset = await (prompts(context, tmp_path) if has_records else context.service.datasets.create(request))
    state.dataset.attach(await fetch_dataset(state.session, dataset.id), uses_schema=False)
    assert state.study.remote("This computer").has_data == has_records
    assert not state.dataset.is_uploaded, "it holds other records"
    button = "Lay out the pages" if has_records else "Upload 100 records"
    await until(lambda: next_step(state).button == button, 30)
    stage.context.start(append_records)
    dialog = await wait_for_dialog(stage, AppendDialog)
    assert not any("already" in label.text() for label in dialog.findChildren(QLabel))
    dialog.cancel_button.click()


def known(count: int) -> list[RegisteredId]:
    ids = (f"0190{number:04}-0000-7000-8000-00000000000{number}" for number in range(count))
    return [RegisteredId("This computer", RemoteKind.DATASET, id, f"Data {id}") for id in ids]


@pytest.fixture
def table(qtbot: QtBot, theme: Theme) -> RegisteredDatasetsTable:
    """The table of three known datasets."""
    table = RegisteredDatasetsTable(known(3))
    qtbot.addWidget(table)
    table.resize(600, 160)
    table.show()
    qtbot.waitUntil(lambda: table.viewport().width() > 300)
    return table


def hover(table: RegisteredDatasetsTable, row: int) -> None:
    """Move the pointer over a row."""
    point = QPointF(table.visualRect(table.model().index(row, 0)).center())
    none = Qt.MouseButton.NoButton
    at = table.viewport().mapToGlobal(point)
    moved = QMouseEvent(QEvent.Type.MouseMove, point, at, none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(table.viewport(), moved)


def test_the_id_of_the_dataset_under_the_pointer_is_copied_with_one_click(
    table: RegisteredDatasetsTable,
) -> None:
    for row in (2, 1):
        hover(table, row)
        assert table.visualRect(table.model().index(row, 1)).contains(table.copy_button.geometry())
        QTest.mouseClick(table.copy_button, Qt.MouseButton.LeftButton)
        assert QGuiApplication.clipboard().text() == table.dataset(row).id
    assert not table.selectedIndexes()


def test_the_id_of_the_current_dataset_is_copied_by_keys(table: RegisteredDatasetsTable) -> None:
    table.setCurrentIndex(table.model().index(1, 0))
    assert table.copy_button.focusPolicy() & Qt.FocusPolicy.TabFocus
    table.copy_button.setFocus()
    QGuiApplication.clipboard().clear()
    QTest.keyClick(table.copy_button, Qt.Key.Key_Space)
    assert QGuiApplication.clipboard().text() == table.dataset(1).id


def test_a_screen_reader_gets_the_complete_id(table: RegisteredDatasetsTable) -> None:
    assert table.model().index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole) == table.dataset(0).id
