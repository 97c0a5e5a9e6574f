"""Further files of a dataset, a dataset that gets its schema later, and the history of its imports."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit

from batchwright.client.context import WorkflowContext
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.operations import OperationState
from batchwright.ui.data.dataset.dataset_operations import ImportFileOperation
from batchwright.ui.data.dataset.further_imports import CreateDatasetDialog, ImportsDialog
from batchwright.ui.data.schema.schema_dialog import SchemaChangeDialog
from batchwright.ui.data.stage import DataStage
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.wire.datasets import Dataset
from batchwright.wire.imports import ImportStatus
from tests.ui.conftest import until
from tests.ui.data.conftest import buttons, have_ended, operation_text, wait_for_dialog
from tests.ui.window_fixtures import FakeFileDialogs

pytestmark = [pytest.mark.gui, pytest.mark.whole_program]


async def finished(stage: DataStage) -> None:
    """Wait until no operation is running and the dataset was fetched again."""
    await until(lambda: stage.state.dataset.operations.current is None, 30)
    await until(lambda: have_ended(stage.context.window.tasks), 30)


async def import_another(stage: DataStage, path: Path) -> None:
    """Import a file by the command of the menu."""
    files = FakeFileDialogs()
    files.path = path
    object.__setattr__(stage.context, "files", files)
    stage.context.window.actions.run(ActionId.DATA_IMPORT_FILE)
    dialog = await wait_for_dialog(stage, Dialog, "Import file")
    dialog.accept_button.click()
    await until(lambda: isinstance(stage.state.dataset.operation, ImportFileOperation), 30)
    await finished(stage)


async def open_imports(stage: DataStage) -> ImportsDialog:
    buttons(stage)["Imports"].click()
    return await wait_for_dialog(stage, ImportsDialog)


def texts(dialog: Dialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def rows(dialog: ImportsDialog) -> list[list[str]]:
    state = dialog.table.model()
    return [
        [str(state.index(row, column).data()) for column in range(1, state.columnCount())]
        for row in range(state.rowCount())
    ]


def has_data(stage: DataStage) -> bool:
    binding = stage.state.dataset.remote.binding
    return binding.has_data and not binding.lacks_schema


def fetched(stage: DataStage) -> Dataset:
    dataset = stage.state.dataset.remote.dataset
    assert dataset is not None
    return dataset


def first_records(source: Path, path: Path, *, spoilt: bool = False) -> Path:
    """Write a file with the first two records of another one, the second without its last field."""
    head, first, second = source.read_text(encoding="utf-8").splitlines()[:3]
    last = second.rsplit(",", 1)[0] if spoilt else second
    path.write_text(f"{head}\n{first}\n{last}\n", encoding="utf-8")
    return path


@pytest.mark.usefixtures("uploaded_reviews")
async def test_a_second_file_is_imported_and_listed(stage: DataStage, reviews: Path, tmp_path: Path) -> None:
    before = stage.state.dataset.remote.binding
    await import_another(stage, first_records(reviews, tmp_path / "second.csv"))
    assert "second.csv: 2 accepted, 0 rejected." in operation_text(stage)
    assert fetched(stage).total_datapoint_count == 102
    assert stage.state.dataset.remote.binding == before
    stage.state.dataset.clear()
    dialog = await open_imports(stage)
    assert rows(dialog) == [
        ["second.csv", "Complete", "2", "–"],
        [reviews.name, "Complete", "100", "–"],
    ]
    assert "2 imports, newest first." in texts(dialog)
    dialog.accept_button.click()


@pytest.mark.usefixtures("uploaded_reviews")
async def test_rejected_records_of_an_import_are_listed(
    stage: DataStage, reviews: Path, tmp_path: Path
) -> None:
    await import_another(stage, first_records(reviews, tmp_path / "spoilt.csv", spoilt=True))
    assert "spoilt.csv: 1 accepted, 1 rejected." in operation_text(stage)
    stage.state.dataset.clear()
    dialog = await open_imports(stage)
    assert rows(dialog)[0] == ["spoilt.csv", "Partial", "1", "1"]
    assert "Record 2: " in texts(dialog)
    dialog.table.selectRow(1)
    assert "No errors." in texts(dialog)
    dialog.accept_button.click()


@pytest.mark.usefixtures("uploaded_reviews")
async def test_a_file_waits_for_the_schema_of_its_dataset_and_is_released(
    stage: DataStage, context: WorkflowContext, reviews: Path, tmp_path: Path
) -> None:
    controller, old = stage.state.dataset, fetched(stage).id
    stage.context.window.actions.run(ActionId.DATA_CREATE)
    creation = await wait_for_dialog(stage, CreateDatasetDialog)
    field = creation.findChild(QLineEdit)
    assert field is not None
    field.setText("Later")
    creation.accept_button.click()
    await until(lambda: controller.remote.binding.dataset_id != old, 30)
    await finished(stage)
    assert (fetched(stage).name, fetched(stage).schema_) == ("Later", None)
    assert controller.remote.binding.lacks_schema
    assert not has_data(stage)

    await import_another(stage, first_records(reviews, tmp_path / "early.csv"))
    text = operation_text(stage)
    assert "early.csv was received, and waits until the dataset has a schema." in text
    assert not has_data(stage)
    controller.clear()
    dialog = await open_imports(stage)
    assert "1 waits for a schema." in texts(dialog)
    dialog.accept_button.click()
    change = await wait_for_dialog(stage, SchemaChangeDialog)
    change.accept_button.click()
    await until(lambda: controller.schema_change is not None, 30)
    await finished(stage)
    operation = controller.schema_change
    assert operation is not None
    assert operation.state is OperationState.SUCCEEDED
    assert "early.csv: 2 accepted, 0 rejected." in operation_text(stage)
    (job,) = (await context.service.datasets.get(fetched(stage).id)).imports or ()
    assert job.status == ImportStatus.COMPLETE
    assert controller.remote.binding.import_id == job.import_id
    assert has_data(stage)
