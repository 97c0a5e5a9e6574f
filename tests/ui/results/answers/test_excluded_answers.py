"""An excluded answer is marked in the table, counted, and can be included again there."""

import pytest
from PySide6.QtWidgets import QLabel

from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.widgets.tables.table import CellRole
from tests.ui.conftest import until
from tests.ui.results.conftest import column_of, texts

pytestmark = pytest.mark.gui

REASON = "Excluded because"


def counts(stage: ResultsStage) -> set[str]:
    """The visible labels of the table of answers."""
    return {label.text() for label in stage.answers.findChildren(QLabel) if label.isVisible()}


def headings(stage: ResultsStage) -> list[str]:
    return [column.title for column in stage.answers.table.model().columns]  # type: ignore[attr-defined]


async def select(stage: ResultsStage, row: int) -> None:
    stage.answers.table.selectRow(row)
    await until(lambda: stage.state.grid.selected is not None)


async def test_an_excluded_answer_is_marked_and_can_be_included_again(stage: ResultsStage) -> None:
    assert REASON not in headings(stage)
    await stage.analysis.load_settings()
    await select(stage, 0)
    answer = stage.state.grid.selected
    assert answer is not None
    stage.analysis.exclude_answers({answer.id: "A test"})
    await until(lambda: "6 answers from 1 participant, 1 excluded" in counts(stage))
    assert texts(stage, REASON).count("A test") == 1
    row = texts(stage, REASON).index("A test")
    index = stage.answers.table.model().index(row, column_of(stage, "Participant"))
    assert index.data(CellRole.CELL).tone == "text3"
    await select(stage, row)
    await until(lambda: stage.answers.detail.include_button.isVisible())
    stage.answers.detail.include_button.click()
    await until(lambda: "6 answers from 1 participant" in counts(stage))
    assert REASON not in headings(stage)


@pytest.mark.parametrize("participants", [2])
async def test_including_an_answer_of_an_excluded_participant_includes_the_participant(
    stage: ResultsStage,
) -> None:
    await stage.analysis.load_settings()
    await select(stage, 0)
    answer = stage.state.grid.selected
    assert answer is not None
    stage.analysis.exclude_participants({answer.participant: "Too fast"})
    await until(lambda: "12 answers from 2 participants, 6 excluded" in counts(stage))
    await select(stage, texts(stage, REASON).index("Too fast"))
    await until(lambda: stage.answers.detail.include_button.isVisible())
    stage.answers.detail.include_button.click()
    await until(lambda: "12 answers from 2 participants" in counts(stage))
