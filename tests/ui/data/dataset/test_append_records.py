"""Appending records to a dataset at a real service: in full, offline, and resumed."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel

from batchwright.api.http.errors import Conflict
from batchwright.client.context import WorkflowContext
from batchwright.ui.core.operations import OperationState
from batchwright.ui.data.dataset.confirm_dialogs import AppendDialog
from batchwright.ui.data.dataset.dataset_operations import AppendOperation
from batchwright.ui.data.next_step import next_step
from batchwright.ui.data.stage import DataStage
from batchwright.ui.shell.state import ShellState
from batchwright.wire.datapoints import AppendResult, JsonLinesBody
from batchwright.wire.error_parsing import ErrorKind, ServiceError
from tests.ui.conftest import until
from tests.ui.data.conftest import (
    append_current_file,
    buttons,
    checked,
    drop,
    opened,
    operation_text,
    wait_for_dialog,
    wait_for_record_count,
)

pytestmark = [pytest.mark.gui, pytest.mark.whole_program]


def more(folder: Path, records: int, *, bad: int = 0) -> Path:
    """Write a file of other records, the last of which are invalid."""
    path = folder / "more.jsonl"
    valid = {"picture": "https://example.org/1.png", "topic": "cats"}
    good = [json.dumps({"prompt": f"Later {number}", **valid}) for number in range(records - bad)]
    faulty = [json.dumps("no record")] * bad
    path.write_text("\n".join([*good, "", *faulty]) + "\n")
    return path


async def ended(stage: DataStage) -> AppendOperation:
    """Wait until the append has ended."""

    def is_over() -> bool:
        appending = stage.state.dataset.append_operation
        return appending is not None and not appending.is_running

    await until(is_over, 30)
    appending = stage.state.dataset.append_operation
    assert appending is not None
    return appending


@pytest.mark.usefixtures("uploaded_reviews")
@pytest.mark.endpoint("datapoints.append")
async def test_the_records_of_another_file_are_appended(
    stage: DataStage, context: WorkflowContext, tmp_path: Path, shell: ShellState
) -> None:
    buttons(stage)["Append records"].click()
    dialog = await wait_for_dialog(stage, AppendDialog)
    assert "has 100 records" in dialog.accessibleDescription()
    drop(dialog, more(tmp_path, 1203, bad=3))
    dialog = await wait_for_dialog(stage, AppendDialog)
    assert dialog.accept_button.text() == "Append 1,203 records"
    dialog.accept_button.click()
    assert (await ended(stage)).error is None
    assert [
        (rejection.line, rejection.record_index, rejection.field) for rejection in stage.state.rejections
    ] == [
        (1202, 1200, "_raw"),
        (1203, 1201, "_raw"),
        (1204, 1202, "_raw"),
    ]
    assert set(stage.state.rejections_by_record) == {1200, 1201, 1202}
    assert "1,200 accepted" in operation_text(stage)
    assert "3 rejected" in operation_text(stage)
    assert "Sync in Run to create new tasks" in operation_text(stage)
    assert "rejected 3 of 1,203 records" in next_step(stage.state).text
    await wait_for_record_count(stage, 1300)
    buttons(stage)["Go to Run"].click()
    assert shell.stage == "run"


@pytest.mark.usefixtures("uploaded_reviews")
async def test_a_file_appended_without_rejections_counts_as_uploaded(
    stage: DataStage, context: WorkflowContext, tmp_path: Path
) -> None:
    await opened(stage, more(tmp_path, 3))
    was_uploaded = stage.state.dataset.is_uploaded
    append_current_file(stage)
    assert (await ended(stage)).accepted == 3
    assert (was_uploaded, stage.state.dataset.is_uploaded) == (False, True)
    assert next_step(stage.state).button == "Lay out the pages"


@pytest.mark.usefixtures("uploaded_reviews")
async def test_an_append_shows_an_outage_and_resumes_after_it_was_stopped(
    stage: DataStage, context: WorkflowContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await opened(stage, more(tmp_path, 2100))
    sent: list[int] = []
    append = context.service.datasets.append

    async def appended(dataset_id: str, lines: JsonLinesBody) -> AppendResult:
        if len(sent) == 1:
            raise Conflict("POST datapoints", ServiceError(409, ErrorKind.GENERAL))
        sent.append(lines.text.count(b"\n"))
        return await append(dataset_id, lines)

    with monkeypatch.context() as patch:
        patch.setattr(context.service.datasets, "append", appended)
        append_current_file(stage)
        await until(lambda: "is being written to" in operation_text(stage), 30)
        assert "Appending 2,100 records" in next_step(stage.state).text
        buttons(stage)["Stop"].click()
        stopped = await ended(stage)
        assert (stopped.state, stopped.accepted) == (OperationState.CANCELLED, 1000)
        assert "Stopped after 1,000 of 2,100 records" in operation_text(stage)
    append_current_file(stage)
    observed: list[Any] = []
    stage.state.dataset.operations.changed.connect(
        lambda: observed.append(stage.state.dataset.append_operation)
    )
    assert (await ended(stage)).accepted == 2100
    assert min(entry.accepted for entry in observed if entry.state is OperationState.RUNNING) == 1000
    await wait_for_record_count(stage, 2200)


@pytest.mark.usefixtures("uploaded_reviews")
async def test_a_file_changed_since_validation_is_not_appended(
    stage: DataStage, context: WorkflowContext, tmp_path: Path
) -> None:
    path = more(tmp_path, 3)
    await opened(stage, path)
    with path.open("a") as file:
        file.write('{"prompt": "x"}\n')
    append_current_file(stage)
    failed = await ended(stage)
    assert failed.state is OperationState.FAILED
    assert "has changed since it was checked" in operation_text(stage)
    await checked(stage.state)


@pytest.mark.usefixtures("uploaded_reviews")
async def test_the_dialog_shows_duplicate_and_rejected_records(
    stage: DataStage, context: WorkflowContext, tmp_path: Path, reviews: Path
) -> None:
    buttons(stage)["Append records"].click()
    dialog = await wait_for_dialog(stage, AppendDialog)
    text = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "already in the dataset" in text
    drop(dialog, more(tmp_path, 4, bad=1))
    dialog = await wait_for_dialog(stage, AppendDialog)
    text = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "1 of 4 would be rejected" in text
    dialog.cancel_button.click()
    await until(lambda: not stage.window().findChildren(AppendDialog))
    assert stage.state.dataset.append_operation is None
