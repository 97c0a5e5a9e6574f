"""A reopened study determines the state of its interrupted upload."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from batchwright.api.http.errors import Unreachable
from batchwright.app.headless import headless_context
from batchwright.base.json_values import JsonObject
from batchwright.client.checkpoint import Checkpoint
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobStatus
from batchwright.local.connections import THIS_COMPUTER
from batchwright.local.projects import Project, RemoteBinding
from batchwright.service.process import ServiceAddress
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.operations import OperationState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.data.dataset.dataset_operations import UploadStep
from batchwright.ui.data.dataset.interrupted_upload import RemainingWork
from batchwright.ui.data.dataset.upload import start_upload
from batchwright.ui.data.next_step import next_step
from batchwright.ui.data.state import DataState
from batchwright.ui.study.study_model import Study
from batchwright.wire.datasets import Dataset, UploadUrl
from batchwright.wire.imports import ImportJob, ImportStatus
from batchwright.workflows.messages import describe
from tests.ui.conftest import until
from tests.ui.data.conftest import LIVE, checked, find_connection, no_sign_in
from tests.ui.fake_connection_pool import FakeConnectionPool

pytestmark = [pytest.mark.gui, pytest.mark.whole_program]

Program = Callable[[Project], AbstractAsyncContextManager[tuple[DataState, WorkflowContext]]]
"""Opens a study in a program of its own, and kills it at the end."""
OTHER_BINDING = RemoteBinding("w1", "another-dataset")
STEPS: tuple[JsonObject, ...] = (
    {"step": "pairs", "prompt": "prompt", "system": "system", "outputs": ["output"]},
    {"step": "sides"},
    {"step": "groups", "size": 4, "apart": "prompt"},
)


@pytest.fixture
def program(service: tuple[ServiceAddress, Path]) -> Program:
    """A function that opens a study in a new run of the program on the same folders."""

    @asynccontextmanager
    async def program(project: Project) -> AsyncIterator[tuple[DataState, WorkflowContext]]:
        study, tasks = Study(), Tasks(describe)
        async with headless_context(*service, lambda _sentence: None) as context:
            session = ConnectionSession(
                FakeConnectionPool(workflow_context=context), find_connection, no_sign_in
            )
            state = DataState(study, session, tasks, describe)
            state.dataset.running_import_found.connect(partial(start_upload, state.dataset))
            state.dataset.remote.is_active = True
            study.open(project, None)
            yield state, context
            await tasks.aclose()

    return program


@pytest.fixture
def study_with_upload_at(
    program: Program, reviews: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[UploadStep], Awaitable[Project]]:
    """A function that creates a study whose program was killed at a step of the upload."""

    async def for_ever(*_what: object, **_further: object) -> None:
        await asyncio.Event().wait()

    async def no_statuses(*_what: object) -> AsyncIterator[JobStatus]:
        await asyncio.Event().wait()
        yield JobStatus("never")

    async def interrupt(step: UploadStep) -> Project:
        async with program(Project("Cats")) as (state, context):
            if step is UploadStep.SENDING:
                monkeypatch.setattr(context.service.transfers, "upload", for_ever)
            monkeypatch.setattr(context.jobs, "statuses", no_statuses)
            state.open_file(reviews)
            await checked(state)
            start_upload(state.dataset)
            await until(lambda: step_of(state) is step, 30)
            return state.study.project

    return interrupt


def step_of(state: DataState) -> UploadStep | None:
    progress = state.dataset.upload_operation
    return None if progress is None else progress.step


def state_of(state: DataState) -> OperationState | None:
    upload = state.dataset.upload_operation
    return None if upload is None else upload.state


async def ended(context: WorkflowContext, dataset_id: str) -> Dataset:
    """Wait until the import has ended, and return the dataset."""
    while True:
        dataset = await context.service.datasets.get(dataset_id)
        if all(job.settled for job in dataset.imports or ()):
            return dataset


def dataset_of(project: Project) -> str:
    (remote,) = project.remotes.values()
    assert remote.dataset_id is not None
    assert not remote.has_data
    return remote.dataset_id


def report_imports_as_running(context: WorkflowContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """Report the imports of every dataset as running."""
    get = context.service.datasets.get

    async def still_running(dataset_id: str) -> Dataset:
        dataset = await get(dataset_id)
        jobs = tuple(
            job.model_copy(update={"status": ImportStatus.PROCESSING}) for job in dataset.imports or ()
        )
        return dataset.model_copy(update={"imports": jobs})

    monkeypatch.setattr(context.service.datasets, "get", still_running)


async def test_an_unfinished_transfer_is_offered_and_resumed_on_request(
    program: Program, study_with_upload_at: Callable[[UploadStep], Awaitable[Project]]
) -> None:
    project = await study_with_upload_at(UploadStep.SENDING)
    async with program(project) as (state, _context):
        await until(lambda: state.dataset.remaining_work is RemainingWork.UPLOAD, 30)
        step = next_step(state)
        assert step.button == "Resume upload"
        assert step.text == "The upload was stopped before the file was received. Next: resume it."
        assert state.dataset.upload_operation is None
        state.study.set_name("Dogs")
        assert state.dataset.remaining_work is RemainingWork.UPLOAD, (
            "what a study is called has nothing to do with it"
        )
        start_upload(state.dataset)
        await until(lambda: state_of(state) is OperationState.SUCCEEDED, 30)
        assert state.dataset.is_uploaded
        assert state.dataset.remote.binding.dataset_id == dataset_of(project)


async def test_prepared_records_are_sent_with_the_same_bytes_after_the_program_was_killed_and_an_outage(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs, sent = tmp_path / "outputs.csv", list[bytes]()
    rows = [f"Question {prompt}?,{system},{system} on {prompt}" for prompt in range(9) for system in "ABC"]
    outputs.write_text("\n".join(["prompt,system,output", *rows]) + "\n", encoding="utf-8")

    async def send_nothing(path: Path, *_what: object, **_further: object) -> None:
        sent.append(await asyncio.to_thread(path.read_bytes))
        await asyncio.Event().wait()

    async with program(Project("Systems")) as (state, context):
        monkeypatch.setattr(context.service.transfers, "upload", send_nothing)
        state.open_file(outputs)
        await checked(state)
        state.change_steps(STEPS, "Change steps")
        await until(lambda: not state.is_reading and state.validation.report is not None, 30)
        start_upload(state.dataset)
        await until(lambda: len(sent) == 1, 30)
        project = state.study.project
    async with program(project) as (state, context):
        upload = context.service.transfers.upload

        async def send_later(path: Path, *what: object, **further: object) -> object:
            sent.append(await asyncio.to_thread(path.read_bytes))
            if len(sent) == 2:
                raise Unreachable("PUT file", "the connection failed", arrived=False)
            return await upload(path, *what, **further)  # type: ignore[arg-type]  # just as they came

        monkeypatch.setattr(context.service.transfers, "upload", send_later)
        await until(lambda: state.dataset.remaining_work is RemainingWork.UPLOAD, 30)
        start_upload(state.dataset)
        await until(lambda: state_of(state) is OperationState.SUCCEEDED, 30)
        assert state.dataset.is_uploaded
        dataset = await context.service.datasets.get(dataset_of(project))
        assert dataset.total_datapoint_count == len(sent[0].splitlines()) == 27
    assert len(sent) == 3
    assert len({*sent}) == 1


async def test_a_finished_import_is_detected_when_the_study_is_opened(
    program: Program, study_with_upload_at: Callable[[UploadStep], Awaitable[Project]]
) -> None:
    project = await study_with_upload_at(UploadStep.IMPORTING)
    async with program(project) as (state, context):
        dataset = await ended(context, dataset_of(project))
        await until(lambda: state.dataset.is_uploaded, 30)
        assert state.dataset.remote.binding.dataset_id == dataset.id
        assert state_of(state) in (None, OperationState.SUCCEEDED)
        assert "100 records are in the dataset on this computer" in next_step(state).text
    async with program(state.study.project) as (state, context):
        await until(lambda: state.dataset.is_uploaded, 30)


async def test_a_finished_import_is_detected_without_the_data_file(
    program: Program, study_with_upload_at: Callable[[UploadStep], Awaitable[Project]], reviews: Path
) -> None:
    project = await study_with_upload_at(UploadStep.IMPORTING)
    reviews.unlink()
    async with program(project) as (state, context):
        dataset = await ended(context, dataset_of(project))
        state.dataset.remote.refresh()
        await until(lambda: state.dataset.remote.binding.has_data, 30)
        assert state.dataset.remote.binding.dataset_id == dataset.id
        assert not state.dataset.is_uploaded, "nobody can tell of what it was made"


async def test_a_running_import_is_monitored_to_its_end(
    program: Program,
    study_with_upload_at: Callable[[UploadStep], Awaitable[Project]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    project = await study_with_upload_at(UploadStep.IMPORTING)
    async with program(project) as (state, context):
        report_imports_as_running(context, monkeypatch)
        await until(lambda: state_of(state) is OperationState.SUCCEEDED, 30)
        assert state.dataset.is_uploaded
        assert state.dataset.remote.binding.dataset_id == dataset_of(project)


async def test_an_import_that_has_failed_sends_nothing(
    program: Program,
    study_with_upload_at: Callable[[UploadStep], Awaitable[Project]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    project = await study_with_upload_at(UploadStep.IMPORTING)
    requests = list[str]()
    async with program(project) as (state, context):
        datasets = context.service.datasets
        import_job, upload_url = datasets.import_job, datasets.upload_url

        async def failed(dataset_id: str, import_id: str) -> ImportJob:
            job = await import_job(dataset_id, import_id)
            return job.model_copy(update={"status": ImportStatus.FAILED, "reason": "Too odd."})

        async def record_request(dataset_id: str, name: str) -> UploadUrl:
            requests.append(name)
            return await upload_url(dataset_id, name)

        report_imports_as_running(context, monkeypatch)
        monkeypatch.setattr(datasets, "import_job", failed)
        monkeypatch.setattr(datasets, "upload_url", record_request)
        await until(lambda: state_of(state) is OperationState.FAILED, 30)
    assert requests == []


async def test_a_new_validation_determines_the_remaining_work_again(
    program: Program,
    study_with_upload_at: Callable[[UploadStep], Awaitable[Project]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    project = await study_with_upload_at(UploadStep.SENDING)
    gate, has_passed, steps_of = asyncio.Event(), asyncio.Event(), Checkpoint.steps

    async def later(checkpoint: Checkpoint) -> JsonObject:
        await gate.wait()
        has_passed.set()
        return await steps_of(checkpoint)

    async with program(project) as (state, _context):
        monkeypatch.setattr(Checkpoint, "steps", later)
        await until(
            lambda: (
                state.dataset.remaining_work is RemainingWork.UNKNOWN and state.validation.report is not None
            ),
            30,
        )
        await until(lambda: state.dataset.remote.dataset is not None, 30)
        state.validate()
        gate.set()
        await has_passed.wait()
        await until(lambda: state.dataset.remaining_work is RemainingWork.UPLOAD, 30)


async def to_another_study(state: DataState) -> None:
    """Open another study with a dataset of its own."""
    state.study.open(Project("Second", remotes={THIS_COMPUTER.name: OTHER_BINDING}), None)


async def to_another_connection(state: DataState) -> None:
    """Select a connection at which the study has another dataset."""
    await state.session.select(LIVE.name)


@pytest.mark.parametrize("switch", [to_another_study, to_another_connection])
async def test_a_late_result_does_not_change_another_study_or_connection(
    switch: Callable[[DataState], Awaitable[None]],
    program: Program,
    study_with_upload_at: Callable[[UploadStep], Awaitable[Project]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    project = await study_with_upload_at(UploadStep.IMPORTING)
    project = replace(project, remotes={**project.remotes, LIVE.name: OTHER_BINDING})
    has_started, gate, has_passed, steps_of = (
        asyncio.Event(),
        asyncio.Event(),
        asyncio.Event(),
        Checkpoint.steps,
    )

    async def later(checkpoint: Checkpoint) -> JsonObject:
        has_started.set()
        await gate.wait()
        steps = await steps_of(checkpoint)
        has_passed.set()
        return steps

    async with program(Project("Nothing yet")) as (state, context):
        await ended(context, dataset_of(replace(project, remotes={"": project.remotes[THIS_COMPUTER.name]})))
        monkeypatch.setattr(Checkpoint, "steps", later)
        state.study.open(project, None)
        await has_started.wait()
        await switch(state)
        here, remotes = state.session.connection.name, state.study.project.remotes
        assert remotes[here] == OTHER_BINDING
        gate.set()
        await has_passed.wait()
        assert state.study.project.remotes == remotes


async def test_changed_data_is_uploaded_anew(
    program: Program,
    study_with_upload_at: Callable[[UploadStep], Awaitable[Project]],
    reviews: Path,
    service: tuple[ServiceAddress, Path],
) -> None:
    project = await study_with_upload_at(UploadStep.IMPORTING)
    reviews.write_text("prompt,picture,topic\nWhich?,https://example.org/1.png,cats\n", encoding="utf-8")
    assert project.data is not None
    changed = replace(project, data=replace(project.data, size=reviews.stat().st_size))
    async with program(changed) as (state, _context):
        await checked(state)
        await until(lambda: state.dataset.remaining_work is RemainingWork.NOTHING, 30)
        assert state.dataset.upload_operation is None
        assert next_step(state).button == "Upload 1 record"
