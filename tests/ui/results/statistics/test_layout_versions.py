"""Results after the layout was changed: answers keep the questions and options that participants saw."""

from collections.abc import Callable

import pytest

from batchwright.analysis.sections import QuestionsResult
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.item_types.registry import Choice, FreeText
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.results.statistics.questions_page import QuestionsPage
from batchwright.ui.results.statistics.section_titles import Section
from batchwright.ui.run.commands import start_simulation
from batchwright.ui.run.publish import start_publish
from batchwright.ui.run.state import RunState
from batchwright.ui.widgets.text import Label
from batchwright.workflows.rehearsal.simulate import SimulationOptions
from tests.ui.conftest import until
from tests.ui.results.conftest import matching, settled, texts
from tests.ui.run.conftest import set_up_chosen

pytestmark = pytest.mark.gui


async def update_batch(stage: ResultsStage, also: Callable[[RunState], object] = lambda _run: None) -> None:
    """Ask "Why not?" instead of "Why?", rename the first option, and update the batch."""
    state = stage.state
    for _path, item in state.study.layout.walk():
        if isinstance(item, FreeText) and item.description == "Why?":
            state.study.apply(SetAttributes(item.key, {"description": "Why not?"}))
        if isinstance(item, Choice):
            first, *others = item.options
            state.study.apply(SetAttributes(item.key, {"options": [{**first, "label": "Renamed"}, *others]}))
    run = RunState(state.study, state.session, state.tasks)
    run.remote_list.refresh()
    await settled(state.tasks)
    start_publish(run, run.own)
    await settled(state.tasks)
    also(run)
    await settled(state.tasks)
    state.answers.refresh()
    await settled(state.tasks)


def set_up_again(run: RunState) -> None:
    set_up_chosen(run, 2)


def titles(stage: ResultsStage) -> list[str]:
    """The titles of the questions in the latest result."""
    result = stage.analysis.result(QuestionsResult)
    return [item.question.title for item in result.questions] if result is not None else []


@pytest.mark.parametrize("participants", [2])
async def test_an_update_without_a_setup_changes_no_question(stage: ResultsStage) -> None:
    before = sorted(texts(stage, "Question")), sorted(texts(stage, "Answer"))
    await update_batch(stage)

    assert "Why?" in before[0]
    assert (sorted(texts(stage, "Question")), sorted(texts(stage, "Answer"))) == before
    assert "Why not?" not in [question.title for question in stage.state.answers.overview.questions]
    assert not stage.layouts.isVisible()


@pytest.mark.parametrize("participants", [2])
async def test_answers_of_two_versions_are_named_and_can_be_split(stage: ResultsStage) -> None:
    stage.show_section(Section.QUESTIONS)
    await until(lambda: "Why?" in titles(stage))
    stage.show_section(Section.ANSWERS)
    await update_batch(stage, set_up_again)
    state = stage.state
    run = RunState(state.study, state.session, state.tasks)
    run.remote_list.refresh()
    await settled(state.tasks)
    start_simulation(run, SimulationOptions(1, 1))
    await settled(state.tasks)
    state.answers.refresh()
    await matching(stage, 18)

    assert {"Why?", "Why not?"} <= set(texts(stage, "Question"))
    assert stage.layouts.text.text().startswith("The answers were given to 2 versions of the layout:")
    stage.show_section(Section.QUESTIONS)
    await until(lambda: "Why not? (version 2) / Why? (version 1)" in titles(stage))
    page = stage.sections.page(Section.QUESTIONS)
    assert isinstance(page, QuestionsPage)
    joined = "Why not? (version 2) / Why? (version 1)"
    await until(lambda: joined in [panel.accessibleName() for panel in page.panels.values()])
    stage.layouts.split_button.click()
    await until(lambda: {"Why? (version 1)", "Why not? (version 2)"} <= set(titles(stage)))
    assert stage.layouts.split_button.text() == "Count versions together"


@pytest.mark.parametrize("participants", [0])
async def test_tasks_of_an_earlier_setup_are_not_counted_as_present_ones(stage: ResultsStage) -> None:
    def header() -> str:
        return next((label.text() for label in stage.findChildren(Label) if "received" in label.text()), "")

    async def answer_one(run: RunState) -> None:
        run.remote_list.refresh()
        await settled(stage.state.tasks)
        set_up_chosen(run, 1)
        await settled(stage.state.tasks)
        start_simulation(run, SimulationOptions(1, 1))
        await settled(stage.state.tasks)
        stage.state.answers.refresh()

    run = RunState(stage.state.study, stage.state.session, stage.state.tasks)
    start_publish(run, run.own)
    await settled(stage.state.tasks)
    await answer_one(run)
    await until(lambda: header().startswith("3 answers received, from 1 of 2 tasks. Latest: "))
    await update_batch(stage)
    await answer_one(RunState(stage.state.study, stage.state.session, stage.state.tasks))
    await matching(stage, 6)
    assert header().startswith("6 answers received, some of them to tasks of an earlier setup. Latest: ")
