"""The Run stage, operated by its buttons at a real service."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QLabel, QSpinBox

from batchwright.api.participant_client import OpenPage, ParticipantClient
from batchwright.base.json_values import Json
from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.nodes import NodePath
from batchwright.layout.serialization import random_keys, read
from batchwright.local.job_table import JobRow
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.next_step import NextStep
from batchwright.ui.core.operations import Operation, OperationRun, OperationState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.settings import Settings
from batchwright.ui.publishing.resource_panels import ProgressPanel
from batchwright.ui.run.checklist import ChecklistEntry, CheckState, checks
from batchwright.ui.run.commands import start_simulation
from batchwright.ui.run.dialogs import SetUpDialog
from batchwright.ui.run.group_progress import GroupProgressGrid
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.places import PlaceTimeoutDialog, places_text, unanswered_count
from batchwright.ui.run.stage import JobsPanel, RunStage
from batchwright.ui.shell.callouts import CalloutId, offer_callouts
from batchwright.ui.study.simulation_dialog import SimulationDialog
from batchwright.ui.widgets.callout import Callout
from batchwright.workflows.rehearsal.simulate import Behaviour, SimulationOptions
from tests.ui.conftest import until
from tests.ui.run.conftest import find_in_window, press, ready, settled, update

pytestmark = pytest.mark.gui


async def test_a_batch_is_created_set_up_and_answered_with_the_buttons(
    stage: RunStage, opened_urls: list[str]
) -> None:
    press(stage, "Create batch")
    await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
    press(stage, "Cancel")
    await settled(stage)
    press(stage, "Set up tasks")
    await until(lambda: stage.window().findChild(SetUpDialog) is not None)
    assert find_in_window(stage, QSpinBox).hasFocus()
    press(stage, "Create 2 tasks")
    await settled(stage)
    press(stage, "Open as participant")
    await settled(stage)
    press(stage, "Simulated participants")
    await until(lambda: stage.window().findChild(SimulationDialog) is not None)
    press(stage, "Let 2 participants answer")
    await settled(stage)
    assert stage.state.answers == (2, 2)
    assert len(find_in_window(stage, GroupProgressGrid).groups) == 2
    assert next_step(stage.state).action is ActionId.RUN_ANSWERS
    assert {job.kind for job in stage.state.jobs} == {"upload", "import", "setup"}
    (opened,) = opened_urls
    assert "/participate/" in opened


@pytest.fixture
def live_first_start(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program was never used, and a live connection is selected."""
    offer_callouts(settings)
    monkeypatch.setattr(ConnectionSession, "is_live", True)


@pytest.mark.usefixtures("live_first_start")  # before the stage is built
async def test_the_callout_about_rehearsals_waits_for_a_connection_that_is_not_live(
    stage: RunStage, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert next_step(stage.state).action is ActionId.RUN_PUBLISH
    callout = find_in_window(stage, Callout)
    assert not callout.isVisible()
    assert CalloutId.RUN in settings.callouts
    monkeypatch.setattr(ConnectionSession, "is_live", False)
    stage.show_state()
    assert callout.isVisible()
    assert CalloutId.RUN not in settings.callouts


async def test_a_rejected_layout_is_shown_at_its_item(stage: RunStage) -> None:
    study = stage.state.study
    study.set_schema(None)
    key = study.layout.at(NodePath(0, 0, 0, 0)).key
    study.apply(SetAttributes(key, {"field": "ghost"}))
    assert not study.problems
    press(stage, "Create batch")
    await settled(stage)
    assert [problem.path for problem in study.problems] == [NodePath(0, 0, 0, 0)]
    assert next_step(stage.state).stage == "layout"
    study.apply(SetAttributes(key, {"field": "prompt"}))
    assert next_step(stage.state).action is ActionId.RUN_PUBLISH


async def test_changes_of_the_study_are_offered_as_an_update(stage: RunStage) -> None:
    await ready(stage)
    study, batch = stage.state.study, stage.state.own
    assert batch is not None
    study.apply(SetAttributes(study.layout.at(NodePath(0, 0, 0, 1)).key, {"description": "Why not?"}))
    before = stage.state.remote.ids
    await update(stage)
    await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
    press(stage, "Cancel")
    await settled(stage)
    assert next_step(stage.state).button == "Set up again"
    assert stage.state.remote.batch_id == batch.id
    assert stage.state.remote.ids == before
    assert stage.state.is_as_sent
    press(stage, "Set up again")
    await until(lambda: stage.window().findChild(SetUpDialog) is not None)
    press(stage, "Create 2 tasks")
    await settled(stage)
    assert next_step(stage.state).action is ActionId.RUN_PARTICIPATE


async def test_simulations_with_different_seeds_add_participants(stage: RunStage) -> None:
    await ready(stage)
    messages: list[str] = []
    stage.state.notified.connect(lambda title, _line: messages.append(title))
    start_simulation(stage.state, SimulationOptions(1, 1, 7))
    await settled(stage)
    start_simulation(stage.state, SimulationOptions(3, 2, 8))
    await settled(stage)
    assert messages == ["1 participant answered", "3 participants answered"]
    assert stage.state.answers == (4, 4)


async def test_participants_who_wait_are_shown_as_started_and_can_be_stopped(stage: RunStage) -> None:
    await ready(stage)
    start_simulation(stage.state, SimulationOptions(2, behaviour=Behaviour(seconds_per_page=600)))
    await until(lambda: sum(group.in_progress for group in stage.state.groups) == 2)
    assert next_step(stage.state) == NextStep(
        "Simulated participants answer.", ActionId.RUN_ANSWERS, "See results", "chart-bar"
    )
    press(stage, "Stop")
    await settled(stage)
    operation = stage.state.operations.get("simulate")
    assert operation is not None
    assert (operation.state, operation.fraction) == (OperationState.CANCELLED, 0)
    start_simulation(stage.state, SimulationOptions(2))
    await settled(stage)
    assert stage.state.answers == (2, 2)


async def start_and_leave(stage: RunStage) -> None:
    """Start a submission as a participant who never answers."""
    assert stage.state.chosen is not None
    context = await stage.state.session.context()
    link = (await context.service.local.participation(stage.state.chosen.id)).url
    async with ParticipantClient() as person:
        assert isinstance(await person.start(link, "a" * 24), OpenPage)


async def test_a_simulation_says_why_not_all_answered_and_the_place_can_be_freed(stage: RunStage) -> None:
    await ready(stage)
    await start_and_leave(stage)
    texts: list[tuple[str, str]] = []
    stage.state.simulation_fell_short.connect(lambda title, line: texts.append((title, line)))
    start_simulation(stage.state, SimulationOptions(2))
    await settled(stage)
    ((title, line),) = texts
    assert title == "1 of 2 participants answered"
    assert line.startswith("1 participant has started and not answered. A place is free for others after")
    assert "60 minutes" in line
    assert places_text(stage.state.progress) in [label.text() for label in stage.findChildren(QLabel)]
    press(stage, "Free places")
    await settled(stage)
    assert unanswered_count(stage.state.progress) == 0
    start_simulation(stage.state, SimulationOptions(1))
    await settled(stage)
    assert stage.state.answers == (2, 2)


async def test_a_simulation_can_free_places_before_it_starts(stage: RunStage) -> None:
    await ready(stage)
    await start_and_leave(stage)
    start_simulation(stage.state, SimulationOptions(2, releases_places=True))
    await settled(stage)
    assert stage.state.answers == (2, 2)


async def test_the_dialog_of_the_simulation_knows_who_has_started_since_the_last_refresh(
    stage: RunStage,
) -> None:
    await ready(stage)
    assert unanswered_count(stage.state.progress) == 0
    await start_and_leave(stage)
    press(stage, "Simulated participants")
    await until(lambda: stage.window().findChild(SimulationDialog) is not None)
    dialog = find_in_window(stage, SimulationDialog)
    assert "Free the place of 1 participant who has not answered" in {
        box.text() for box in dialog.findChildren(QCheckBox)
    }
    dialog.reject()
    await settled(stage)
    assert unanswered_count(stage.state.progress) == 1


async def test_the_time_until_a_place_is_free_is_shown_and_can_be_set(stage: RunStage) -> None:
    await ready(stage)
    press(stage, "Change time")
    await until(lambda: stage.window().findChild(PlaceTimeoutDialog) is not None)
    dialog = find_in_window(stage, PlaceTimeoutDialog)
    (minutes,) = dialog.findChildren(QSpinBox)
    assert minutes.value() == 60
    minutes.setValue(1)
    dialog.accept()
    await until(lambda: stage.state.progress.place_timeout_minutes == 1)
    assert "after 1 minute without" in places_text(stage.state.progress)


async def test_every_control_of_the_stage_has_a_name(stage: RunStage) -> None:
    await ready(stage)
    for button in stage.findChildren(QAbstractButton):
        assert button.text() or button.accessibleName(), button


async def test_the_panels_have_their_widths_again_in_a_wide_window(stage: RunStage) -> None:
    async def widths(stage: RunStage, width: int) -> list[int]:
        window = stage.window()
        window.resize(width, 900)
        await until(lambda: window.width() == width)
        await asyncio.sleep(0)
        return [panel.width() if panel.isVisible() else 0 for panel in stage.regions()[1:]]

    stage.resize(640, 480)  # as it is before its window has laid it out
    wide = await widths(stage, 1450)
    assert wide[0] > 240
    assert wide[2] > 240
    assert (await widths(stage, 1100))[2] == 0
    assert await widths(stage, 1450) == wide


async def test_an_offline_operation_can_be_cancelled(stage: RunStage) -> None:
    async def wait(run: OperationRun) -> None:
        run.update(state=OperationState.OFFLINE)
        await asyncio.Event().wait()

    operations = stage.state.operations
    operations.start(Operation("wait", "Waiting"), wait)
    await until(lambda: stage.state.operation is not None)
    await until(lambda: stage.window_context.shell.activity is not None)
    await until(lambda: find_in_window(stage, ProgressPanel).stop.isVisible())
    assert "is not answering" in next_step(stage.state).text
    press(stage, "Stop")
    stopped = operations.get("wait")
    assert stopped is not None
    assert stopped.state is OperationState.CANCELLED
    await settled(stage)
    assert not find_in_window(stage, ProgressPanel).stop.isVisible()
    assert stage.window_context.shell.activity is None


NEW_QUESTION: Json = {"type": "multiple_choice", "description": "", "options": []}
UNKNOWN_FIELD: Json = {"type": "dataset_field", "field": "ghost"}


async def test_unfilled_fields_are_counted_separately_from_problems(stage: RunStage) -> None:
    study, state = stage.state.study, stage.state

    def show(*items: Json) -> ChecklistEntry:
        layout = read([{"rows": [{"columns": [{"items": [*items]}]}]}], random_keys())
        study.open(replace(study.project, layout=layout), None, is_saved=False, is_new=True)
        return checks(state)[0]

    unfilled = show(NEW_QUESTION)
    count = state.problem_counts.unfilled
    assert count > 0
    assert (unfilled.state, unfilled.detail) == (CheckState.LATER, f"{count} to fill in")
    assert next_step(state).button == "Fill in next field"
    both = show(NEW_QUESTION, UNKNOWN_FIELD)
    assert (both.state, both.detail) == (CheckState.ERROR, f"1 problem, {count} to fill in")
    assert next_step(state).text == f"Layout: 1 problem, {count} to fill in."
    assert next_step(state).button == "Go to next problem"


def test_a_failed_job_in_the_jobs_panel_shows_its_reason(loop: asyncio.AbstractEventLoop) -> None:
    now = datetime(2026, 1, 2, tzinfo=UTC)
    reason = "It was interrupted 8 times without progress and was stopped."
    detail = {"reason": reason}
    panel = JobsPanel()
    panel.show_jobs(
        [
            JobRow(
                1, "here", JobKind.SETUP, {}, "Cats", now, now, "ERROR", detail, None, JobOutcome.FAILED, now
            )
        ]
    )
    assert reason in {label.text() for label in panel.findChildren(QLabel)}
    panel.deleteLater()
