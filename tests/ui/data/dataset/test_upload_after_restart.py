"""An unfinished upload resumes after a restart, even if the study or the file was renamed."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from batchwright.app.headless import headless_context
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobStatus
from batchwright.local.database import open_database
from batchwright.local.id_registry import IdRegistry, RemoteKind
from batchwright.service.process import ServiceAddress
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.operations import OperationState
from batchwright.ui.data.dataset.dataset_operations import UPLOAD, UploadOperation, UploadStep
from batchwright.ui.data.dataset.upload import start_upload
from batchwright.ui.data.stage import DataStage
from tests.ui.conftest import until
from tests.ui.data.conftest import have_ended, opened
from tests.ui.fake_connection_pool import FakeConnectionPool

pytestmark = [pytest.mark.gui, pytest.mark.whole_program]

NewRun = Callable[[], AbstractAsyncContextManager[WorkflowContext]]
Between = Callable[[DataStage, Path], Awaitable[None]]


@pytest.fixture
def folder(service: tuple[ServiceAddress, Path]) -> Path:
    """The folder for the data of the program."""
    return service[1]


@pytest.fixture
def new_run(pool: FakeConnectionPool, tasks: Tasks, service: tuple[ServiceAddress, Path]) -> NewRun:
    """A function that opens the context of a new run of the program."""

    @asynccontextmanager
    async def run() -> AsyncIterator[WorkflowContext]:
        async with headless_context(*service, lambda _sentence: None) as context:
            pool.workflow_context = context
            yield context
            await until(lambda: have_ended(tasks), 30)

    return run


async def rename(stage: DataStage, _reviews: Path) -> None:
    """Rename the study."""
    stage.state.study.set_name("Dogs")


async def move(stage: DataStage, reviews: Path) -> None:
    """Move the file to another folder with a new modification time, and open it there."""
    other = reviews.parent / "other" / reviews.name
    other.parent.mkdir()
    shutil.move(reviews, other)
    os.utime(other, ns=(1, 1))
    await opened(stage, other)


def datasets(folder: Path) -> int:
    """The number of created datasets."""
    database = open_database(folder)
    try:
        registered = IdRegistry(database).exported()
    finally:
        database.close()
    return sum(1 for entry in registered if entry["kind"] == RemoteKind.DATASET and entry["was_made"])


def progress_of(stage: DataStage) -> UploadOperation:
    progress = stage.state.dataset.upload_operation
    assert progress is not None
    return progress


async def stop_at(stage: DataStage, step: UploadStep) -> None:
    """Upload, and cancel at a step of the upload."""
    start_upload(stage.state.dataset)
    await until(lambda: progress_of(stage).step is step, 30)
    stage.state.dataset.operations.cancel(UPLOAD)
    await until(lambda: stage.state.dataset.operations.current is None, 30)
    assert progress_of(stage).state is OperationState.CANCELLED


@pytest.mark.parametrize("between", [rename, move])
async def test_an_upload_stopped_during_transfer_or_import_resumes_with_its_dataset(
    between: Between,
    stage: DataStage,
    new_run: NewRun,
    folder: Path,
    reviews: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent = list[Path]()

    async def wait_forever(*_what: object, **_further: object) -> None:
        await asyncio.Event().wait()

    async def no_status(*_what: object) -> AsyncIterator[JobStatus]:
        await asyncio.Event().wait()
        yield JobStatus("never")

    async with new_run() as context:
        await opened(stage, reviews)
        monkeypatch.setattr(context.service.transfers, "upload", wait_forever)
        await stop_at(stage, UploadStep.SENDING)
    async with new_run() as context:
        await between(stage, reviews)
        monkeypatch.setattr(context.jobs, "statuses", no_status)
        await stop_at(stage, UploadStep.IMPORTING)
    async with new_run() as context:
        upload = context.service.transfers.upload

        async def counted(path: Path, *what: object, **further: object) -> object:
            sent.append(path)
            return await upload(path, *what, **further)  # type: ignore[arg-type]  # just as they came

        monkeypatch.setattr(context.service.transfers, "upload", counted)
        if between is rename:
            stage.state.study.set_name("Birds")
        start_upload(stage.state.dataset)
        await until(lambda: stage.state.dataset.operations.current is None, 30)
        assert progress_of(stage).is_complete
        assert stage.state.dataset.is_uploaded
    assert (datasets(folder), sent) == (1, [])


async def test_a_completed_upload_can_be_repeated(
    stage: DataStage, new_run: NewRun, folder: Path, reviews: Path
) -> None:
    for _run in range(2):
        async with new_run():
            await opened(stage, reviews)
            start_upload(stage.state.dataset)
            await until(lambda: stage.state.dataset.operations.current is None, 30)
            assert progress_of(stage).is_complete
    assert datasets(folder) == 2


async def test_an_unfinished_upload_of_another_study_is_not_resumed(
    stage: DataStage, new_run: NewRun, folder: Path, reviews: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def wait_forever(*_what: object, **_further: object) -> None:
        await asyncio.Event().wait()

    async with new_run() as context:
        await opened(stage, reviews)
        monkeypatch.setattr(context.service.transfers, "upload", wait_forever)
        await stop_at(stage, UploadStep.SENDING)
    async with new_run():
        name = stage.state.session.connection.name
        first = stage.state.study.remote(name).dataset_id
        stage.state.study.open(type(stage.state.study.project)("Birds"), None)
        await opened(stage, reviews)
        start_upload(stage.state.dataset)
        await until(lambda: stage.state.dataset.operations.current is None, 30)
        assert stage.state.study.remote(name).dataset_id != first
    assert datasets(folder) == 2
