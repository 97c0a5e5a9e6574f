"""The Jobs stage after a file was uploaded and imported."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from batchwright.service.process import ServiceAddress
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.jobs.stage import JobsStage
from batchwright.ui.jobs.state import JobsState
from batchwright.ui.shell.stages import Stage
from batchwright.ui.shell.state import DocumentTitle, ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.study.study_model import Study
from batchwright.workflows.messages import describe
from tests.ui.conftest import until
from tests.ui.fake_connection_pool import session_at, upload_study_data


@pytest.fixture
async def stage(
    running: ServiceAddress, tmp_path: Path, window: Window, shell: ShellState
) -> AsyncIterator[JobsStage]:
    """The Jobs stage of a study whose data was uploaded and imported."""
    tasks = Tasks(describe)
    stage_context = window.stage_context(tasks)
    async with session_at(running, tmp_path) as session:
        study = Study()
        await upload_study_data(session, study, tmp_path)
        stage = JobsStage(stage_context, JobsState(study, session, tasks))
        window._stack._stages["jobs"] = Stage("jobs", "Jobs", "activity", lambda _context: stage)
        window.set_context(stage_context)
        shell.set_document(DocumentTitle("Cats"))
        shell.set_stage("jobs")
        await until(lambda: bool(stage.state.jobs), 30)
        yield stage
        await tasks.aclose()
        session.close()
