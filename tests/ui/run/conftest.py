"""The Run stage of a small study with data at a real service; the state of a batch without a window."""

from collections.abc import AsyncIterator
from typing import TypeVar

import pytest
from PySide6.QtWidgets import QAbstractButton, QWidget

from batchwright.base.json_values import JsonObject
from batchwright.local.projects import Project
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.job_types import counts
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.editor.legacy_instructions import (
    edit_instructions,
)
from batchwright.ui.review.dialog import ReviewDialog
from batchwright.ui.run.commands import start_set_up
from batchwright.ui.run.dialogs import SetUpDialog
from batchwright.ui.run.publish import start_publish
from batchwright.ui.run.stage import RunStage
from batchwright.ui.run.state import RunState
from batchwright.ui.shell.stages import Stage, StageContext
from batchwright.ui.shell.state import DocumentTitle, ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.study_model import Study
from batchwright.wire.datapoints import JsonLinesBody
from tests.ui.conftest import until
from tests.ui.fake_connection_pool import LAB

W = TypeVar("W", bound=QWidget)

WHY: JsonObject = {"type": "free_text", "description": "Why?"}
WHICH: JsonObject = {
    "type": "multiple_choice",
    "description": "Which?",
    "answer_limit": 1,
    "options": [{"label": "One", "value": "1"}, {"label": "Two", "value": "2"}],
}
QUESTION_ONLY = [{"rows": [{"columns": [{"items": [WHY]}]}]}]


@pytest.fixture
def opened_urls() -> list[str]:
    """The URLs that the stage has opened in the browser."""
    return []


@pytest.fixture
def failed(tasks: Tasks) -> list[str]:
    """The messages of all errors."""
    failed: list[str] = []
    tasks.failed.connect(lambda _name, message, _error: failed.append(str(message)))
    return failed


@pytest.fixture
def stages(
    stages: list[Stage], uploaded_study: Study, session: ConnectionSession, opened_urls: list[str]
) -> list[Stage]:
    async def open_study(project: Project) -> None:
        uploaded_study.open(project, None, is_saved=False)

    def create(context: StageContext) -> RunStage:
        state = RunState(uploaded_study, session, context.tasks)
        return RunStage(context, state, open_study, edit_instructions, opened_urls.append)

    return [*stages, Stage("run", "Run", "play-circle", create)]


@pytest.fixture
async def stage(window: Window, shell: ShellState, tasks: Tasks) -> AsyncIterator[RunStage]:
    """The Run stage of the study, in a window."""
    window.set_context(window.stage_context(tasks))
    shell.set_document(DocumentTitle("Cats"))
    shell.set_stage("run")
    stage = window.findChild(RunStage)
    assert isinstance(stage, RunStage)
    await settled(stage)
    yield stage
    await tasks.aclose()


@pytest.fixture
async def state(uploaded_study: Study, session: ConnectionSession, tasks: Tasks) -> RunState:
    """The state of a batch that has tasks, without a window."""
    state = RunState(uploaded_study, session, tasks)
    start_publish(state, state.own)
    await quiet(state)
    set_up_chosen(state, 1)
    await quiet(state)
    return state


def set_up_chosen(state: RunState, tasks_per_group: int) -> None:
    """Start the setup of the batch shown."""
    assert state.chosen is not None
    start_set_up(state, state.chosen, tasks_per_group)


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


async def quiet(state: RunState) -> None:
    """Wait until no task is running."""
    await until(lambda: not state.tasks.running, 30)


async def settled(stage: RunStage) -> None:
    """Wait until no task is running."""
    await quiet(stage.state)


async def ready(stage: RunStage) -> None:
    """Create and set up the batch."""
    stage.window_context.actions.run(ActionId.RUN_PUBLISH)
    await until(lambda: stage.window().findChild(SetUpDialog) is not None, 30)
    press(stage, "Create 2 tasks")
    await settled(stage)


async def update(stage: RunStage) -> None:
    """Press the button for an update, and send what the review shows."""
    press(stage, "Update batch")
    await until(lambda: stage.window().findChild(ReviewDialog) is not None, 30)
    find_in_window(stage, ReviewDialog).accept_button.click()


async def append(state: RunState, *prompts: str) -> None:
    """Append records to the dataset, and poll."""
    context, dataset = await state.session.context(), state.remote.dataset_id
    assert dataset is not None
    lines = "".join(f'{{"prompt": "{prompt}"}}\n' for prompt in prompts)
    await context.service.datasets.append(dataset, JsonLinesBody(lines.encode()))
    await state.remote_list.fetch_now()


def syncs(state: RunState) -> list[str]:
    """The texts of the syncs of the study, newest first."""
    return [counts(job.detail) for job in state.jobs if job.kind == "sync"]


async def go_live(stage: RunStage) -> None:
    """Continue with the same batches and data at a hosted service."""
    study, session = stage.state.study, stage.state.session
    study.set_remote(LAB.name, study.remote(session.connection.name))
    session.set_connection(LAB)
    await settled(stage)
