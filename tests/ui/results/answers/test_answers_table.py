"""The table of the answer grid with many rows."""

import asyncio
import time
from collections.abc import Sequence

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from batchwright.analysis.store.answer_query import AnswerQuery, AnswerRow
from batchwright.analysis.store.answer_store import AnswerRows, AnswerStore
from batchwright.analysis.store.questions import AnalysedQuestion, QuestionKind
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.results.answers.answer_columns import columns_for
from batchwright.ui.results.answers.answers_model import AnswersModel
from batchwright.ui.results.answers.answers_table import AnswersTable
from batchwright.ui.theme import Theme
from batchwright.ui.widgets.tables.table import TextCell
from batchwright.workflows.messages import describe
from tests.ui.conftest import until

pytestmark = pytest.mark.gui

QUESTION = AnalysedQuestion("q", "Why?", QuestionKind.TEXT)


class NumberedAnswers(AnswerStore):
    """Any number of answers, each with its number as its text."""

    def rows_of(self, numbers: Sequence[int]) -> tuple[AnswerRow, ...]:
        return tuple(
            AnswerRow(number, "a", "p", "t", "t", QUESTION, str(number), (), None, None, False, "", {})
            for number in numbers
        )


@pytest.fixture
def table(qtbot: QtBot, theme: Theme) -> AnswersTable:
    """An empty table with all columns, on the screen."""
    model = AnswersModel(lambda row, _column: TextCell(row.text), Tasks(describe))
    model.show_columns(columns_for((), title_field=None, is_for_collection=False))
    table = AnswersTable(model)
    qtbot.addWidget(table)
    table.show()
    return table


def found(store: AnswerStore, numbers: np.ndarray, search: str = "") -> AnswerRows:
    return AnswerRows(store, AnswerQuery(search=search), numbers, 1, 0)


def scroll_to(table: AnswersTable, row: int) -> None:
    """Make a row the first visible one."""
    table.verticalScrollBar().setValue(row * table.row_height)


def top_text(table: AnswersTable) -> object:
    """The text of the first visible row."""
    return table.indexAt(table.viewport().rect().topLeft()).data()


async def test_a_million_selected_rows_are_painted_without_asking_for_each(table: AnswersTable) -> None:
    await table.show_rows(found(NumberedAnswers(), np.arange(1_000_000)))
    table.selectAll()
    started = time.process_time()
    scroll_to(table, 500_000)
    table.grab()
    await until(lambda: top_text(table) == "500000")
    table.grab()
    assert time.process_time() - started < 5, "with a question for each row, it takes minutes"
    assert table.selected_ranges() == [range(1_000_000)]


async def test_the_visible_and_the_selected_rows_stay_when_others_arrive(table: AnswersTable) -> None:
    store = NumberedAnswers()
    await table.show_rows(found(store, np.arange(1_000)))
    table.selectRow(400)
    scroll_to(table, 300)
    await until(lambda: top_text(table) == "300")
    await table.show_rows(found(store, np.arange(1_000, -1, -1)))
    assert top_text(table) == "300"
    assert table.selected_ranges() == [range(600, 601)]


async def test_all_selected_rows_stay_selected_when_others_arrive(table: AnswersTable) -> None:
    store = NumberedAnswers()
    await table.show_rows(found(store, np.arange(1_000)))
    table.selectAll()
    await table.show_rows(found(store, np.array([*range(1_002, 399, -1), 1_003, *range(400)])))
    assert table.selected_ranges() == [range(3, 603), range(604, 1_004)]
    table.show_columns(columns_for((), title_field=None, is_for_collection=True))
    assert table.selected_ranges() == [range(3, 603), range(604, 1_004)]


async def test_no_row_stays_selected_if_not_all_can(table: AnswersTable) -> None:
    store = NumberedAnswers()
    await table.show_rows(found(store, np.arange(2_000)))
    table.selectAll()
    await table.show_rows(
        found(store, np.array([*range(4_000, 2_000, -1), *range(2_000)]).reshape(2, -1).T.ravel())
    )
    assert table.selected_ranges() == []


async def test_the_rows_of_another_query_are_shown_from_the_first_one(table: AnswersTable) -> None:
    store = NumberedAnswers()
    await table.show_rows(found(store, np.arange(1_000)))
    table.selectRow(400)
    scroll_to(table, 300)
    await until(lambda: top_text(table) == "300")
    await table.show_rows(found(store, np.arange(0, 1_000, 2), "even"))
    assert top_text(table) == "0"
    assert table.selected_ranges() == [range(200, 201)]


async def test_a_row_that_is_selected_while_others_are_read_stays_selected(table: AnswersTable) -> None:
    store = NumberedAnswers()
    await table.show_rows(found(store, np.arange(1_000)))
    showing = asyncio.ensure_future(table.show_rows(found(store, np.arange(1_000, -1, -1))))
    await asyncio.sleep(0)
    table.selectRow(0)
    assert await showing
    assert table.selected_ranges() == [range(1_000, 1_001)]
