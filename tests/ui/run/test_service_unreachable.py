"""The Run stage when its service is killed, restarted, or used by another client."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from PySide6.QtWidgets import QSpinBox

from batchwright.api.http.errors import Conflict
from batchwright.api.participant_client import ParticipantClient
from batchwright.api.resources.batches import Batches
from batchwright.local.projects import Project
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.run.commands import start_simulation
from batchwright.ui.run.dialogs import SetUpDialog
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.places import unanswered_count
from batchwright.ui.run.publish import start_publish
from batchwright.ui.run.stage import RunStage
from batchwright.ui.widgets.dialogs.dialog import WarningBanner
from batchwright.wire.batches import Batch, BatchSetup, BatchStatus, BatchUpdate
from batchwright.wire.error_parsing import read_error
from batchwright.wire.errors import general_error
from batchwright.workflows.rehearsal import simulate
from batchwright.workflows.rehearsal.simulate import SimulationOptions
from tests.api.requests import retries
from tests.service.kill_helpers import paused_worker
from tests.ui.conftest import until
from tests.ui.run.conftest import press, ready, set_up_chosen, settled, update
from tests.ui.separate_service import SeparateService

pytestmark = pytest.mark.gui


@pytest.fixture
def session(service: SeparateService) -> ConnectionSession:
    return service.session


async def open_setup_dialog(stage: RunStage) -> None:
    """Create the batch, and wait for the setup dialog."""
    stage.window_context.actions.run(ActionId.RUN_PUBLISH)
    await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)


def status(stage: RunStage) -> str:
    batch = stage.state.own
    return batch.status if batch else ""


@pytest.mark.parametrize("job_delay", [0.2])
async def test_a_setup_continues_after_the_service_was_killed(
    stage: RunStage, service: SeparateService, failed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Batches.set_up

    async def set_up_and_die(self: Batches, batch_id: str, setup: BatchSetup) -> None:
        await real(self, batch_id, setup)
        service.kill()

    await open_setup_dialog(stage)
    monkeypatch.setattr(Batches, "set_up", set_up_and_die)
    press(stage, "Create 2 tasks")
    await until(lambda: service.starts == 2, 30)
    await settled(stage)
    assert failed == []
    assert status(stage) == BatchStatus.READY
    assert next_step(stage.state).action is ActionId.RUN_PARTICIPATE


@pytest.mark.parametrize(("call", "keeps_port"), [("start", True), ("answer", False)])
async def test_a_simulation_continues_after_the_service_was_killed(
    stage: RunStage, service: SeparateService, failed: list[str], call: str, *, keeps_port: bool
) -> None:
    """The service is killed in the middle, once before and once after it has stored what was sent."""
    real: Callable[..., Awaitable[Any]] = getattr(ParticipantClient, call)
    deaths = {3: "before", 6: "after"}
    calls, fractions, titles = 0, list[float](), list[str]()

    async def die(self: ParticipantClient, *given: Any) -> Any:
        nonlocal calls
        calls += 1
        death = deaths.pop(calls, "")
        if death == "before":
            kill()
        response = await real(self, *given)
        if death == "after":
            kill()
            response = await real(self, *given)
        return response

    def kill() -> None:
        service.kill()
        if not keeps_port:
            service.forget_port()

    def note_progress() -> None:
        operation = stage.state.operation
        if operation is not None and operation.fraction is not None:
            fractions.append(operation.fraction)

    await ready(stage)
    stage.state.operations.changed.connect(note_progress)
    stage.state.notified.connect(lambda title, _text: titles.append(title))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(simulate, "ParticipantClient", partial(ParticipantClient, retries()))
        patched.setattr(ParticipantClient, call, die)
        start_simulation(stage.state, SimulationOptions(6, per_task=3))
        await until(lambda: stage.state.operation is None and bool(fractions), 60)
    await settled(stage)
    assert (failed, deaths, service.starts) == ([], {}, 3)
    assert titles == ["6 participants answered"]
    assert stage.state.answers == (6, 6)
    assert fractions == sorted(fractions)
    assert unanswered_count(stage.state.progress) == 0


async def test_opening_as_a_participant_restarts_the_service(
    stage: RunStage, service: SeparateService, failed: list[str], opened_urls: list[str]
) -> None:
    await ready(stage)
    service.kill()
    press(stage, "Open as participant")
    await settled(stage)
    assert (failed, service.starts) == ([], 2)
    (opened,) = opened_urls
    assert "/participate/" in opened


@pytest.mark.parametrize("job_delay", [0.5])
async def test_a_setup_started_elsewhere_is_monitored_to_its_end(
    stage: RunStage, service: SeparateService, failed: list[str]
) -> None:
    await open_setup_dialog(stage)
    press(stage, "Cancel")
    await settled(stage)
    batch = stage.state.own
    assert batch is not None
    context = await service.session.context()
    await context.service.batches.set_up(batch.id, BatchSetup(tasks_per_group=2))
    stage.state.remote_list.refresh()
    await until(lambda: status(stage) == BatchStatus.PROCESSING, 30)
    assert next_step(stage.state).disabled_reason
    await until(lambda: status(stage) == BatchStatus.READY, 30)
    await settled(stage)
    assert [job.kind for job in stage.state.jobs].count("setup") == 1


async def test_a_setup_replaces_one_that_is_still_running(
    stage: RunStage, service: SeparateService, failed: list[str]
) -> None:
    await open_setup_dialog(stage)
    press(stage, "Cancel")
    await settled(stage)
    batch = stage.state.own
    assert batch is not None
    context = await service.session.context()
    with paused_worker(service.process.pid):
        await context.service.batches.set_up(batch.id, BatchSetup(tasks_per_group=2))
        stage.state.remote_list.refresh()
        await settled(stage)
        assert status(stage) == BatchStatus.PROCESSING
        press(stage, "Set up again")
        await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
        dialog = stage.window().findChild(SetUpDialog)
        assert dialog is not None
        assert "The earlier setup is still running." in dialog.findChildren(WarningBanner)[0].text
        dialog.findChildren(QSpinBox)[0].setValue(1)
        press(stage, "Create 2 tasks")
        await until(lambda: stage.state.operation is not None, 30)
    await until(lambda: status(stage) == BatchStatus.READY and stage.state.operation is None, 30)
    await settled(stage)
    assert failed == []
    assert stage.state.own is not None
    assert stage.state.own.total_task_groups == 2


async def test_a_setup_replaces_one_started_elsewhere_meanwhile(
    stage: RunStage, service: SeparateService, failed: list[str]
) -> None:
    await open_setup_dialog(stage)
    batch = stage.state.own
    assert batch is not None
    context = await service.session.context()
    with paused_worker(service.process.pid):
        await context.service.batches.set_up(batch.id, BatchSetup(tasks_per_group=2))
        press(stage, "Create 2 tasks")
        await until(lambda: status(stage) == BatchStatus.PROCESSING, 30)
    await until(lambda: status(stage) == BatchStatus.READY, 30)
    await settled(stage)
    assert failed == []
    assert stage.state.own is not None
    assert stage.state.own.total_task_groups == 2


@pytest.mark.parametrize("job_delay", [0.2])
async def test_starting_a_setup_twice_runs_it_once(
    stage: RunStage, service: SeparateService, failed: list[str]
) -> None:
    await open_setup_dialog(stage)
    press(stage, "Cancel")
    await settled(stage)
    set_up_chosen(stage.state, 1)
    set_up_chosen(stage.state, 1)
    await settled(stage)
    assert failed == []
    assert [job.kind for job in stage.state.jobs].count("setup") == 1


async def test_closing_the_study_cancels_the_simulation(
    stage: RunStage, service: SeparateService, failed: list[str]
) -> None:
    await ready(stage)
    start_simulation(stage.state, SimulationOptions(2))
    await until(lambda: stage.state.operation is not None)
    stage.state.study.close()
    assert stage.state.operation is None
    await settled(stage)
    assert (stage.state.own, stage.state.answers[0], failed) == (None, 0, [])


async def test_a_batch_created_for_another_study_is_discarded(
    stage: RunStage, service: SeparateService, failed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, created = Batches.create, asyncio.Event()

    async def create_slowly(self: Batches, *wanted: object) -> Batch:
        batch = await real(self, *wanted)  # type: ignore[arg-type]
        await created.wait()
        return batch

    monkeypatch.setattr(Batches, "create", create_slowly)
    study = stage.state.study
    press(stage, "Create batch")
    await until(lambda: stage.state.operation is not None)
    study.open(Project("Dogs"), None)
    assert stage.state.operation is None
    created.set()
    await settled(stage)
    assert study.project.remotes == {}
    assert stage.state.own is None
    assert failed == []


async def test_a_deleted_batch_can_be_created_again(
    stage: RunStage, service: SeparateService, failed: list[str]
) -> None:
    await ready(stage)
    state = stage.state
    unknown = "01900000-0000-7000-8000-000000000000"
    state.remote_list.clear()
    remote = replace(state.remote, batch_id=unknown)
    state.study.set_remote(state.session.connection.name, remote)
    state.remote_list.refresh()
    await settled(stage)
    assert status(stage) == ""
    assert state.remote.batch_id == unknown
    assert "The batch of this study is not on this computer." in next_step(state).text
    assert next_step(state).button == "Create here"
    await open_setup_dialog(stage)
    press(stage, "Cancel")
    await settled(stage)
    assert state.own is not None
    assert state.remote.batch_id == state.own.id


@pytest.mark.parametrize("action", ["publish", "set_up"])
async def test_a_batch_deleted_during_a_command_is_reported(
    stage: RunStage, service: SeparateService, failed: list[str], action: str
) -> None:
    await ready(stage)
    state = stage.state
    batch = state.own
    assert batch is not None
    deleted = batch.model_copy(update={"id": "01900000-0000-7000-8000-000000000000"})
    remote = replace(state.remote, batch_id=deleted.id)
    state.store(deleted)
    state.study.set_remote(state.session.connection.name, remote)
    if action == "publish":
        start_publish(state, state.own)
    else:
        set_up_chosen(state, 1)
    await until(lambda: bool(failed), 30)
    await settled(stage)
    assert "Something went wrong" not in failed[0]
    assert state.is_lost
    assert next_step(state).button == "Create here"


async def test_a_rejected_update_keeps_the_batch_and_shows_the_reason(
    stage: RunStage, service: SeparateService, failed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    await ready(stage)
    state = stage.state
    batch = state.own
    state.study.set_name("Another name")
    text = general_error(409, "An import is running.")
    conflict = Conflict("PATCH /batches/b", read_error(409, str(text).replace("'", '"').encode(), {}))

    async def busy(self: Batches, batch_id: str, changes: BatchUpdate) -> Batch:
        raise conflict

    with monkeypatch.context() as patched:
        patched.setattr(Batches, "update", busy)
        await update(stage)
        await until(lambda: bool(failed), 30)
        await settled(stage)
    assert "still running there: An import is running." in failed[0]
    remote = replace(state.remote, dataset_id="01900000-0000-7000-8000-000000000000")
    state.study.set_remote(state.session.connection.name, remote)
    start_publish(state, state.own)
    await until(lambda: len(failed) == 2, 30)
    await settled(stage)
    assert "dataset" in failed[1]
    assert state.own == batch
    assert next_step(state).stage == "data"
