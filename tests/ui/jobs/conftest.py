"""The Jobs stage after a file was uploaded and imported."""

from collections.abc import AsyncIterator

import pytest

from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.jobs.stage import JobsStage
from batchwright.ui.jobs.state import JobsState
from batchwright.ui.shell.stages import Stage, StageContext
from batchwright.ui.shell.state import DocumentTitle, ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.study_model import Study
from tests.ui.conftest import until


@pytest.fixture
def stages(stages: list[Stage], uploaded_study: Study, session: ConnectionSession) -> list[Stage]:
    def create(context: StageContext) -> JobsStage:
        return JobsStage(context, JobsState(uploaded_study, session, context.tasks))

    others = [stage for stage in stages if stage.id != "jobs"]
    return [*others, Stage("jobs", "Jobs", "activity", create, is_below_separator=True, counts_jobs=True)]


@pytest.fixture
async def stage(
    window: Window, shell: ShellState, tasks: Tasks, session: ConnectionSession
) -> AsyncIterator[JobsStage]:
    """The Jobs stage of a study whose data was uploaded and imported."""
    window.set_context(window.stage_context(tasks))
    shell.set_document(DocumentTitle("Cats"))
    shell.set_stage("jobs")
    stage = window.findChild(JobsStage)
    assert isinstance(stage, JobsStage)
    await until(lambda: bool(stage.state.jobs), 30)
    yield stage
    await tasks.aclose()
    session.close()
