"""The answers of a batch that does not belong to the study: shown with its name, downloaded, and left."""

from pathlib import Path

import pytest

from batchwright.client.remote_study import remote_batch
from batchwright.ui.results.commands import download
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.run.commands import start_simulation
from batchwright.ui.run.state import RunState
from batchwright.ui.study.answers_source import OtherSource
from batchwright.ui.study.downloads import DownloadKind
from batchwright.ui.widgets.notices import NoticeSeverity
from batchwright.wire.batches import BatchCreate
from batchwright.wire.instructions import InstructionsWrite
from batchwright.workflows.rehearsal.simulate import SimulationOptions
from tests.api.studies import DETAILS
from tests.ui.results.conftest import has_text, settled
from tests.ui.run.conftest import WHICH, WHY, set_up_chosen
from tests.ui.window_fixtures import FakeFileDialogs, press

pytestmark = pytest.mark.gui


async def legacy_with_answers(stage: ResultsStage, participants: int) -> OtherSource:
    """A legacy batch on the dataset of the study, answered by simulated participants."""
    state, tasks = stage.state, stage.context.window.tasks
    session = state.session
    context = await session.context()
    dataset_id = state.study.remote(session.connection.name).dataset_id
    batch = await context.service.batches.create(
        BatchCreate(
            name="Old", workspace_id=context.workspace_id, task_details=DETAILS, dataset_id=dataset_id
        )
    )
    instructions = InstructionsWrite.model_validate({"instructions": [WHY, WHICH]})
    await context.service.instructions.replace(batch.id, instructions)
    run = RunState(state.study, session, tasks, stage)
    await run.remote_list.fetch_now()
    run.choose(batch.id)
    set_up_chosen(run, 1)
    await settled(tasks)
    start_simulation(run, SimulationOptions(participants, participants))
    await settled(tasks)
    return OtherSource(session.connection.name, remote_batch(batch.id), batch.name)


async def test_a_legacy_batch_is_read_and_left_again(stage: ResultsStage) -> None:
    tasks = stage.context.window.tasks
    own = stage.state.answers.overview.summary.answers
    stage.state.source.selection.show(await legacy_with_answers(stage, 3))
    await settled(tasks)
    assert stage.header.title.text() == "Old"
    assert [question.title for question in stage.state.answers.overview.questions] == ["Why?", "Which?"]
    assert stage.state.answers.overview.summary.answers == 6
    press(stage, "Back to the study")
    await settled(tasks)
    assert stage.header.title.text() == "Results"
    assert stage.state.answers.overview.summary.answers == own
    assert not has_text(stage, "Back to the study")


@pytest.mark.parametrize("kind", [DownloadKind.REPORT, DownloadKind.EXPORT, DownloadKind.ANSWERS])
@pytest.mark.parametrize("participants", [0])
async def test_files_of_a_legacy_batch_are_downloaded_and_verified(
    stage: ResultsStage, kind: DownloadKind, files: FakeFileDialogs, tmp_path: Path
) -> None:
    tasks = stage.context.window.tasks
    stage.state.source.selection.show(await legacy_with_answers(stage, 2))
    await settled(tasks)
    files.path = tmp_path / "saved"
    await download(stage.context, kind)
    await settled(tasks)
    notice = stage.context.window.notices.cards[-1].notice
    assert notice.severity is NoticeSeverity.SUCCESS
    assert "4 answers" in notice.text
    assert files.path.stat().st_size


@pytest.mark.parametrize("participants", [0])
async def test_a_study_that_is_opened_shows_its_own_answers(stage: ResultsStage) -> None:
    state = stage.state
    state.source.selection.show(OtherSource(state.session.connection.name, remote_batch("elsewhere"), "Old"))
    assert state.source.remote_study == remote_batch("elsewhere")
    state.study.open(state.study.project, None, is_saved=False)
    await settled(stage.context.window.tasks)
    assert state.source.other is None
    state.source.selection.show(OtherSource("another connection", remote_batch("elsewhere"), "Old"))
    assert state.source.other is None
