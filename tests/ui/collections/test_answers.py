"""Answers to a collection in Results, and exports of collections in Jobs, at a real service."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from batchwright.api.collections import Collections
from batchwright.api.lazy_list import LazyList
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.remote_study import remote_collection
from batchwright.ui.collections.commands import start_publish, start_simulation
from batchwright.ui.jobs.actions import OPEN, JobsContext
from batchwright.ui.jobs.labels import outcome
from batchwright.ui.jobs.state import JobsState
from batchwright.ui.results.actions import ACTIONS, can_download_export, can_download_report
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.results.state import AnswerFilter, ResultsState
from batchwright.ui.shell.stages import Stage
from batchwright.ui.study.answers_source import AnswersSource
from batchwright.ui.study.collection_selection import CollectionSelection
from batchwright.ui.study.simulation_dialog import SimulationOptions
from batchwright.wire.collections import CollectionResponse
from tests.ui.collections.collections_stage import Desk, Do, kitchen
from tests.ui.window_fixtures import FakeFileDialogs

pytestmark = pytest.mark.gui


async def answered(desk: Desk, participants: int = 3) -> None:
    """Create the collection of the study, and let participants answer."""
    start_publish(desk.state, None)
    await desk.settled()
    assert desk.state.own is not None
    start_simulation(desk.state, desk.state.own, SimulationOptions(participants))
    await desk.settled()


async def results_of(desk: Desk, files: FakeFileDialogs) -> ResultsStage:
    """The Results stage of the same window, shown."""
    context = desk.stage._window_context
    source: AnswersSource = desk.stage._answers_source
    model = ResultsState(desk.study, desk.session, desk.tasks, source=source)
    results = ResultsStage(context, model, files)
    window = desk.stage.window()
    window._stack._stages["results"] = Stage("results", "Results", "chart-bar", lambda _frame: results)  # type: ignore[attr-defined]
    desk.press("See answers")
    await desk.settled()
    assert results.isVisible()
    return results


def button(results: ResultsStage, text: str) -> QPushButton:
    (found,) = [one for one in results.findChildren(QPushButton) if one.text() == text]
    return found


@pytest.mark.spec("C-06")
def test_answers_are_shown_counted_filtered_and_exported(do: Do, tmp_path: Path) -> None:
    async def steps(desk: Desk) -> None:
        await answered(desk)
        files = FakeFileDialogs()
        results = await results_of(desk, files)
        model = results.model
        assert (model.answers.count, len(model.answers.sheets)) == (6, 3)
        assert [question.title for question in model.answers.questions] == [
            "What do you cook most?",
            "Gas or electric?",
        ]
        (counts,) = model.option_counts
        assert sum(count.count for count in counts.counts) == 3
        assert results.answers.table.isColumnHidden(1)
        model.set_filter(AnswerFilter(participant=model.answers.participants[0]))
        await desk.settled()
        assert (model.filtered.answers, model.filtered.participants) == (2, 1)
        assert button(results, "Report CSV").isHidden()
        assert not can_download_report(results._context)
        files.path = tmp_path / "answers.zip"
        results._context.window.actions.run("results.export")
        await desk.settled()
        assert files.path.exists()
        assert not model.is_finding(model.answers.sheets[0])

    do(steps)


def test_answers_to_another_collection_are_shown_and_left(do: Do) -> None:
    async def steps(desk: Desk) -> None:
        await answered(desk)
        theirs = desk.state.own
        assert theirs is not None
        desk.study.open(kitchen("Mine"), None, is_saved=False)
        await desk.settled()
        desk.state.choose(theirs.id)
        await desk.settled()
        results = await results_of(desk, FakeFileDialogs())
        assert results.model.of == remote_collection(theirs.id)
        assert results.model.answers.count == 6
        button(results, "Back to Collections").click()
        assert desk.stage.isVisible()
        assert results.model.of is None

    do(steps)


def test_a_service_without_a_list_of_answers_offers_the_export(
    do: Do, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = Collections.responses

    async def not_offered(self: Collections, _id: str) -> LazyList[CollectionResponse]:
        return await real(self, "01900000-0000-7000-8000-000000000000")

    async def steps(desk: Desk) -> None:
        await answered(desk)
        monkeypatch.setattr(Collections, "responses", not_offered)
        files = FakeFileDialogs()
        results = await results_of(desk, files)
        assert results.model.lacks_list
        assert "does not list the answers" in results._header._subtitle.text()
        assert can_download_export(results._context)
        files.path = tmp_path / "answers.zip"
        (offered,) = [
            one
            for one in results._empty.findChildren(QPushButton)
            if one.text() == "Download export" and one.isVisible()
        ]
        offered.click()
        await desk.settled()
        assert files.path.exists()

    do(steps)


def test_an_export_in_jobs_leads_to_its_collection(do: Do, tmp_path: Path) -> None:
    async def steps(desk: Desk) -> None:
        await answered(desk)
        own = desk.state.own
        assert own is not None
        desk.files.path = tmp_path / "kitchen.zip"
        await desk.done("Export…")
        selection = CollectionSelection()
        selection.changed.connect(lambda: desk.state.choose(selection.id))
        jobs = JobsState(desk.study, desk.session, desk.tasks)
        context = desk.stage._window_context
        jobs.refresh()
        await desk.settled()
        (job,) = [job for job in jobs.jobs if job.row.kind == JobKind.COLLECTION_EXPORT]
        assert getattr(outcome(job), "text", "") == "Download it in Collections"
        desk.study.open(kitchen("Mine"), None, is_saved=False)
        context.shell.set_stage("home")
        assert not desk.stage.isVisible()
        jobs.chosen = job
        OPEN.run(JobsContext(context, jobs, selection))
        assert desk.stage.isVisible()
        assert desk.state.shown_id == own.id

    do(steps)


def test_every_action_of_results_says_what_it_needs() -> None:
    assert all(action.disabled_reason for action in ACTIONS)
