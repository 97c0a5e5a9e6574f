"""Answers to a collection in Results, and exports of collections in Jobs, at a real service."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from batchwright.analysis.store.answer_query import AnswerQuery
from batchwright.api.http.lazy_list import LazyList
from batchwright.api.participant_client import NoPage, OpenPage, ParticipantClient, SubmissionFinished
from batchwright.api.resources.collections import Collections
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.remote_study import remote_collection
from batchwright.ui.collections.commands import start_simulation
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import ALWAYS, NOT_AVAILABLE
from batchwright.ui.jobs.actions import OPEN, JobsContext
from batchwright.ui.jobs.labels import outcome
from batchwright.ui.jobs.state import JobsState
from batchwright.ui.publishing.publish import start_publish
from batchwright.ui.results.actions import ACTIONS, can_download_export, can_download_report
from batchwright.ui.results.answers.answer_columns import TASK
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.study.collection_selection import CollectionSelection
from batchwright.wire.collections import CollectionResponse
from batchwright.workflows.rehearsal.simulate import SimulationOptions
from tests.ui.collections.collections_stage import StageFixture, kitchen, rename_question, save

pytestmark = pytest.mark.gui


async def answered(fixture: StageFixture, participants: int = 3) -> None:
    """Create the collection of the study, and let participants answer."""
    start_publish(fixture.state, None)
    await fixture.settled()
    assert fixture.state.own is not None
    start_simulation(fixture.state, fixture.state.own, SimulationOptions(participants))
    await fixture.settled()


async def results_of(fixture: StageFixture) -> ResultsStage:
    """The Results stage of the same window, shown."""
    fixture.press("See answers")
    await fixture.settled()
    results = fixture.stage.window().findChild(ResultsStage)
    assert isinstance(results, ResultsStage)
    assert results.isVisible()
    return results


def button(results: ResultsStage, text: str) -> QPushButton:
    (found,) = [one for one in results.findChildren(QPushButton) if one.text() == text]
    return found


def headings(results: ResultsStage) -> list[object]:
    rows = results.answers.table.model()
    return [rows.headerData(at, Qt.Orientation.Horizontal) for at in range(rows.columnCount())]


@pytest.mark.spec("C-06")
async def test_answers_are_shown_counted_filtered_and_exported(at: StageFixture, tmp_path: Path) -> None:
    await answered(at)
    results = await results_of(at)
    state = results.state
    summary = state.answers.overview.summary
    assert (summary.answers, summary.participants) == (6, 3)
    assert [question.title for question in state.answers.overview.questions] == [
        "What do you cook most?",
        "Gas or electric?",
    ]
    assert TASK.title not in headings(results)
    state.grid.set_query(AnswerQuery(participants=state.answers.overview.participants[:1]))
    await at.settled()
    assert state.grid.rows is not None
    assert (state.grid.rows.count, state.grid.rows.participants) == (2, 1)
    assert button(results, "Report CSV").isHidden()
    assert not can_download_report(results.context)
    at.files.path = tmp_path / "answers.zip"
    results.context.window.actions.run(ActionId.RESULTS_EXPORT)
    await at.settled()
    assert at.files.path.exists()
    assert not state.records.is_finding("")


async def take_part(link: str, text: str) -> None:
    """Answer both pages as the same participant each time."""
    async with ParticipantClient() as person:
        page: OpenPage | SubmissionFinished | NoPage = await person.start(link, f"{7:024x}")
        for answer in (text, "0"):
            assert isinstance(page, OpenPage)
            page = await person.answer(page, [("i0", answer)])
        assert isinstance(page, SubmissionFinished)


async def test_both_submissions_of_a_participant_are_shown(at: StageFixture) -> None:
    await at.press_and_wait("Create collection")
    await at.press_and_wait("Open as participant")
    (link,) = at.opened
    await take_part(link, "Soup.")
    rename_question(at, "What do you bake most?")
    await save(at)
    await take_part(link, "Bread.")
    results = await results_of(at)
    summary = results.state.answers.overview.summary
    assert (summary.answers, summary.participants) == (4, 1)
    table = results.answers.table.model()
    answers = [table.index(row, headings(results).index("Answer")).data() for row in range(4)]
    assert answers.index("Bread.") < answers.index("Soup."), "the newest come first"


async def test_answers_to_another_collection_are_shown_and_left(at: StageFixture) -> None:
    await answered(at)
    theirs = at.state.own
    assert theirs is not None
    at.study.open(kitchen("Mine"), None, is_saved=False)
    await at.settled()
    at.state.choose(theirs.id)
    await at.settled()
    results = await results_of(at)
    assert results.state.source.remote_study == remote_collection(theirs.id)
    assert results.state.answers.overview.summary.answers == 6
    button(results, "Back to Collections").click()
    assert at.stage.isVisible()
    assert results.state.source.remote_study is None


async def test_a_service_without_a_list_of_answers_offers_the_export(
    at: StageFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = Collections.responses

    async def not_offered(
        self: Collections, _id: str, _limit: int | None = None
    ) -> LazyList[CollectionResponse]:
        return await real(self, "01900000-0000-7000-8000-000000000000")

    await answered(at)
    monkeypatch.setattr(Collections, "responses", not_offered)
    results = await results_of(at)
    assert results.state.answers.lacks_list
    assert "does not list the answers" in results.header.subtitle.text()
    assert can_download_export(results.context)
    at.files.path = tmp_path / "answers.zip"
    (offered,) = [
        one
        for one in results.findChildren(QPushButton)
        if one.text() == "Download export" and one.isVisible() and one is not results.header.primary
    ]
    offered.click()
    await at.settled()
    assert at.files.path.exists()


async def test_an_export_in_jobs_leads_to_its_collection(at: StageFixture, tmp_path: Path) -> None:
    await answered(at)
    own = at.state.own
    assert own is not None
    at.files.path = tmp_path / "kitchen.zip"
    await at.press_and_wait("Export…")
    selection = CollectionSelection()
    selection.changed.connect(lambda: at.state.choose(selection.id))
    jobs = JobsState(at.study, at.session, at.tasks)
    context = at.stage.window_context
    jobs.refresh()
    await at.settled()
    (job,) = [job for job in jobs.jobs if job.row.kind == JobKind.COLLECTION_EXPORT]
    assert getattr(outcome(job), "text", "") == "Download it in Collections"
    at.study.open(kitchen("Mine"), None, is_saved=False)
    context.shell.set_stage("home")
    assert not at.stage.isVisible()
    jobs.chosen = job
    OPEN.run(JobsContext(context, jobs, selection))
    assert at.stage.isVisible()
    assert at.state.shown_id == own.id


def test_every_action_of_results_says_what_it_needs() -> None:
    conditions = [action.condition for action in ACTIONS if action.condition is not ALWAYS]
    assert conditions
    assert all(condition.reason != NOT_AVAILABLE for condition in conditions)
