"""The Feedback stage at the real service."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from batchwright.service.process import ServiceAddress
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.feedback.stage import FeedbackStage
from batchwright.ui.feedback.state import FeedbackState
from batchwright.ui.shell.stages import Stage
from batchwright.ui.shell.state import ShellState
from batchwright.ui.shell.window import Window
from batchwright.workflows.messages import describe
from tests.ui.conftest import until
from tests.ui.fake_connection_pool import session_at


@asynccontextmanager
async def stage_at(
    running: ServiceAddress, folder: Path, window: Window, shell: ShellState
) -> AsyncIterator[FeedbackStage]:
    """Yield the stage in a window, with the history in `folder`."""
    tasks = Tasks(describe)
    stage_context = window.stage_context(tasks)
    async with session_at(running, folder) as session:
        stage = FeedbackStage(stage_context, FeedbackState(session, tasks))
        window._stack._stages["jobs"] = Stage("jobs", "Feedback", "activity", lambda _context: stage)
        window.set_context(stage_context)
        shell.set_stage("jobs")
        await until(lambda: not stage.state.is_loading, 30)
        yield stage
        await tasks.aclose()


@pytest.fixture
async def stage(
    running: ServiceAddress, tmp_path: Path, window: Window, shell: ShellState
) -> AsyncIterator[FeedbackStage]:
    """The Feedback stage of an account that has sent nothing."""
    async with stage_at(running, tmp_path, window, shell) as stage:
        yield stage
