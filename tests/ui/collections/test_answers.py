"""Answers to a collection in Results, and exports of collections in Jobs, at a real service."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from batchwright.analysis.store.answer_query import AnswerQuery
from batchwright.api.collections import Collections
from batchwright.api.lazy_list import LazyList
from batchwright.api.participant_client import NoPage, OpenPage, ParticipantClient, SubmissionFinished
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
from batchwright.ui.results.state import ResultsState
from batchwright.ui.shell.stages import Stage
from batchwright.ui.study.answers_source import AnswersSource
from batchwright.ui.study.collection_selection import CollectionSelection
from batchwright.wire.collections import CollectionResponse
from batchwright.workflows.rehearsal.simulate import SimulationOptions
from tests.ui.collections.collections_stage import Do, StageFixture, kitchen, rename_question, save
from tests.ui.window_fixtures import FakeFileDialogs

pytestmark = pytest.mark.gui


async def answered(fixture: StageFixture, participants: int = 3) -> None:
    """Create the collection of the study, and let participants answer."""
    start_publish(fixture.state, None)
    await fixture.settled()
    assert fixture.state.own is not None
    start_simulation(fixture.state, fixture.state.own, SimulationOptions(participants))
    await fixture.settled()


async def results_of(fixture: StageFixture, files: FakeFileDialogs) -> ResultsStage:
    """The Results stage of the same window, shown."""
    context = fixture.stage.window_context
    source: AnswersSource = fixture.stage.answers_source
    state = ResultsState(fixture.study, fixture.session, fixture.tasks, selection=source)
    results = ResultsStage(context, state, files)
    window = fixture.stage.window()
    window._stack._stages["results"] = Stage("results", "Results", "chart-bar", lambda _frame: results)  # type: ignore[attr-defined]
    fixture.press("See answers")
    await fixture.settled()
    assert results.isVisible()
    return results


def button(results: ResultsStage, text: str) -> QPushButton:
    (found,) = [one for one in results.findChildren(QPushButton) if one.text() == text]
    return found


def headings(results: ResultsStage) -> list[object]:
    rows = results.answers.table.model()
    return [rows.headerData(at, Qt.Orientation.Horizontal) for at in range(rows.columnCount())]


@pytest.mark.spec("C-06")
def test_answers_are_shown_counted_filtered_and_exported(do: Do, tmp_path: Path) -> None:
    async def steps(fixture: StageFixture) -> None:
        await answered(fixture)
        files = FakeFileDialogs()
        results = await results_of(fixture, files)
        state = results.state
        summary = state.answers.overview.summary
        assert (summary.answers, summary.participants) == (6, 3)
        assert [question.title for question in state.answers.overview.questions] == [
            "What do you cook most?",
            "Gas or electric?",
        ]
        assert TASK.title not in headings(results)
        state.list.set_query(AnswerQuery(participants=state.answers.overview.participants[:1]))
        await fixture.settled()
        assert state.list.rows is not None
        assert (state.list.rows.count, state.list.rows.participants) == (2, 1)
        assert button(results, "Report CSV").isHidden()
        assert not can_download_report(results.context)
        files.path = tmp_path / "answers.zip"
        results.context.window.actions.run(ActionId.RESULTS_EXPORT)
        await fixture.settled()
        assert files.path.exists()
        assert not state.records.is_finding("")

    do(steps)


async def take_part(link: str, text: str) -> None:
    """Answer both pages as the same participant each time."""
    async with ParticipantClient() as person:
        page: OpenPage | SubmissionFinished | NoPage = await person.start(link, f"{7:024x}")
        for answer in (text, "0"):
            assert isinstance(page, OpenPage)
            page = await person.answer(page, [("i0", answer)])
        assert isinstance(page, SubmissionFinished)


def test_both_submissions_of_a_participant_are_shown(do: Do) -> None:
    async def steps(fixture: StageFixture) -> None:
        await fixture.press_and_wait("Create collection")
        await fixture.press_and_wait("Open as participant")
        (link,) = fixture.opened
        await take_part(link, "Soup.")
        rename_question(fixture, "What do you bake most?")
        await save(fixture)
        await take_part(link, "Bread.")
        results = await results_of(fixture, FakeFileDialogs())
        summary = results.state.answers.overview.summary
        assert (summary.answers, summary.participants) == (4, 1)
        table = results.answers.table.model()
        answers = [table.index(row, headings(results).index("Answer")).data() for row in range(4)]
        assert answers.index("Bread.") < answers.index("Soup."), "the newest come first"

    do(steps)


def test_answers_to_another_collection_are_shown_and_left(do: Do) -> None:
    async def steps(fixture: StageFixture) -> None:
        await answered(fixture)
        theirs = fixture.state.own
        assert theirs is not None
        fixture.study.open(kitchen("Mine"), None, is_saved=False)
        await fixture.settled()
        fixture.state.choose(theirs.id)
        await fixture.settled()
        results = await results_of(fixture, FakeFileDialogs())
        assert results.state.source.of == remote_collection(theirs.id)
        assert results.state.answers.overview.summary.answers == 6
        button(results, "Back to Collections").click()
        assert fixture.stage.isVisible()
        assert results.state.source.of is None

    do(steps)


def test_a_service_without_a_list_of_answers_offers_the_export(
    do: Do, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = Collections.responses

    async def not_offered(
        self: Collections, _id: str, _limit: int | None = None
    ) -> LazyList[CollectionResponse]:
        return await real(self, "01900000-0000-7000-8000-000000000000")

    async def steps(fixture: StageFixture) -> None:
        await answered(fixture)
        monkeypatch.setattr(Collections, "responses", not_offered)
        files = FakeFileDialogs()
        results = await results_of(fixture, files)
        assert results.state.remote.lacks_list
        assert "does not list the answers" in results.header.subtitle.text()
        assert can_download_export(results.context)
        files.path = tmp_path / "answers.zip"
        (offered,) = [
            one
            for one in results._no_answers.findChildren(QPushButton)
            if one.text() == "Download export" and one.isVisible()
        ]
        offered.click()
        await fixture.settled()
        assert files.path.exists()

    do(steps)


def test_an_export_in_jobs_leads_to_its_collection(do: Do, tmp_path: Path) -> None:
    async def steps(fixture: StageFixture) -> None:
        await answered(fixture)
        own = fixture.state.own
        assert own is not None
        fixture.files.path = tmp_path / "kitchen.zip"
        await fixture.press_and_wait("Export…")
        selection = CollectionSelection()
        selection.changed.connect(lambda: fixture.state.choose(selection.id))
        jobs = JobsState(fixture.study, fixture.session, fixture.tasks)
        context = fixture.stage.window_context
        jobs.refresh()
        await fixture.settled()
        (job,) = [job for job in jobs.jobs if job.row.kind == JobKind.COLLECTION_EXPORT]
        assert getattr(outcome(job), "text", "") == "Download it in Collections"
        fixture.study.open(kitchen("Mine"), None, is_saved=False)
        context.shell.set_stage("home")
        assert not fixture.stage.isVisible()
        jobs.chosen = job
        OPEN.run(JobsContext(context, jobs, selection))
        assert fixture.stage.isVisible()
        assert fixture.state.shown_id == own.id

    do(steps)


def test_every_action_of_results_says_what_it_needs() -> None:
    conditions = [action.condition for action in ACTIONS if action.condition is not ALWAYS]
    assert conditions
    assert all(condition.reason != NOT_AVAILABLE for condition in conditions)
