"""A rejected token: a refresh in the background does not prompt, a command prompts and resumes."""

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project, RemoteBinding
from batchwright.schema.parsing import read_schema
from batchwright.service.process import ServiceAddress
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.data.dataset.remote_dataset import RemoteDataset
from batchwright.ui.results.state import ResultsState
from batchwright.ui.run.commands import switch_auto_sync
from batchwright.ui.run.publish import start_publish
from batchwright.ui.run.state import RunState
from batchwright.ui.study.study_model import Study
from tests.api.studies import DETAILS, LAYOUT, SCHEMA
from tests.ui.conftest import until
from tests.ui.hosted import WORKSPACE, Hosted, hosted
from tests.ui.run.conftest import quiet

pytestmark = pytest.mark.gui


@pytest.fixture
def study() -> Study:
    study = Study()
    study.open(
        Project("Cats", read(LAYOUT, random_keys()), schema=read_schema(SCHEMA), details=DETAILS), None
    )
    return study


@pytest.fixture
async def at(running: ServiceAddress, accounts: Path, tmp_path: Path) -> AsyncIterator[Hosted]:
    """A session whose token has expired."""
    async with hosted(running, accounts, tmp_path) as at:
        await at.renew()
        at.expire()
        yield at


async def test_every_stage_needs_sign_in_and_prompts_only_on_request(
    at: Hosted, tasks: Tasks, study: Study
) -> None:
    run = RunState(study, at.session, tasks)
    results = ResultsState(study, at.session, tasks)
    remote = RemoteDataset(study, at.session, tasks)
    study.set_remote("Lab", RemoteBinding(WORKSPACE, dataset_id="d", batch_id="b"))

    def wants() -> list[bool]:
        return [run.remote_list.needs_sign_in, results.answers.needs_sign_in, remote.needs_sign_in]

    async def quiet() -> None:
        await until(lambda: not tasks.running, 30)

    for fetch in (run.remote_list.refresh, results.answers.refresh, remote.refresh):
        fetch()
    await quiet()
    assert (wants(), at.prompts) == ([True] * 3, [])
    for refresh in (
        partial(run.remote_list.refresh, may_prompt=True),
        partial(results.answers.refresh, may_prompt=True),
        remote.sign_in,
    ):
        at.expire()
        refresh()
        await quiet()
    assert (wants(), at.prompts) == ([False] * 3, ["Lab"] * 3)


async def test_publishing_and_auto_sync_resume_with_the_new_token(
    at: Hosted, tasks: Tasks, study: Study
) -> None:
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
