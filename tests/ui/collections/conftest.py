"""The Collections and Results stages with a study that is a collection, at a real service."""

from collections.abc import AsyncIterator

import pytest

from batchwright.local.projects import Project
from batchwright.ui.collections.stage import CollectionsStage
from batchwright.ui.collections.state import CollectionsState
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.results.state import ResultsState
from batchwright.ui.shell.stages import Stage, StageContext
from batchwright.ui.shell.state import DocumentTitle, ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.answers_source import AnswersSource
from batchwright.ui.study.study_model import Study
from tests.ui.collections.collections_stage import StageFixture, kitchen
from tests.ui.window_fixtures import FakeFileDialogs


@pytest.fixture
def project() -> Project | None:
    """The study; None if none is open."""
    return kitchen()


@pytest.fixture
def study(project: Project | None) -> Study:
    study = Study()
    if project is not None:
        study.open(project, None, is_saved=False)
    return study


@pytest.fixture
def files() -> FakeFileDialogs:
    return FakeFileDialogs()


@pytest.fixture
def opened_urls() -> list[str]:
    """The URLs that the stage has opened in the browser."""
    return []


@pytest.fixture
def stages(
    stages: list[Stage],
    study: Study,
    session: ConnectionSession,
    files: FakeFileDialogs,
    opened_urls: list[str],
) -> list[Stage]:
    answers = AnswersSource()

    async def open_study(project: Project) -> None:
        study.open(project, None, is_saved=False)

    def create_collections(context: StageContext) -> CollectionsStage:
        state = CollectionsState(study, session, context.tasks)
        return CollectionsStage(context, state, open_study, files, opened_urls.append, answers)

    def create_results(context: StageContext) -> ResultsStage:
        return ResultsStage(context, ResultsState(study, session, context.tasks, selection=answers), files)

    return [
        *stages,
        Stage("collections", "Collections", "cards", create_collections),
        Stage("results", "Results", "chart-bar", create_results),
    ]


@pytest.fixture
async def at(
    window: Window,
    shell: ShellState,
    study: Study,
    session: ConnectionSession,
    tasks: Tasks,
    files: FakeFileDialogs,
    opened_urls: list[str],
) -> AsyncIterator[StageFixture]:
    """The Collections stage, in a window."""
    if study.is_open:
        shell.set_document(DocumentTitle(study.project.name))
    window.set_context(window.stage_context(tasks))
    shell.set_stage("collections")
    stage = window.findChild(CollectionsStage)
    assert isinstance(stage, CollectionsStage)
    at = StageFixture(stage, study, files, tasks, session, opened_urls)
    await at.settled()
    yield at
    await tasks.aclose()
