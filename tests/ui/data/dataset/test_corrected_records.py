"""Rejected records are corrected in the table and appended to the dataset of the others in one step."""

from pathlib import Path

import pytest

from batchwright.client.context import WorkflowContext
from batchwright.data_files.conversion.edit_list import ReplacementEdit, cell_edit
from batchwright.ui.data.dataset.upload import start_upload
from batchwright.ui.data.next_step import DataAction, next_step
from batchwright.ui.data.stage import DataStage
from tests.ui.conftest import until
from tests.ui.data.conftest import buttons, operation_text, wait_for_record_count, with_rejections

pytestmark = [pytest.mark.gui, pytest.mark.whole_program]

COLUMNS = ("prompt", "picture", "topic")


def correct(stage: DataStage, record: int, column: str, value: str) -> None:
    """Correct a value of a record of the file."""
    scheme = "http" if record == 7 else "https"
    end = "" if record % 5 == 4 else ".png"
    content = {
        "prompt": f"Which cat is number {record}?",
        "picture": f"{scheme}://example.org/{record}{end}",
        "topic": ("cats", "dogs")[record % 2],
    }
    if record == 3:
        del content["prompt"]
    stage.state.add_edit(cell_edit(COLUMNS, record, content, column, value))


async def checked_again(stage: DataStage) -> None:
    """Wait until the file is converted and checked with the edits."""
    await until(lambda: stage.state.validation.report is not None and not stage.state.is_reading, 20)


@pytest.fixture
async def uploaded(stage: DataStage, context: WorkflowContext, reviews: Path) -> None:
    """Upload 98 of 100 records; the fourth and the eighth are rejected."""
    await with_rejections(stage, reviews)
    start_upload(stage.state.dataset)
    await until(lambda: stage.state.dataset.is_uploaded, 30)
    await wait_for_record_count(stage, 98)


@pytest.mark.usefixtures("uploaded")
async def test_corrected_records_are_sent_by_one_button_and_the_file_counts_as_uploaded(
    stage: DataStage,
) -> None:
    state = stage.state
    dataset = state.dataset.remote.binding.dataset_id
    correct(stage, 3, "prompt", "Which cat is number 3?")
    await checked_again(stage)
    assert next_step(state).button == "Send 1 corrected record"
    correct(stage, 7, "picture", "https://example.org/7.png")
    await checked_again(stage)
    assert next_step(state).text == "2 corrected records are not in the dataset yet. Next: send them."
    buttons(stage)["Send 2 corrected records"].click()
    await wait_for_record_count(stage, 100)
    await until(lambda: state.dataset.is_uploaded, 20)
    assert state.dataset.remote.binding.dataset_id == dataset
    assert "2 accepted" in operation_text(stage)
    assert next_step(state).action is not DataAction.SEND_CORRECTED


@pytest.mark.usefixtures("uploaded")
async def test_records_are_corrected_and_sent_one_after_the_other(stage: DataStage) -> None:
    for record, column, value in ((3, "prompt", "Why?"), (7, "picture", "https://example.org/7.png")):
        correct(stage, record, column, value)
        await checked_again(stage)
        buttons(stage)["Send 1 corrected record"].click()
        await wait_for_record_count(stage, 99 if record == 3 else 100)
        await until(lambda: stage.state.dataset.is_uploaded, 20)


@pytest.mark.usefixtures("uploaded")
async def test_a_change_of_other_records_needs_another_upload(stage: DataStage) -> None:
    correct(stage, 3, "prompt", "Why?")
    await checked_again(stage)
    stage.state.add_edit(ReplacementEdit("Which cat", "Which dog"))
    await checked_again(stage)
    assert next_step(stage.state).action is DataAction.UPLOAD
    stage.state.study.undo()
    await checked_again(stage)
    assert next_step(stage.state).action is DataAction.SEND_CORRECTED
    correct(stage, 5, "prompt", "Which one?")
    await checked_again(stage)
    assert next_step(stage.state).action is DataAction.UPLOAD


@pytest.mark.usefixtures("uploaded")
async def test_a_record_that_is_still_rejected_is_not_sent(stage: DataStage) -> None:
    correct(stage, 7, "picture", "ftp://example.org/7.png")
    await checked_again(stage)
    assert stage.state.dataset.corrected_records is None


async def test_a_change_that_is_undone_during_an_upload_is_undone_in_the_table_afterwards(
    stage: DataStage, context: WorkflowContext, reviews: Path
) -> None:
    await with_rejections(stage, reviews)
    state = stage.state
    correct(stage, 7, "picture", "https://example.org/7.png")
    await checked_again(stage)
    start_upload(state.dataset)
    state.study.undo()
    assert len(state.file.changes.edits) == 1
    await wait_for_record_count(stage, 99)
    await until(lambda: not state.file.changes.edits and not state.is_reading, 20)
    await checked_again(stage)
    assert not state.dataset.is_uploaded
