"""What is uploaded is the prepared table, with the same bytes each time."""

import asyncio
from pathlib import Path

import pytest

from batchwright.base.json_values import JsonObject
from batchwright.ui.data.dataset.upload import start_upload
from batchwright.ui.data.stage import DataStage
from batchwright.ui.study.records_files import RecordsFiles
from tests.ui.conftest import until
from tests.ui.data.conftest import opened
from tests.ui.data.prepare.conftest import PAIRS, SIDES

pytestmark = pytest.mark.gui


GROUPS: JsonObject = {"step": "groups", "size": 4, "apart": "prompt"}


async def prepared(stage: DataStage, *steps: JsonObject) -> None:
    stage.state.change_steps(steps, "Change steps")
    await until(lambda: not stage.state.is_reading)


@pytest.mark.usefixtures("context")
async def test_the_prepared_records_are_uploaded_and_other_steps_make_other_data(
    stage: DataStage, outputs: Path
) -> None:
    state = stage.state
    await opened(stage, outputs)
    await prepared(stage, PAIRS, SIDES, GROUPS)
    start_upload(state.dataset)
    await until(lambda: state.dataset.is_uploaded and state.dataset.remote.dataset is not None)
    dataset = state.dataset.remote.dataset
    assert dataset is not None
    assert dataset.total_datapoint_count == 12
    schema = state.dataset.remote.schema
    assert schema is not None
    assert {"META_SYSTEM_LEFT", "META_TASK_GROUP_ID"} <= schema.fields.keys()
    await prepared(stage, PAIRS, {**SIDES, "seed": 2}, GROUPS)
    assert not state.dataset.is_uploaded
    state.study.undo()
    await until(lambda: not state.is_reading)
    assert state.dataset.is_uploaded


async def test_records_are_prepared_with_the_same_bytes_again(stage: DataStage, outputs: Path) -> None:
    await opened(stage, outputs)
    await prepared(stage, PAIRS, SIDES, GROUPS)
    data, shown = stage.state.study.data, stage.state.file.summary
    assert data is not None
    assert shown is not None
    files = RecordsFiles()
    again = await files.of(data)
    contents = [await asyncio.to_thread(path.read_bytes) for path in (shown.file.path, again.path)]
    assert contents[0] == contents[1]
