"""Operations of one study do not change the next study, and use the connection they were started with."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from batchwright.client.context import Notify, WorkflowContext
from batchwright.local.connections import THIS_COMPUTER, Connection
from batchwright.local.projects import Project, RemoteBinding
from batchwright.schema.parsing import write_schema
from batchwright.ui.core.operations import OperationState
from batchwright.ui.data.dataset.confirm_dialogs import AppendDialog
from batchwright.ui.data.dataset.dataset_commands import append_records
from batchwright.ui.data.dataset.upload import start_upload, start_v3_upload
from batchwright.ui.data.stage import DataStage
from batchwright.ui.shell.state import ShellState
from batchwright.wire.datasets import Dataset, DatasetCreate, DatasetStatusResponse
from tests.ui.conftest import until
from tests.ui.data.conftest import (
    LIVE,
    append_current_file,
    buttons,
    checked,
    opened,
    wait_for_dialog,
)
from tests.ui.data.dataset.test_append_records import ended, more
from tests.ui.data.dataset.test_upload import ended as uploaded
from tests.ui.fake_connection_pool import FakeConnectionPool

pytestmark = [pytest.mark.gui, pytest.mark.whole_program]


def make_hosted_service_unreachable(pool: FakeConnectionPool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every hosted service unreachable."""
    open_context = pool.context

    async def context(connection: Connection, notify: Notify) -> WorkflowContext:
        if connection is not THIS_COMPUTER:
            raise ConnectionRefusedError(111, "connection refused", connection.name)
        return await open_context(connection, notify)

    monkeypatch.setattr(pool, "context", context)


def open_next(stage: DataStage, **changes: object) -> None:
    """Open a second study with the same data file."""
    study = stage.state.study
    study.open(replace(study.project, name="Second", **changes), None)  # type: ignore[arg-type]  # by name


async def create_second_dataset(stage: DataStage, context: WorkflowContext) -> Dataset:
    """Create another dataset with the same schema and no records."""
    schema = stage.state.study.schema
    assert schema is not None
    request = DatasetCreate(
        name="Other", workspace_id=context.workspace_id, schema=dict(write_schema(schema))
    )
    return await context.service.datasets.create(request)


@pytest.mark.usefixtures("uploaded_reviews")
async def test_opening_another_study_keeps_its_own_unfinished_import(
    stage: DataStage, context: WorkflowContext
) -> None:
    study, here = stage.state.study, stage.state.session.connection.name
    second = RemoteBinding(context.workspace_id, (await create_second_dataset(stage, context)).id)
    study.open(Project("Second", schema=study.schema, remotes={here: second}), None)
    assert study.remote(here) == second


@pytest.mark.usefixtures("uploaded_reviews")
async def test_a_v3_upload_does_not_change_the_next_study(
    stage: DataStage, context: WorkflowContext, reviews: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, gate, status = stage.state.dataset, asyncio.Event(), context.service.datasets.status

    async def later(id: str) -> DatasetStatusResponse:
        await gate.wait()
        return await status(id)

    monkeypatch.setattr(context.service.datasets, "status", later)
    start_v3_upload(work, reviews)
    await until(lambda: work.v3_upload is not None and work.v3_upload.state is OperationState.RUNNING, 30)
    open_next(stage, remotes={})
    assert work.busy_reason is None
    gate.set()
    await checked(stage.state)
    await until(lambda: not stage.state.is_reading, 30)
    assert work.operation is None
    assert stage.state.study.project.remotes == {}


@pytest.mark.usefixtures("uploaded_reviews")
@pytest.mark.parametrize("is_changed", [True, False])
async def test_a_file_changed_while_its_study_was_closed_is_not_uploaded(
    stage: DataStage, reviews: Path, *, is_changed: bool
) -> None:
    state = stage.state
    await until(lambda: not state.is_reading, 30)
    project = state.study.project
    state.study.open(Project("Other", project.layout), None)
    content = reviews.read_bytes()
    reviews.write_bytes(content.replace(b"cat", b"dog") if is_changed else content)
    state.study.open(project, None)
    await checked(state)
    await until(lambda: not state.is_reading, 30)
    assert state.dataset.is_uploaded is not is_changed


@pytest.mark.usefixtures("uploaded_reviews")
async def test_an_upload_does_not_change_the_next_study(
    stage: DataStage, context: WorkflowContext, reviews: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, under_way = stage.state.dataset, asyncio.Event()

    async def for_ever(*_what: object, **_further: object) -> None:
        under_way.set()
        await asyncio.Event().wait()

    assert work.is_uploaded
    monkeypatch.setattr(context.service.transfers, "upload", for_ever)
    start_upload(work)
    await under_way.wait()
    open_next(stage, remotes={})
    assert work.operations.current is None
    await checked(stage.state)
    assert stage.state.study.project.remotes == {}
    assert not work.is_uploaded


@pytest.mark.usefixtures("uploaded_reviews")
async def test_records_are_appended_only_to_the_dataset_in_the_dialog(
    stage: DataStage, context: WorkflowContext, tmp_path: Path
) -> None:
    state, work = stage.state, stage.state.dataset
    other = await create_second_dataset(stage, context)
    remotes = {
        state.session.connection.name: RemoteBinding(context.workspace_id, other.id, None, is_filled=True)
    }

    state.open_file(more(tmp_path, 3))
    assert state.is_reading
    stage.context.start(append_records)
    await asyncio.sleep(0)
    open_next(stage, remotes=remotes)
    await until(lambda: work.remote.dataset is not None and work.remote.dataset.id == other.id, 30)
    await until(lambda: not state.is_reading, 30)
    await until(lambda: "data append_records" not in stage.context.window.tasks.running, 30)
    assert not stage.window().findChildren(AppendDialog), "what was asked for is another study's"

    stage.context.start(append_records)
    dialog = await wait_for_dialog(stage, AppendDialog)
    assert "“Other” has 0 records" in dialog.accessibleDescription()
    dialog.accept_button.click()
    assert (await ended(stage)).dataset_id == other.id


@pytest.mark.usefixtures("uploaded_reviews")
async def test_nothing_is_appended_if_the_study_changes_while_the_dialog_is_open(
    stage: DataStage, context: WorkflowContext, tmp_path: Path
) -> None:
    await opened(stage, more(tmp_path, 3))
    stage.context.start(append_records)
    dialog = await wait_for_dialog(stage, AppendDialog)
    open_next(stage)
    dialog.accept_button.click()
    await until(lambda: "data append_records" not in stage.context.window.tasks.running, 30)
    assert stage.state.dataset.operation is None


@pytest.mark.usefixtures("uploaded_reviews")
async def test_the_dataset_of_the_next_study_is_fetched_only_while_the_stage_is_shown(
    stage: DataStage, context: WorkflowContext, shell: ShellState
) -> None:
    remote = stage.state.dataset.remote
    open_next(stage)
    assert remote.dataset is None
    await until(lambda: remote.accepts_records, 30)
    await until(lambda: not stage.state.is_reading, 30)
    await until(lambda: "Append records" in buttons(stage), 30)
    shell.set_stage("layout")
    open_next(stage)
    await checked(stage.state)
    assert remote.dataset is None, "the stage is not shown"
    shell.set_stage("data")
    await until(lambda: remote.accepts_records, 30)


@pytest.mark.usefixtures("uploaded_reviews")
async def test_an_append_succeeds_even_if_the_dataset_cannot_be_fetched_afterwards(
    stage: DataStage, context: WorkflowContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await opened(stage, more(tmp_path, 3))

    async def away(_id: str) -> object:
        raise ConnectionRefusedError(111, "connection refused")

    monkeypatch.setattr(context.service.datasets, "get", away)
    append_current_file(stage)
    done = await ended(stage)
    assert (done.state, done.accepted, done.error) == (OperationState.SUCCEEDED, 3, None)
    assert stage.state.dataset.is_uploaded
    await until(lambda: stage.state.dataset.remote.error is not None, 30)


@pytest.mark.usefixtures("uploaded_reviews")
async def test_an_append_uses_the_connection_it_was_started_with(
    stage: DataStage,
    context: WorkflowContext,
    tmp_path: Path,
    pool: FakeConnectionPool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await opened(stage, more(tmp_path, 3))
    make_hosted_service_unreachable(pool, monkeypatch)
    append_current_file(stage)
    await stage.state.session.select(LIVE.name)
    assert (await ended(stage)).accepted == 3


@pytest.mark.usefixtures("uploaded_reviews")
async def test_an_upload_uses_the_connection_it_was_started_with(
    stage: DataStage, context: WorkflowContext, pool: FakeConnectionPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_hosted_service_unreachable(pool, monkeypatch)
    start_upload(stage.state.dataset)
    await stage.state.session.select(LIVE.name)
    progress = await uploaded(stage)
    assert progress.is_complete, progress.error
    assert LIVE.name not in stage.state.study.project.remotes
