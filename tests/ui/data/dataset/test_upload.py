"""Uploads to a real service: cancelled, offline, rejected, and with files that change."""

import asyncio
import json
import os
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from batchwright.api.client import connect
from batchwright.api.files.file_streams import TransferResult
from batchwright.api.http.errors import UnexpectedResponse, Unreachable
from batchwright.api.http.retry import SILENCE_S, RetryPolicy
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.monitors import StartLimits
from batchwright.local.projects import Project
from batchwright.service.process import ServiceAddress
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.operations import OperationState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.data.dataset.dataset_commands import upload_data
from batchwright.ui.data.dataset.dataset_operations import UPLOAD, UploadOperation, UploadStep
from batchwright.ui.data.dataset.upload import start_upload
from batchwright.ui.data.file.check_panel import RejectionsTable
from batchwright.ui.data.next_step import DataAction, next_step
from batchwright.ui.data.records.records_table import RowsTable
from batchwright.ui.data.stage import DataStage
from batchwright.ui.data.state import DataState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.id_label import CopyIdButton
from batchwright.ui.widgets.notices import NoticeCard
from batchwright.wire.imports import ImportJob, ImportStatus
from batchwright.workflows.messages import describe
from tests.api.requests import retries
from tests.fakes.failing_server import FailingServer, ServerFailure
from tests.ui.conftest import until
from tests.ui.data.conftest import (
    LIVE,
    buttons,
    checked,
    opened,
    operation_panel,
    operation_text,
    shown,
    wait_for_dialog,
    with_rejections,
)
from tests.ui.fake_connection_pool import FakeConnectionPool

pytestmark = [pytest.mark.gui, pytest.mark.whole_program]

Upload = Callable[..., Awaitable[TransferResult]]


def progress_of(stage: DataStage) -> UploadOperation:
    """The latest upload."""
    progress = stage.state.dataset.upload_operation
    assert progress is not None
    return progress


async def ended(stage: DataStage) -> UploadOperation:
    """Wait until the upload has ended."""
    await until(lambda: stage.state.dataset.operations.current is None, 30)
    return progress_of(stage)


def lengthen(reviews: Path) -> None:
    """Make a file so long that it is sent in several chunks."""
    row = f"{'long ' * 200},https://example.org/1.png,cats\n"
    reviews.write_text("prompt,picture,topic\n" + 4000 * row)


def is_upload_in_status_line(stage: DataStage) -> bool:
    """Whether the status bar shows an upload."""
    return stage.context.window.shell.activity is not None


def upload_text(stage: DataStage) -> str:
    """The text of the panel, which shows an upload."""
    assert operation_panel(stage).accessibleName() == "Upload"
    return operation_text(stage)


def upload_by(
    monkeypatch: pytest.MonkeyPatch, context: WorkflowContext, how: Callable[[Upload], Upload]
) -> None:
    """Replace the file transfer by a function of the original one."""
    transfers = context.service.transfers
    monkeypatch.setattr(transfers, "upload", how(transfers.upload))


@pytest.mark.parametrize(
    ("encoding", "prompts"),
    [
        ("shift_jis", ("猫は何匹いますか", "どちらが好きですか")),
        ("gb18030", ("图中有几只猫？请写下您的理由。", "你更喜欢哪一个？")),
        ("cp1251", ("Сколько кошек на картинке?", "Что вам больше нравится?")),
    ],
)
async def test_text_in_a_legacy_encoding_is_stored_by_the_service_unchanged(
    stage: DataStage,
    context: WorkflowContext,
    service_folder: Path,
    tmp_path: Path,
    encoding: str,
    prompts: tuple[str, ...],
) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes("".join(f"{line}\n" for line in ("prompt", *prompts)).encode(encoding))

    await opened(stage, path)
    buttons(stage)["Upload 2 records"].click()
    assert (await ended(stage)).is_complete
    with closing(sqlite3.connect(service_folder / "service.db")) as database:
        stored = {
            json.loads(record).get("prompt") for (record,) in database.execute("SELECT record FROM datapoint")
        }
    assert set(prompts) <= stored


@pytest.mark.parametrize("is_copy", [False, True], ids=["other study", "copy of the study"])
async def test_windows_that_upload_the_same_data_at_once_send_it_to_a_dataset_each(
    is_copy: bool,
    stage: DataStage,
    context: WorkflowContext,
    session: ConnectionSession,
    reviews: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, has_started = stage.state, asyncio.Event()
    study, tasks = Study(), Tasks(describe)
    project = first.study.project
    study.open(project if is_copy else replace(project, study_id=""), None)
    second = DataState(study, session, tasks, describe)

    def started(upload: Upload) -> Upload:
        async def start_other(*what: Any, **further: Any) -> TransferResult:
            if not has_started.is_set():
                has_started.set()
                start_upload(second.dataset)
                await until(lambda: is_copy or second.dataset.is_uploaded, 30)
            return await upload(*what, **further)

        return start_other

    await opened(stage, reviews)
    second.open_file(reviews)
    await checked(second)
    assert second.study.schema == first.study.schema
    upload_by(monkeypatch, context, started)
    start_upload(first.dataset)
    await until(lambda: first.dataset.is_uploaded and second.dataset.is_uploaded, 30)
    uploads = [state.dataset.upload_operation for state in (first, second)]
    ids = {upload.dataset_id for upload in uploads if upload is not None}
    datasets = [await context.service.datasets.get(id) for id in ids]
    assert [dataset.total_datapoint_count for dataset in datasets] == [100, 100]
    await tasks.aclose()


async def test_a_cancelled_upload_can_be_repeated(
    stage: DataStage, context: WorkflowContext, reviews: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never_completed(_upload: Upload) -> Upload:
        async def upload(_path: Path, _url: str, *, on_progress: Any, **_further: object) -> TransferResult:
            on_progress(1000, 4000)
            await asyncio.Event().wait()
            raise AssertionError("it waits forever")

        return upload

    await opened(stage, reviews)
    with monkeypatch.context() as patch:
        upload_by(patch, context, never_completed)
        buttons(stage)["Upload 100 records"].click()
        await until(lambda: progress_of(stage).fraction == 0.25, 30)
        assert "Sending 100 records" in next_step(stage.state).text
        assert is_upload_in_status_line(stage)
        buttons(stage)["Stop"].click()
        assert (await ended(stage)).state is OperationState.CANCELLED
    assert "Nothing was kept" in upload_text(stage)
    assert "can be started again" in next_step(stage.state).text
    assert not is_upload_in_status_line(stage)
    buttons(stage)["Upload 100 records"].click()
    assert (await ended(stage)).is_complete
    assert stage.state.dataset.is_uploaded
    assert "100 accepted" in upload_text(stage)
    copy = next(
        button
        for button in operation_panel(stage).findChildren(CopyIdButton)
        if button.accessibleName() == "Copy the dataset id" and button.isVisible()
    )
    copy.click()
    assert QGuiApplication.clipboard().text() == progress_of(stage).dataset_id


async def test_an_upload_that_the_service_does_not_import_fails_and_retries_with_the_same_dataset(
    stage: DataStage, context: WorkflowContext, reviews: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def swallowed(_upload: Upload) -> Upload:
        async def upload(_path: Path, _url: str, **_further: object) -> TransferResult:
            return TransferResult(9, "0f")

        return upload

    await opened(stage, reviews)
    with monkeypatch.context() as patch:
        upload_by(patch, context, swallowed)
        patch.setattr(context.jobs, "_limits", StartLimits(late_s=0, never_s=1))
        buttons(stage)["Upload 100 records"].click()
        await until(lambda: progress_of(stage).is_late, 30)
        assert "the service has not started to read it" in upload_text(stage)
        failed = await ended(stage)
    assert failed.state is OperationState.FAILED
    assert "the service did not start to read it" in upload_text(stage)
    assert "no second one is created" in upload_text(stage)
    buttons(stage)["Upload 100 records"].click()
    complete = await ended(stage)
    assert complete.is_complete
    assert complete.dataset_id == failed.dataset_id


async def test_the_live_dialog_names_the_dataset_that_is_resumed(
    stage: DataStage, context: WorkflowContext, reviews: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never_completed(_upload: Upload) -> Upload:
        async def upload(*_what: object, **_further: object) -> TransferResult:
            await asyncio.Event().wait()
            raise AssertionError("it waits forever")

        return upload

    async def confirmation_text(stage: DataStage) -> str:
        upload_data(stage.context)
        dialog = await wait_for_dialog(stage, Dialog)
        text = dialog.accessibleDescription()
        dialog.cancel_button.click()
        await until(lambda: not stage.window().findChildren(Dialog), 30)
        return text

    await opened(stage, reviews)
    await stage.state.session.select(LIVE.name)
    assert "A new dataset “Cats” is created in the workspace." in await confirmation_text(stage)
    upload_by(monkeypatch, context, never_completed)
    start_upload(stage.state.dataset)
    await until(lambda: progress_of(stage).step is UploadStep.SENDING, 30)
    stage.state.dataset.operations.cancel(UPLOAD)
    assert (await ended(stage)).state is OperationState.CANCELLED
    stage.state.study.set_name("Dogs")
    for _time in range(2):
        assert "They are added to the dataset “Cats”, which was created for them." in await confirmation_text(
            stage
        )
        start_upload(stage.state.dataset)
        stage.state.dataset.operations.cancel(UPLOAD)
    stage.state.schema.set_label("topic", "What it is about")
    await checked(stage.state)
    assert "A new dataset “Dogs” is created in the workspace." in await confirmation_text(stage)


async def test_a_failed_upload_can_be_repeated(
    stage: DataStage,
    context: WorkflowContext,
    pool: FakeConnectionPool,
    reviews: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def cut(_upload: Upload) -> Upload:
        async def upload(_path: Path, _url: str, *, on_progress: Any, **_further: object) -> TransferResult:
            on_progress(1000, 4000)
            raise UnexpectedResponse("PUT file", "not from a service")

        return upload

    await opened(stage, reviews)
    with monkeypatch.context() as patch:
        upload_by(patch, context, cut)
        buttons(stage)["Upload 100 records"].click()
        assert (await ended(stage)).state is OperationState.FAILED
    assert "not from a service" in upload_text(stage)
    assert next_step(stage.state).action is DataAction.UPLOAD
    assert not stage.state.dataset.is_uploaded
    buttons(stage)["Upload 100 records"].click()
    assert (await ended(stage)).is_complete


async def test_an_interrupted_upload_continues_when_the_service_on_this_computer_responds(
    stage: DataStage, context: WorkflowContext, pool: FakeConnectionPool, reviews: Path
) -> None:
    await opened(stage, reviews)
    async with connect("http://127.0.0.1:9", "token", retry_policy=retries()) as absent:
        pool.workflow_context = replace(context, service=absent)
        buttons(stage)["Upload 100 records"].click()
        await until(lambda: progress_of(stage).state is OperationState.OFFLINE)
        pool.workflow_context = context
        assert (await ended(stage)).is_complete


async def test_a_service_without_response_is_reported_within_seconds(
    stage: DataStage, context: WorkflowContext, pool: FakeConnectionPool, reviews: Path
) -> None:
    await opened(stage, reviews)
    with FailingServer([ServerFailure.STALL] * 9) as hung:
        async with connect(hung.url, "token") as service:
            pool.workflow_context = replace(context, service=service)
            start_upload(stage.state.dataset)
            await until(lambda: progress_of(stage).state is OperationState.OFFLINE, SILENCE_S + 1)
            sentence = "The service on this computer is not answering. This continues when it does."
            assert sentence in upload_text(stage)
            assert next_step(stage.state).text == sentence
            stage.state.dataset.operations.cancel(UPLOAD)


async def test_an_upload_resumes_after_an_outage(
    stage: DataStage, context: WorkflowContext, reviews: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_back = asyncio.Event()

    def away(upload: Upload) -> Upload:
        async def try_to_upload(*where: object, **further: Any) -> TransferResult:
            if is_back.is_set():
                return await upload(*where, **further)
            raise Unreachable("PUT file", "the connection failed", arrived=False)

        return try_to_upload

    await opened(stage, reviews)
    await stage.state.session.select(LIVE.name)
    upload_by(monkeypatch, context, away)
    start_upload(stage.state.dataset)
    await until(lambda: progress_of(stage).state is OperationState.OFFLINE, 30)
    assert "continues when it does" in upload_text(stage)
    assert "continues when it does" in next_step(stage.state).text
    dataset_id = progress_of(stage).dataset_id
    is_back.set()
    assert (await ended(stage)).is_complete
    assert progress_of(stage).dataset_id == dataset_id


async def test_an_outage_during_an_import_is_shown_at_once(
    stage: DataStage, context: WorkflowContext, reviews: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_down, is_back, may_end = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def sleep(_seconds: float) -> None:
        await is_back.wait()

    fetch = context.service.datasets.import_job

    async def import_job(dataset_id: str, import_id: str) -> ImportJob:
        async def attempt() -> ImportJob:
            if is_down.is_set() and not is_back.is_set():
                raise Unreachable("GET import", "the connection failed", arrived=False)
            if may_end.is_set():
                return await fetch(dataset_id, import_id)
            return ImportJob(import_id=import_id, status=ImportStatus.PROCESSING)

        return await RetryPolicy(sleep=sleep).run(attempt, repeatable=True)

    monkeypatch.setattr(context.service.datasets, "import_job", import_job)
    await opened(stage, reviews)
    start_upload(stage.state.dataset)
    await until(lambda: progress_of(stage).status == ImportStatus.PROCESSING, 30)
    is_down.set()
    await until(lambda: progress_of(stage).state is OperationState.OFFLINE, 30)
    assert "The service on this computer is not answering. This continues when it does." in upload_text(stage)
    is_back.set()
    await until(lambda: progress_of(stage).step is UploadStep.IMPORTING, 30)
    may_end.set()
    assert (await ended(stage)).is_complete


async def test_a_rejected_token_is_reported_and_the_upload_can_be_repeated(
    stage: DataStage,
    context: WorkflowContext,
    pool: FakeConnectionPool,
    reviews: Path,
    running: ServiceAddress,
) -> None:
    await opened(stage, reviews)
    async with connect(running.url, "an-unknown-token", retry_policy=retries()) as unknown_client:
        pool.workflow_context = replace(context, service=unknown_client)
        buttons(stage)["Upload 100 records"].click()
        assert (await ended(stage)).state is OperationState.NEEDS_SIGN_IN
    assert "The token was not accepted." in upload_text(stage)
    assert "The token was not accepted." in next_step(stage.state).text
    pool.workflow_context = context
    buttons(stage)["Upload 100 records"].click()
    assert (await ended(stage)).is_complete


async def test_a_file_changed_since_validation_is_not_uploaded(
    stage: DataStage, context: WorkflowContext, reviews: Path
) -> None:
    await opened(stage, reviews)
    with reviews.open("a") as file:
        file.write("Another?,https://example.org/101.png,cats\n")
    buttons(stage)["Upload 100 records"].click()
    assert (await ended(stage)).state is OperationState.FAILED
    assert not progress_of(stage).dataset_id, "no dataset was created for it"
    await until(lambda: bool(stage.window().findChildren(NoticeCard)), 30)
    await checked(stage.state)
    assert "has changed since it was checked" in upload_text(stage)
    buttons(stage)["Upload 101 records"].click()
    assert (await ended(stage)).is_complete


async def test_a_file_that_changes_during_the_upload_is_reported(
    stage: DataStage, context: WorkflowContext, reviews: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meddling(upload: Upload) -> Upload:
        async def meddled(path: Path, url: str, *, on_progress: Any, **further: Any) -> TransferResult:
            def write(done: int, total: int | None) -> None:
                on_progress(done, total)
                path.write_text("prompt,picture,topic\nx,https://example.org/1.png,z\n")

            return await upload(path, url, on_progress=write, **further)

        return meddled

    lengthen(reviews)
    await opened(stage, reviews)
    with monkeypatch.context() as patch:
        upload_by(patch, context, meddling)
        buttons(stage)["Upload 4,000 records"].click()
        assert (await ended(stage)).state is OperationState.FAILED
    await until(lambda: bool(stage.window().findChildren(NoticeCard)), 30)
    await checked(stage.state)
    assert "The file changed while it was being sent." in upload_text(stage)
    buttons(stage)["Upload 1 record"].click()
    assert (await ended(stage)).is_complete


async def test_a_schema_changed_during_the_upload_is_not_uploaded(
    stage: DataStage, context: WorkflowContext, reviews: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await opened(stage, reviews)
    buttons(stage)["Upload 100 records"].click()
    stage.state.schema.set_label("prompt", "Another label")
    assert (await ended(stage)).is_complete
    assert not stage.state.dataset.is_uploaded
    stage.state.schema.set_label("prompt", "Prompt")
    assert stage.state.dataset.is_uploaded


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are always valid Unicode")
async def test_a_file_with_an_undecodable_name_is_uploaded(
    stage: DataStage, context: WorkflowContext, reviews: Path, study: Study
) -> None:
    named_by_bytes = reviews.rename(reviews.with_name(os.fsdecode(b"caf\xe9.csv")))

    study.open(Project(""), None)
    await opened(stage, named_by_bytes)
    start_upload(stage.state.dataset)
    progress = await ended(stage)
    assert progress.is_complete
    assert progress.dataset is not None
    assert progress.dataset.name == "caf\N{REPLACEMENT CHARACTER}"


async def test_rejections_are_reached_by_click_and_by_keyboard(
    stage: DataStage, window: Window, reviews: Path
) -> None:
    await with_rejections(stage, reviews)
    rejections, table = shown(stage, RejectionsTable), shown(stage, RowsTable)

    def counts() -> tuple[int, int]:
        return table.currentIndex().row(), table.currentIndex().column()

    second = rejections.model().index(1, 3, QModelIndex())
    spot = rejections.visualRect(second).center()
    QTest.mouseClick(rejections.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, spot)
    assert counts() == (7, 2)
    observed = []
    for action in (
        ActionId.DATA_NEXT_REJECTION,
        ActionId.DATA_NEXT_REJECTION,
        ActionId.DATA_PREVIOUS_REJECTION,
    ):
        stage.context.window.actions.run(action)
        observed.append(counts())
    assert observed == [(3, 1), (7, 2), (3, 1)]
