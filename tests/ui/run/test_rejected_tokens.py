"""A rejected token: a refresh in the background does not prompt, a command prompts and resumes."""

from collections.abc import Awaitable, Callable
from functools import partial

import pytest

from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project, RemoteBinding
from batchwright.schema.parsing import read_schema
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.data.dataset.remote_dataset import RemoteDataset
from batchwright.ui.results.state import ResultsState
from batchwright.ui.run.commands import switch_auto_sync
from batchwright.ui.run.publish import start_publish
from batchwright.ui.run.state import RunState
from batchwright.ui.study.study_model import Study
from batchwright.workflows.messages import describe
from tests.api.studies import DETAILS, LAYOUT, SCHEMA
from tests.ui.conftest import until
from tests.ui.connections.test_sign_in_during_operations import WORKSPACE, Hosted, RunSteps, in_window
from tests.ui.run.test_sync import quiet

pytestmark = pytest.mark.gui

__all__ = ["in_window"]


@pytest.fixture
def study() -> Study:
    study = Study()
    study.open(
        Project("Cats", read(LAYOUT, random_keys()), schema=read_schema(SCHEMA), details=DETAILS), None
    )
    return study


def at_hosted(in_window: RunSteps, steps: Callable[[Hosted, Tasks], Awaitable[None]]) -> None:
    async def flow(at: Hosted) -> None:
        tasks = Tasks(describe)
        try:
            await steps(at, tasks)
        finally:
            await tasks.aclose()

    in_window(flow)


def test_every_stage_needs_sign_in_and_prompts_only_on_request(in_window: RunSteps, study: Study) -> None:
    async def steps(at: Hosted, tasks: Tasks) -> None:
        run = RunState(study, at.session, tasks)
        results = ResultsState(study, at.session, tasks)
        remote = RemoteDataset(study, at.session, tasks)
        study.set_remote("Lab", RemoteBinding(WORKSPACE, dataset_id="d", batch_id="b"))

        def wants() -> list[bool]:
            return [run.remote_list.needs_sign_in, results.remote.needs_sign_in, remote.needs_sign_in]

        async def quiet() -> None:
            await until(lambda: not tasks.running, 30)

        for fetch in (run.remote_list.refresh, results.remote.refresh, remote.refresh):
            fetch()
        await quiet()
        assert (wants(), at.prompts) == ([True] * 3, [])
        for refresh in (
            partial(run.remote_list.refresh, may_prompt=True),
            partial(results.remote.refresh, may_prompt=True),
            remote.sign_in,
        ):
            at.expire()
            refresh()
            await quiet()
        assert (wants(), at.prompts) == ([False] * 3, ["Lab"] * 3)

    at_hosted(in_window, steps)


def test_publishing_and_auto_sync_resume_with_the_new_token(in_window: RunSteps, study: Study) -> None:
    async def steps(at: Hosted, tasks: Tasks) -> None:
        uploaded = await at.upload()
        study.set_remote("Lab", RemoteBinding(WORKSPACE, uploaded.dataset.id, uploaded.job.import_id))
        state = RunState(study, at.session, tasks)
        at.prompts.clear()
        at.expire()
        start_publish(state, state.own)
        await quiet(state)
        assert (state.own is not None, at.prompts) == (True, ["Lab"])
        at.expire()
        switch_auto_sync(state, is_on=True)
        await quiet(state)
        await state.remote_list.fetch_now()
        assert state.own is not None
        assert (state.own.auto_sync_enabled, at.prompts) == (True, ["Lab", "Lab"])

    at_hosted(in_window, steps)
