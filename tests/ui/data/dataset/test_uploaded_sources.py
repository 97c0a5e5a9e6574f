"""Tables of each type through the window to participants, and back from the export with every value equal."""

import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from PySide6.QtCore import Qt

from batchwright.client.context import WorkflowContext
from batchwright.client.remote_study import remote_batch
from batchwright.ui.data.dataset.upload import start_upload
from batchwright.ui.data.records.records_table import RowsTable
from batchwright.ui.data.stage import DataStage
from batchwright.wire.batches import BatchCreate, BatchSetup
from batchwright.workflows.answers.download_results import download_export
from batchwright.workflows.rehearsal.simulate import Reached, SimulationOptions, simulate_batch
from tests.api.studies import DETAILS, poll_until_settled
from tests.data_files.sources.written_tables import VALUES, WRITE
from tests.flows.test_rehearse_append import LAYOUT
from tests.ui.conftest import until
from tests.ui.data.conftest import opened, shown

pytestmark = pytest.mark.gui


@pytest.mark.parametrize("type", WRITE)
async def test_every_value_of_a_table_comes_back_from_the_export(
    stage: DataStage, context: WorkflowContext, tmp_path: Path, type: str
) -> None:
    WRITE[type](tmp_path / f"table.{type}", VALUES)
    await opened(stage, tmp_path / f"table.{type}")
    assert stage.state.validation.report is not None
    assert (stage.state.validation.report.accepted, stage.state.validation.report.rejected) == (6, 0)
    model = shown(stage, RowsTable).model()
    heading = model.headerData(0, Qt.Orientation.Horizontal)
    assert heading == ("Line" if type in {"csv", "txt", "jsonl", "csv.gz", "zip"} else "Row")
    prompts = [str(model.index(row, 1).data()) for row in range(model.rowCount())]
    assert prompts == [" ".join(prompt.split()) for prompt, _model in VALUES]
    start_upload(stage.state.dataset)
    await until(lambda: stage.state.dataset.is_uploaded, 30)
    await until(lambda: stage.state.dataset.remote.dataset is not None, 30)
    dataset = stage.state.dataset.remote.dataset
    assert dataset is not None
    batch = await answered_batch(context, dataset.id)
    await download_export(context, remote_batch(batch), tmp_path / "export.zip")
    assert sorted(exported(tmp_path / "export.zip")) == sorted((*pair, 1) for pair in VALUES)


async def answered_batch(context: WorkflowContext, dataset_id: str) -> str:
    """Create a batch of a dataset, and let a simulated participant answer it; returns its id."""
    batches = context.service.batches
    request = BatchCreate(
        name="Study",
        workspace_id=context.workspace_id,
        task_details=DETAILS,
        dataset_id=dataset_id,
        batch_items=LAYOUT,
    )
    batch = await batches.create(request)
    await batches.set_up(batch.id, BatchSetup(tasks_per_group=len(VALUES)))
    await poll_until_settled(lambda: batches.status(batch.id))
    async for _finished in simulate_batch(
        context, batch.id, SimulationOptions(1), Reached(), lambda _fraction: None
    ):
        pass
    return batch.id


def exported(path: Path) -> list[tuple[str, str, int]]:
    """The values of each record in an export, and the number of its answers."""
    with ZipFile(path) as archive:
        lines = archive.read("responses-by-task.jsonl").decode().splitlines()
    tasks = [json.loads(line) for line in lines]
    return [
        (task["datapoint"]["prompt"], task["datapoint"]["model"], len(task["responses"])) for task in tasks
    ]
