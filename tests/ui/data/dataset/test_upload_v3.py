"""A workspace without V4 datasets: the file is uploaded as a V3 dataset."""

import asyncio
import os
import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest
from PySide6.QtWidgets import QLabel

from batchwright.api.http.errors import LayoutRejected
from batchwright.client.batch_content import desired_batch
from batchwright.client.context import WorkflowContext
from batchwright.layout.rules import Severity
from batchwright.service.process import ServiceAddress
from batchwright.ui.core.operations import OperationState
from batchwright.ui.data.dataset.confirm_dialogs import V3Dialog
from batchwright.ui.data.dataset.dataset_commands import upload_v3
from batchwright.ui.data.dataset.dataset_operations import DATASET, V3UploadOperation
from batchwright.ui.data.dataset.upload import start_upload, start_v3_upload
from batchwright.ui.data.next_step import next_step
from batchwright.ui.data.stage import DataStage
from batchwright.ui.study.templates import TEMPLATES, study_from_template
from batchwright.wire.datasets import Dataset, DatasetCreate
from batchwright.workflows.publishing.publish_batch import create_or_update_batch, layout_problems
from tests.service.accounts import BEA, write_accounts
from tests.ui.conftest import until
from tests.ui.data.conftest import (
    buttons,
    drop,
    opened,
    operation_text,
    wait_for_dialog,
)

pytestmark = [pytest.mark.gui, pytest.mark.whole_program]

BEAS = "9" * 24


@pytest.fixture
def service(running: ServiceAddress, accounts: Path, tmp_path: Path) -> tuple[ServiceAddress, Path]:
    """The shared service for a workspace without V4 datasets, and the folder for the data of the program."""
    write_accounts(accounts, [BEA], [{"id": BEAS, "features": []}])
    return ServiceAddress(running.url, workspace_id=BEAS, token="bea-1"), tmp_path


async def sent(stage: DataStage) -> V3UploadOperation:
    """Wait until the upload has ended, successfully or not."""

    def is_over() -> bool:
        sending = stage.state.dataset.v3_upload
        return sending is not None and not sending.is_running

    await until(is_over, 30)
    sending = stage.state.dataset.v3_upload
    assert sending is not None
    return sending


async def refused(stage: DataStage, reviews: Path) -> None:
    """Upload, and wait until the missing V4 datasets are reported."""
    await opened(stage, reviews)
    start_upload(stage.state.dataset)
    await until(lambda: stage.state.dataset.is_v4_disabled, 30)


@pytest.mark.endpoint("datasets.status")
async def test_without_v4_datasets_the_file_is_uploaded_as_a_v3_dataset(
    stage: DataStage, context: WorkflowContext, reviews: Path
) -> None:
    await refused(stage, reviews)
    assert "no V4 datasets" in operation_text(stage)
    assert next_step(stage.state).button == "Send as a V3 dataset"
    stage.header.primary.click()
    dialog = await wait_for_dialog(stage, V3Dialog)
    text = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "no schema" in text
    assert "Records cannot be appended" in text
    dialog.accept_button.click()
    sending = await sent(stage)
    assert (sending.error, sending.state, sending.status) == (
        None,
        OperationState.SUCCEEDED,
        "READY",
    )
    await asyncio.sleep(0)
    assert "is a V3 dataset" in operation_text(stage)
    remote = stage.state.study.remote("This computer")
    dataset = await context.service.datasets.get(remote.dataset_id or "")
    assert (dataset.is_v4, dataset.total_datapoint_count, remote.import_id) == (False, 100, None)
    assert not stage.state.dataset.remote.accepts_records
    assert "Append records" not in buttons(stage)
    assert next_step(stage.state).button == "Go to Run"


async def test_fields_of_a_template_are_problems_with_a_v3_dataset(
    stage: DataStage, context: WorkflowContext
) -> None:
    study = stage.state.study
    rating = next(entry for entry in TEMPLATES if entry.folder[-1] == "rating")
    study.open(await study_from_template(rating), None, is_saved=False)
    assert study.data is not None
    assert not [problem for problem in study.problems if problem.severity is Severity.ERROR]
    start_v3_upload(stage.state.dataset, study.data.path)
    await sent(stage)
    errors = [problem for problem in study.problems if problem.severity is Severity.ERROR]
    assert {problem.code for problem in errors} == {"LY16"}
    expected = desired_batch(study.project, study.remote("This computer").dataset_id or "")
    with pytest.raises(LayoutRejected) as refused:
        await create_or_update_batch(context, expected, None)
    assert [problem.path for problem in layout_problems(refused.value)] == [
        problem.path for problem in errors
    ]


async def test_an_archive_is_accepted_and_other_files_are_rejected_before_the_upload(
    stage: DataStage, context: WorkflowContext, reviews: Path, tmp_path: Path
) -> None:
    await refused(stage, reviews)
    archive, other = tmp_path / "reviews.zip", tmp_path / "more.jsonl"
    other.write_text("{}\n")
    with ZipFile(archive, "w") as zipped:
        zipped.write(reviews, "reviews.csv")
    stage.context.start(upload_v3)
    drop(await wait_for_dialog(stage, V3Dialog), other)
    dialog = await wait_for_dialog(stage, V3Dialog, "Send more.jsonl")
    assert not dialog.accept_button.isEnabled()
    drop(dialog, archive)
    (await wait_for_dialog(stage, V3Dialog, "Send reviews.zip")).accept_button.click()
    assert (await sent(stage)).status == "READY"


async def test_a_v3_file_that_the_service_cannot_read_is_reported_with_the_reason(
    stage: DataStage, context: WorkflowContext, tmp_path: Path
) -> None:
    path = tmp_path / "twice.csv"
    path.write_text("review,review\nNice mug,g1\n")
    start_v3_upload(stage.state.dataset, path)
    sending = await sent(stage)
    assert sending.state is OperationState.FAILED
    assert sending.status == "ERROR", sending.error
    assert sending.error is not None
    assert "review" in sending.error.what


async def test_the_upload_of_a_moved_v3_file_resumes_with_the_same_dataset(
    stage: DataStage, context: WorkflowContext, reviews: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    created, under_way = list[str](), asyncio.Event()
    create = context.service.datasets.create

    async def counted(request: DatasetCreate) -> Dataset:
        dataset = await create(request)
        created.append(dataset.id)
        return dataset

    async def for_ever(*_what: object, **_further: object) -> None:
        under_way.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(context.service.datasets, "create", counted)
    with monkeypatch.context() as patch:
        patch.setattr(context.service.transfers, "upload", for_ever)
        start_v3_upload(stage.state.dataset, reviews)
        await under_way.wait()
        stage.state.dataset.operations.cancel(DATASET)
    other = Path(shutil.move(reviews, tmp_path / "moved.csv"))
    os.utime(other, ns=(1, 1))
    start_v3_upload(stage.state.dataset, other)
    assert (await sent(stage)).status == "READY"
    assert created == [stage.state.study.remote("This computer").dataset_id]
