"""The table of the answer grid with many rows."""

import time

import pytest
from pytestqt.qtbot import QtBot

from batchwright.analysis.store.answer_query import AnswerRow
from batchwright.analysis.store.questions import AnalysedQuestion, QuestionKind
from batchwright.ui.results.answers.answer_columns import columns_for
from batchwright.ui.results.answers.answers_model import AnswersModel
from batchwright.ui.results.answers.answers_table import AnswersTable
from batchwright.ui.theme import Theme
from batchwright.ui.widgets.tables import TextCell

pytestmark = pytest.mark.gui


def test_a_million_selected_rows_are_painted_without_asking_for_each(qtbot: QtBot, theme: Theme) -> None:
    question = AnalysedQuestion("q", "Why?", QuestionKind.TEXT)
    row = AnswerRow(0, "a", "p", "t", "t", question, "So.", (), None, None, False, "", {})
    model = AnswersModel(lambda row, _column: TextCell(row.text))
    model.show_columns(columns_for((), title_field=None, is_for_collection=False))
    table = AnswersTable(model)
    qtbot.addWidget(table)
    table.show()
    model.show_rows(1_000_000, 0, (row,) * 128)
    table.selectAll()
    started = time.process_time()
    model.set_block(1, (row,) * 128)
    table.grab()
    assert time.process_time() - started < 5, "with a question for each row, it takes minutes"
    assert table.selected_ranges() == [range(1_000_000)]
