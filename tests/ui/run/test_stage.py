"""The Run stage, operated by its buttons at a real service."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QLabel, QSpinBox, QWidget

from batchwright.api.participant_client import OpenPage, ParticipantClient
from batchwright.base.json_values import Json
from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.nodes import NodePath
from batchwright.layout.serialization import random_keys, read
from batchwright.local.job_table import JobRow
from batchwright.local.projects import Project
from batchwright.service.process import ServiceAddress
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.next_step import NextStep
from batchwright.ui.core.operations import Operation, OperationRun, OperationState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.editor.legacy_instructions import edit_instructions
from batchwright.ui.review.dialog import ReviewDialog
from batchwright.ui.run.checklist import ChecklistEntry, CheckState, checks
from batchwright.ui.run.commands import start_simulation
from batchwright.ui.run.dialogs import SetUpDialog
from batchwright.ui.run.group_progress import GroupProgressGrid
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.places import PlaceTimeoutDialog, places_text, unanswered_count
from batchwright.ui.run.stage import JobsPanel, RunStage
from batchwright.ui.run.state import RunState
from batchwright.ui.shell.stages import Stage
from batchwright.ui.shell.state import DocumentTitle, ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.simulation_dialog import SimulationDialog
from batchwright.ui.study.study_model import Study
from batchwright.workflows.messages import describe
from batchwright.workflows.rehearsal.simulate import Behaviour, SimulationOptions
from tests.ui.conftest import until
from tests.ui.fake_connection_pool import session_at, upload_study_data

pytestmark = pytest.mark.gui
Loop = asyncio.AbstractEventLoop
Steps = Callable[[RunStage], Awaitable[None]]
W = TypeVar("W", bound=QWidget)


def find_in_window(stage: RunStage, kind: type[W]) -> W:
    """The only widget of a class in the window."""
    widget = stage.window().findChild(kind)
    assert isinstance(widget, kind)
    return widget


def press(stage: RunStage, text: str) -> None:
    """Press the button with this text."""
    buttons = stage.window().findChildren(QAbstractButton)
    (button,) = [
        button for button in buttons if button.text() == text and button.isVisible() and button.isEnabled()
    ]
    button.click()


def on_stage(
    loop: Loop, running: ServiceAddress, folder: Path, window: Window, shell: ShellState, steps: Steps
) -> list[str]:
    """Run steps in a stage; return the URLs opened in the browser."""
    opened: list[str] = []

    async def flow() -> None:
        async with session_at(running, folder) as session:
            await with_stage(session, folder, window, shell, opened, steps)

    loop.run_until_complete(flow())
    return opened


async def with_stage(
    session: ConnectionSession,
    folder: Path,
    window: Window,
    shell: ShellState,
    opened: list[str],
    steps: Steps,
) -> None:
    """Upload a small study, show it in the stage, and run steps."""
    tasks, study = Tasks(describe), Study()

    async def open_study(project: Project) -> None:
        study.open(project, None, is_saved=False)

    stage_context = window.stage_context(tasks)
    await upload_study_data(session, study, folder)
    stage = RunStage(
        stage_context, RunState(study, session, tasks), open_study, edit_instructions, opened.append
    )
    window._stack._stages["run"] = Stage("run", "Run", "play-circle", lambda _frame: stage)
    window.set_context(stage_context)
    shell.set_document(DocumentTitle("Cats"))
    shell.set_stage("run")
    await settled(stage)
    try:
        await steps(stage)
    finally:
        await tasks.aclose()


async def settled(stage: RunStage) -> None:
    """Wait until no task is running."""
    await until(lambda: not stage._window_context.tasks.running, 30)


async def ready(stage: RunStage) -> None:
    """Create and set up the batch."""
    stage._window_context.actions.run(ActionId.RUN_PUBLISH)
    await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
    press(stage, "Create 2 tasks")
    await settled(stage)


async def update(stage: RunStage) -> None:
    """Press the button for an update, and send what the review shows."""
    press(stage, "Update batch")
    await until(lambda: stage.window().findChild(ReviewDialog) is not None, 30)
    find_in_window(stage, ReviewDialog).accept_button.click()


@pytest.fixture
def run_steps(
    loop: Loop, running: ServiceAddress, tmp_path: Path, window: Window, shell: ShellState
) -> Callable[[Steps], list[str]]:
    return lambda steps: on_stage(loop, running, tmp_path, window, shell, steps)


RunSteps = Callable[[Steps], list[str]]


def test_a_batch_is_created_set_up_and_answered_with_the_buttons(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
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
        assert len(find_in_window(stage, GroupProgressGrid)._groups) == 2
        assert next_step(stage.state).action is ActionId.RUN_ANSWERS
        assert {job.kind for job in stage.state.jobs} == {"upload", "import", "setup"}

    (opened,) = run_steps(steps)
    assert "/participate/" in opened


def test_a_rejected_layout_is_shown_at_its_item(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
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

    run_steps(steps)


def test_changes_of_the_study_are_offered_as_an_update(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
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

    run_steps(steps)


def test_simulations_with_different_seeds_add_participants(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
        await ready(stage)
        messages: list[str] = []
        stage.state.notified.connect(lambda title, _line: messages.append(title))
        start_simulation(stage.state, SimulationOptions(1, 1, 7))
        await settled(stage)
        start_simulation(stage.state, SimulationOptions(3, 2, 8))
        await settled(stage)
        assert messages == ["1 participant answered", "3 participants answered"]
        assert stage.state.answers == (4, 4)

    run_steps(steps)


def test_participants_who_wait_are_shown_as_started_and_can_be_stopped(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
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

    run_steps(steps)


async def start_and_leave(stage: RunStage) -> None:
    """Start a submission as a participant who never answers."""
    assert stage.state.chosen is not None
    context = await stage.state.session.context()
    link = (await context.service.local.participation(stage.state.chosen.id)).url
    async with ParticipantClient() as person:
        assert isinstance(await person.start(link, "a" * 24), OpenPage)


def test_a_simulation_says_why_not_all_answered_and_the_place_can_be_freed(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
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

    run_steps(steps)


def test_a_simulation_can_free_places_before_it_starts(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
        await ready(stage)
        await start_and_leave(stage)
        start_simulation(stage.state, SimulationOptions(2, releases_places=True))
        await settled(stage)
        assert stage.state.answers == (2, 2)

    run_steps(steps)


def test_the_dialog_of_the_simulation_knows_who_has_started_since_the_last_refresh(
    run_steps: RunSteps,
) -> None:
    async def steps(stage: RunStage) -> None:
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

    run_steps(steps)


def test_the_time_until_a_place_is_free_is_shown_and_can_be_set(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
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

    run_steps(steps)


def test_every_control_of_the_stage_has_a_name(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
        await ready(stage)
        for button in stage.findChildren(QAbstractButton):
            assert button.text() or button.accessibleName(), button

    run_steps(steps)


def test_the_panels_have_their_widths_again_in_a_wide_window(run_steps: RunSteps) -> None:
    async def widths(stage: RunStage, width: int) -> list[int]:
        window = stage.window()
        window.resize(width, 900)
        await until(lambda: window.width() == width)
        await asyncio.sleep(0)
        return [panel.width() if panel.isVisible() else 0 for panel in stage.regions()[1:]]

    async def steps(stage: RunStage) -> None:
        stage.resize(640, 480)  # as it is before its window has laid it out
        wide = await widths(stage, 1440)
        assert wide[0] > 240
        assert wide[2] > 240
        assert (await widths(stage, 1100))[2] == 0
        assert await widths(stage, 1440) == wide

    run_steps(steps)


def test_an_offline_operation_can_be_cancelled(run_steps: RunSteps) -> None:
    async def wait(run: OperationRun) -> None:
        run.update(state=OperationState.OFFLINE)
        await asyncio.Event().wait()

    async def steps(stage: RunStage) -> None:
        operations = stage.state.operations
        operations.start(Operation("wait", "Waiting"), wait)
        await until(lambda: stage.state.operation is not None)
        await until(lambda: stage._window_context.shell.activity is not None)
        await until(lambda: stage._batch._progress.stop.isVisible())
        assert "is not answering" in next_step(stage.state).text
        press(stage, "Stop")
        stopped = operations.get("wait")
        assert stopped is not None
        assert stopped.state is OperationState.CANCELLED
        await settled(stage)
        assert not stage._batch._progress.stop.isVisible()
        assert stage._window_context.shell.activity is None

    run_steps(steps)


NEW_QUESTION: Json = {"type": "multiple_choice", "description": "", "options": []}
UNKNOWN_FIELD: Json = {"type": "dataset_field", "field": "ghost"}


def test_unfilled_fields_are_counted_separately_from_problems(run_steps: RunSteps) -> None:
    async def steps(stage: RunStage) -> None:
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

    run_steps(steps)


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
