"""Changing the schema of a dataset at a real service, and using the schema of the dataset."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from batchwright.api.http.errors import Unreachable
from batchwright.client.context import WorkflowContext
from batchwright.data_files.conversion.edit_list import ReplacementEdit
from batchwright.schema.model import FieldType
from batchwright.service.process import ServiceAddress
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.operations import OperationState
from batchwright.ui.data.dataset import dataset_commands
from batchwright.ui.data.dataset.dataset_commands import change_schema, start_schema_change
from batchwright.ui.data.dataset.dataset_operations import SchemaChangeOperation
from batchwright.ui.data.dataset.upload import start_upload
from batchwright.ui.data.dataset.use_existing_dataset import fetch_dataset
from batchwright.ui.data.schema.schema_dialog import ClearedValuesDialog, SchemaChangeDialog
from batchwright.ui.data.stage import DataStage
from batchwright.wire.migrations import MigrationJob, MigrationStatus
from tests.ui.conftest import until
from tests.ui.data.conftest import LIVE, buttons, checked, have_ended, opened, operation_text, wait_for_dialog

pytestmark = [pytest.mark.gui, pytest.mark.whole_program]


def dialog_text(dialog: SchemaChangeDialog) -> str:
    """All texts of a dialog."""
    return " ".join(label.text() for label in dialog.findChildren(QLabel))


async def changed(stage: DataStage) -> SchemaChangeOperation:
    """Wait until the schema change has ended."""

    def is_over() -> bool:
        changing = stage.state.dataset.schema_change
        return changing is not None and not changing.is_running

    await until(is_over, 30)
    changing = stage.state.dataset.schema_change
    assert changing is not None
    return changing


@pytest.mark.usefixtures("uploaded_reviews")
async def test_a_schema_change_is_previewed_applied_and_its_cleared_values_are_listed(
    stage: DataStage,
    context: WorkflowContext,
) -> None:
    assert "Change the dataset's schema" not in buttons(stage)
    stage.state.schema.set_type("prompt", FieldType.IMAGE_URL)
    await checked(stage.state)
    await asyncio.sleep(0)
    buttons(stage)["Change the dataset's schema"].click()
    dialog = await wait_for_dialog(stage, SchemaChangeDialog)
    text = dialog_text(dialog)
    assert "Text to Image URL" in text
    assert "version 2" in text
    await until(
        lambda: (
            "99 of 99 values will be cleared, for example “Which cat is number 0?”." in dialog_text(dialog)
        ),
        30,
    )
    assert stage.state.dataset.schema_change is None
    dialog.accept_button.click()
    change = await changed(stage)
    assert change.error is None
    assert {(value.field, bool(value.datapoint_id)) for value in change.cleared_values} == {("prompt", True)}
    assert "99 of 100 records have values that did not fit" in operation_text(stage)
    remote = stage.state.dataset.remote
    await until(lambda: remote.dataset is not None and remote.dataset.schema_version == 2, 30)
    assert not remote.schema_differs
    assert not stage.state.dataset.is_uploaded
    buttons(stage)["Show cleared values"].click()
    listed = await wait_for_dialog(stage, ClearedValuesDialog)
    assert listed.table.model().rowCount() == len(change.cleared_values)
    assert listed.table.model().index(0, 1).data() == "prompt"
    listed.accept_button.click()
    await until(lambda: not stage.window().findChildren(ClearedValuesDialog))


@pytest.mark.parametrize("is_edited", [False, True])
async def test_cleared_values_are_counted_in_the_converted_records(
    stage: DataStage, context: WorkflowContext, tmp_path: Path, *, is_edited: bool
) -> None:
    records, name = "prompt,topic\n1. cat,x\n2. cat,y\n", "a.csv"
    if not is_edited:
        records, name = '[{"prompt": "1. cat", "topic": "x"},\n {"prompt": "2. cat", "topic": "y"}]', "a.json"
    path = tmp_path / name
    path.write_text(records, encoding="utf-8")
    await opened(stage, path)
    state = stage.state
    if is_edited:
        state.add_edit(ReplacementEdit("cat", "dog"))
        await until(lambda: not state.is_reading and state.validation.report is not None, 30)
    start_upload(state.dataset)
    await until(lambda: state.dataset.is_uploaded and state.dataset.remote.accepts_records, 30)
    state.schema.set_type("prompt", FieldType.IMAGE_URL)
    await checked(state)
    await until(lambda: "Change the dataset's schema" in buttons(stage))
    stage.context.start(change_schema)
    dialog = await wait_for_dialog(stage, SchemaChangeDialog)
    await until(lambda: "2 of 2 values will be cleared, for example “1." in dialog_text(dialog), 30)
    dialog.cancel_button.click()
    await until(lambda: not stage.window().findChildren(SchemaChangeDialog))


@pytest.mark.usefixtures("uploaded_reviews")
async def test_cleared_values_are_counted_only_for_the_data_file_of_the_dataset(
    stage: DataStage, context: WorkflowContext, tmp_path: Path
) -> None:
    other = tmp_path / "other.csv"
    other.write_text("prompt,picture,topic\nWhich?,https://example.org/1.png,cats\n", encoding="utf-8")
    await opened(stage, other)
    stage.state.schema.set_type("prompt", FieldType.IMAGE_URL)
    await checked(stage.state)
    stage.context.start(change_schema)
    dialog = await wait_for_dialog(stage, SchemaChangeDialog)
    assert "number cannot be counted" in dialog_text(dialog)
    assert "will be cleared" not in dialog_text(dialog)
    dialog.cancel_button.click()
    await until(lambda: not stage.window().findChildren(SchemaChangeDialog))


@pytest.mark.usefixtures("uploaded_reviews")
async def test_cancelling_the_dialog_cancels_the_count_of_cleared_values(
    stage: DataStage, context: WorkflowContext, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def wait_forever(*_what: object, **_further: object) -> None:
        await asyncio.Event().wait()

    stage.state.schema.set_type("picture", FieldType.IMAGE_URL)
    await checked(stage.state)
    monkeypatch.setattr(dataset_commands, "run_in_process", wait_forever)
    stage.context.start(change_schema)
    dialog = await wait_for_dialog(stage, SchemaChangeDialog)
    assert "data count_cleared_values" in tasks.running
    dialog.cancel_button.click()
    await until(lambda: have_ended(tasks), 30)
    assert stage.state.dataset.schema_change is None


@pytest.mark.usefixtures("uploaded_reviews")
async def test_a_schema_change_without_cleared_values_keeps_the_data_uploaded(
    stage: DataStage,
    context: WorkflowContext,
) -> None:
    stage.state.schema.set_label("topic", "What it is about")
    await checked(stage.state)
    assert not stage.state.dataset.is_uploaded
    start_schema_change(stage.state.dataset)
    assert (await changed(stage)).state is OperationState.SUCCEEDED
    assert "No value was cleared." in operation_text(stage)
    assert stage.state.dataset.is_uploaded, "the dataset holds the same records under the same schema"


@pytest.mark.usefixtures("uploaded_reviews")
async def test_a_schema_edited_during_the_change_differs_from_the_dataset(
    stage: DataStage, context: WorkflowContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, gate, migration = stage.state, asyncio.Event(), context.service.datasets.migration

    async def later(dataset_id: str, job_id: str) -> MigrationJob:
        await gate.wait()
        return await migration(dataset_id, job_id)

    monkeypatch.setattr(context.service.datasets, "migration", later)
    state.schema.set_label("topic", "What it is about")
    await checked(state)
    start_schema_change(state.dataset)
    state.schema.set_label("topic", "Something else")
    gate.set()
    assert (await changed(stage)).equals_new_upload
    await checked(state)
    assert not state.dataset.is_uploaded
    state.schema.set_label("topic", "What it is about")
    assert state.dataset.is_uploaded


@pytest.mark.usefixtures("uploaded_reviews")
async def test_a_migration_during_an_outage_is_reported_with_its_outcome(
    stage: DataStage, context: WorkflowContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, failures, seen = (
        stage.state,
        [Unreachable("GET", "no network", arrived=False)],
        set[OperationState](),
    )
    matches = await fetch_dataset(state.session, state.dataset.remote.binding.dataset_id or "")
    migration = context.service.datasets.migration

    async def cut(dataset_id: str, job_id: str) -> MigrationJob:
        answer = await migration(dataset_id, job_id)
        if answer.status == MigrationStatus.PARTIAL and failures:
            raise failures.pop()
        return answer

    monkeypatch.setattr(context.service.datasets, "migration", cut)
    await state.session.select(LIVE.name)
    state.dataset.attach(matches, uses_schema=False)
    state.schema.set_type("prompt", FieldType.IMAGE_URL)
    await checked(state)
    dataset = state.dataset
    dataset.operations.changed.connect(
        lambda: seen.update({dataset.operation.state} if dataset.operation else ())
    )
    start_schema_change(state.dataset)
    change = await changed(stage)
    assert (change.state, change.error, OperationState.OFFLINE in seen) == (
        OperationState.SUCCEEDED,
        None,
        True,
    )
    assert "99 of 100 records have values that did not fit" in operation_text(stage)


@pytest.mark.usefixtures("uploaded_reviews")
async def test_a_change_that_the_service_rejects_is_disabled_with_the_reason(
    stage: DataStage,
    context: WorkflowContext,
) -> None:
    stage.state.schema.set_type("topic", FieldType.TASK_GROUP_ID)
    await checked(stage.state)
    stage.context.start(change_schema)
    dialog = await wait_for_dialog(stage, SchemaChangeDialog)
    assert not dialog.accept_button.isEnabled()
    assert "would become the task group" in " ".join(dialog.accept_button.toolTip().split())
    dialog.cancel_button.click()
    await until(lambda: not stage.window().findChildren(SchemaChangeDialog))


@pytest.mark.usefixtures("uploaded_reviews")
async def test_a_rejected_change_is_reported_in_the_operation_panel(
    stage: DataStage, context: WorkflowContext
) -> None:
    stage.state.schema.set_type("topic", FieldType.TASK_GROUP_ID)
    await checked(stage.state)
    start_schema_change(stage.state.dataset)
    assert (await changed(stage)).state is OperationState.FAILED
    assert "The service rejected" in operation_text(stage)


@pytest.mark.usefixtures("uploaded_reviews")
async def test_the_schema_of_the_dataset_can_be_used(stage: DataStage, context: WorkflowContext) -> None:
    stage.state.schema.set_strict(is_strict=True)
    await checked(stage.state)
    await asyncio.sleep(0)
    buttons(stage)["Use its schema"].click()
    await checked(stage.state)
    assert stage.state.study.schema is not None
    assert not stage.state.study.schema.strict
    assert stage.state.dataset.is_uploaded


@pytest.mark.usefixtures("uploaded_reviews")
async def test_a_dataset_that_cannot_be_fetched_is_reported_with_a_retry_button(
    stage: DataStage,
    context: WorkflowContext,
    monkeypatch: pytest.MonkeyPatch,
    service: tuple[ServiceAddress, Path],
) -> None:
    remote = stage.state.dataset.remote

    async def away(_id: str) -> object:
        raise ConnectionRefusedError(111, "connection refused")

    with monkeypatch.context() as patch:
        patch.setattr(context.service.datasets, "get", away)
        remote.refresh()
        await until(lambda: remote.error is not None, 30)
        await asyncio.sleep(0)
    assert not remote.accepts_records
    assert "Append records" not in buttons(stage)
    buttons(stage)["Retry"].click()
    await until(lambda: remote.accepts_records, 30)
