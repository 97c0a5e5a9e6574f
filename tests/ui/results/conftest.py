"""The Results stage of a study with answers at a real service."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.results.state import ResultsState
from batchwright.ui.run.commands import start_simulation
from batchwright.ui.run.publish import start_publish
from batchwright.ui.run.state import RunState
from batchwright.ui.shell.stages import Stage, StageContext
from batchwright.ui.shell.state import DocumentTitle, ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.study_model import Study
from batchwright.workflows.rehearsal.simulate import SimulationOptions
from tests.ui.conftest import until
from tests.ui.run.conftest import set_up_chosen
from tests.ui.window_fixtures import FakeFileDialogs

W = TypeVar("W", bound=QWidget)


@pytest.fixture
def participants() -> int:
    """The number of participants who have answered; without any, there is no batch."""
    return 1


@pytest.fixture
async def answered_study(
    uploaded_study: Study, session: ConnectionSession, tasks: Tasks, participants: int
) -> Study:
    """A small study with the answers of the participants."""
    await answer(session, uploaded_study, tasks, participants)
    return uploaded_study


@pytest.fixture
def files() -> FakeFileDialogs:
    return FakeFileDialogs()


@pytest.fixture
def place(tmp_path: Path, files: FakeFileDialogs) -> Path:
    """The target path, in a separate folder."""
    (tmp_path / "out").mkdir()
    files.path = tmp_path / "out" / "cats.zip"
    return files.path


@pytest.fixture
def stages(
    stages: list[Stage], answered_study: Study, session: ConnectionSession, files: FakeFileDialogs
) -> list[Stage]:
    def create(context: StageContext) -> ResultsStage:
        return ResultsStage(context, ResultsState(answered_study, session, context.tasks), files)

    return [*stages, Stage("results", "Results", "chart-bar", create)]


@pytest.fixture
async def stage(window: Window, shell: ShellState, tasks: Tasks) -> AsyncIterator[ResultsStage]:
    """The Results stage of the study, in a window."""
    window.set_context(window.stage_context(tasks))
    shell.set_document(DocumentTitle("Cats"))
    shell.set_stage("results")
    await settled(tasks)
    stage = window.findChild(ResultsStage)
    assert isinstance(stage, ResultsStage)
    yield stage
    stage.state.answers.set_active(is_active=False)  # a poll without a running loop would be an error
    await tasks.aclose()


async def settled(tasks: Tasks) -> None:
    """Wait until no task is running."""
    await until(lambda: not tasks.running, 30)


async def answer(session: ConnectionSession, study: Study, tasks: Tasks, participants: int) -> None:
    """Create the batch of a study and let participants answer; without participants, create no batch."""
    if not participants:
        return
    run = RunState(study, session, tasks)
    start_publish(run, run.own)
    await settled(tasks)
    set_up_chosen(run, 2)
    await settled(tasks)
    start_simulation(run, SimulationOptions(participants, participants))
    await settled(tasks)


def shown(stage: ResultsStage) -> list[str]:
    """The texts of the first row."""
    rows = stage.answers.table.model()
    return [str(rows.index(0, column).data()) for column in range(rows.columnCount())]


def has_text(stage: QWidget, text: str) -> bool:
    """Whether a visible widget has this text."""
    return any(
        widget.accessibleName() == text and widget.isVisible() for widget in stage.findChildren(QWidget)
    )


async def matching(stage: ResultsStage, count: int) -> None:
    """Wait until the grid has a number of rows."""
    await until(lambda: stage.answers.table.model().rowCount() == count)


def control(stage: ResultsStage, kind: type[W], name: str) -> W:
    """The control with an accessible name."""
    (found,) = (widget for widget in stage.findChildren(kind) if widget.accessibleName() == name)
    return found


def column_of(stage: ResultsStage, heading: str) -> int:
    """The index of the column with a heading."""
    rows = stage.answers.table.model()
    headings = [rows.headerData(number, Qt.Orientation.Horizontal) for number in range(rows.columnCount())]
    return headings.index(heading)


def texts(stage: ResultsStage, heading: str) -> list[str]:
    """The texts of a column."""
    rows, column = stage.answers.table.model(), column_of(stage, heading)
    return [str(rows.index(row, column).data()) for row in range(rows.rowCount())]
