"""The answer grid in Results, with answers at a real service."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QPlainTextEdit, QPushButton

from batchwright.analysis.store.answer_query import AnswerQuery, FieldColumn
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.results.actions import (
    can_download_answers,
    can_download_export,
    can_download_report,
    can_save_results,
)
from batchwright.ui.results.answers import answers_model, answers_panel, answers_table
from batchwright.ui.results.answers.answer_columns import NEW, QUESTION
from batchwright.ui.results.answers.answer_filters import MAX_CHOICES
from batchwright.ui.results.save.save_dialog import SaveDialog
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.stages import _create_preview
from tests.policies import WritePolicy
from tests.ui.conftest import activate_window, focused, until
from tests.ui.results.conftest import column_of, control, matching, settled, texts
from tests.ui.results.test_download_banners import add_answers
from tests.ui.window_fixtures import FakeFileDialogs, UnloadedImages, press

pytestmark = pytest.mark.gui


def click_heading(stage: ResultsStage, heading: str) -> None:
    """Click the heading of a column."""
    header, column = stage.answers.table.horizontalHeader(), column_of(stage, heading)
    at = QPoint(header.sectionViewportPosition(column) + 20, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


async def test_a_heading_sorts_and_sorts_in_the_other_order(stage: ResultsStage) -> None:
    rows = stage.answers.table.model()
    click_heading(stage, "Task")
    await until(lambda: texts(stage, "Task") == sorted(texts(stage, "Task")))
    assert isinstance(stage.state.grid.query.sort, FieldColumn), "by the values shown, not by ids"
    click_heading(stage, "Task")
    await until(lambda: texts(stage, "Task") == sorted(texts(stage, "Task"), reverse=True))
    heading = rows.headerData(
        column_of(stage, "Task"), Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleTextRole
    )
    assert heading == "Task, sorted in descending order"


async def test_answers_that_arrive_are_new_and_nothing_else_changes(stage: ResultsStage) -> None:
    order = ["Why?", "Which?", "Proof"]
    table, state = stage.answers.table, stage.state
    click_heading(stage, "Question")
    await until(lambda: texts(stage, "Question") == sorted(texts(stage, "Question"), key=order.index))
    table.selectRow(3)
    await until(lambda: state.grid.selected is not None)
    chosen = state.grid.selected
    assert chosen is not None
    await add_answers(stage)
    state.answers.poll()
    await matching(stage, 12)
    await settled(stage.context.window.tasks)
    assert state.grid.query.sort == QUESTION.column
    assert state.grid.selected is not None
    assert state.grid.selected.id == chosen.id
    assert [part.start for part in table.selected_ranges()] != []
    assert state.grid.new_answers == 6
    assert texts(stage, "New").count("New") == 6
    control(stage, QPushButton, "Only new").click()
    await matching(stage, 6)
    table.selectRow(0)
    await until(lambda: state.grid.new_answers == 5)
    press(stage, "Mark all as seen")
    await until(lambda: state.grid.new_answers == 0)
    await until(lambda: NEW not in table._rows.columns)


async def test_a_selected_row_is_shown_in_full_once_it_is_read(
    stage: ResultsStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (answers_model, answers_table):
        monkeypatch.setattr(module, "BLOCK_SIZE", 1)
    rows = stage.state.grid.rows
    assert rows is not None
    await stage.answers.table.show_rows(rows)
    stage.answers.table.selectRow(5)
    assert not stage.answers.detail.isVisible(), "only the first rows have been read"
    await until(stage.answers.detail.isVisible)
    assert stage.state.grid.selected == rows.rows(5, 1)[0]


async def test_selected_rows_are_copied_with_and_without_headings(stage: ResultsStage) -> None:
    table = stage.answers.table
    table.selectAll()
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    await settled(stage.context.window.tasks)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 6
    assert {line.split("\t")[1] for line in lines} == set(texts(stage, "Task"))
    stage.answers.copy(with_headings=True)
    await settled(stage.context.window.tasks)
    first = QGuiApplication.clipboard().text().splitlines()[0]
    assert first == "Participant\tTask\tQuestion\tAnswer\tTime"


async def test_with_pseudonyms_only_no_id_of_a_participant_is_copied_and_no_file_downloaded(
    stage: ResultsStage, write_policy: WritePolicy
) -> None:
    write_policy("[lock]\npseudonyms = true\n")
    stage.answers.table.selectAll()
    stage.answers.copy(with_headings=True)
    await settled(stage.context.window.tasks)
    assert QGuiApplication.clipboard().text().splitlines()[0] == "Task\tQuestion\tAnswer\tTime"
    for may_download in (can_download_answers, can_download_report, can_download_export):
        assert "pseudonyms only: use “Save results”" in may_download.disabled_reason(stage.context)
    assert can_save_results(stage.context)
    stage.header.show_state()
    assert (stage.header.primary.text(), stage.header.save_button.isHidden()) == ("Save results…", True)


async def test_columns_of_the_dataset_can_be_shown_and_are_remembered(stage: ResultsStage) -> None:
    columns = stage.answers.columns
    columns.set_shown("field prompt", is_shown=True)
    assert set(texts(stage, "prompt")) == set(texts(stage, "Task"))
    columns.set_shown("participant", is_shown=False)
    rows = stage.answers.table.model()
    headings = [rows.headerData(at, Qt.Orientation.Horizontal) for at in range(rows.columnCount())]
    assert headings == ["Task", "prompt", "Question", "Answer", "Time"]
    stored = stage.context.window.settings.answer_columns
    columns.restore_text("")
    assert "prompt" not in [column.title for column in stage.answers.table._rows.columns]
    columns.restore_text(stored)
    assert "prompt" in [column.title for column in stage.answers.table._rows.columns]


async def test_a_field_value_and_an_option_filter_the_answers(stage: ResultsStage) -> None:
    press(stage, "Filters")
    field = control(stage, QComboBox, "Field")
    field.setCurrentIndex(field.findText("prompt"))
    value = control(stage, QComboBox, "Value of the field")
    await until(lambda: value.count() == 3)
    value.setCurrentIndex(1)
    await matching(stage, 3)
    assert set(texts(stage, "Task")) == {value.currentText()}
    press(stage, "Clear filters")
    await matching(stage, 6)
    control(stage, QComboBox, "Option").setCurrentIndex(1)
    await until(lambda: set(texts(stage, "Question")) == {"Which?"})
    assert all("One" in text for text in texts(stage, "Answer"))
    day = control(stage, QComboBox, "From day")
    assert day.count() == 2, "any day, and the day of the answers"


async def test_the_record_is_shown_as_the_participant_saw_it(stage: ResultsStage) -> None:
    panel = stage.answers
    panel._create_preview = partial(
        _create_preview, stage.context.window, stage.state.study, UnloadedImages()
    )
    row = texts(stage, "Question").index("Why?")
    answer = texts(stage, "Answer")[row]
    panel.table.setFocus()
    panel.table.selectRow(row)
    await until(lambda: stage.state.grid.selected is not None)
    stage.context.window.actions.run(ActionId.RESULTS_RECORD)
    await until(lambda: panel.is_previewing)
    preview = panel._stack.currentWidget()
    assert preview is not None
    assert answer in {area.toPlainText() for area in preview.findChildren(QPlainTextEdit)}
    assert any(box.isChecked() for box in preview.findChildren(QCheckBox))
    press(preview, "Back to the answers")
    assert not panel.is_previewing
    stage.context.window.actions.run(ActionId.RESULTS_RECORD)
    await until(lambda: panel.is_previewing)
    stage.context.window.actions.run(ActionId.RESULTS_RECORD)
    await until(lambda: not panel.is_previewing)


async def test_an_uploaded_file_is_saved(stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path) -> None:
    files.path = tmp_path / "saved.txt"
    stage.answers.table.selectRow(texts(stage, "Question").index("Proof"))
    await until(lambda: stage.state.grid.selected is not None)
    press(stage.answers.detail, "Save “file-1.txt”…")
    await settled(stage.context.window.tasks)
    (card,) = stage.context.window.notices.cards
    assert card.notice.text == "saved.txt"
    assert files.path.stat().st_size


async def test_a_file_that_is_saved_while_another_one_is_says_so(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    files.path = tmp_path / "saved.txt"
    stage.answers.table.selectRow(texts(stage, "Question").index("Proof"))
    await until(lambda: stage.state.grid.selected is not None)
    press(stage.answers.detail, "Save “file-1.txt”…")
    await until(lambda: stage.state.is_downloading)
    press(stage.answers.detail, "Save “file-1.txt”…")
    await until(lambda: bool(stage.context.window.notices.cards))
    assert stage.context.window.notices.cards[0].notice.title == "A download is running"
    await settled(stage.context.window.tasks)


async def test_another_query_shows_the_answers_of_a_task(stage: ResultsStage) -> None:
    stage.answers.table.selectRow(0)
    await until(lambda: stage.state.grid.selected is not None)
    assert stage.state.grid.selected is not None
    task = stage.state.grid.selected.task
    stage.state.grid.set_query(AnswerQuery(search="no such text"))
    stage.state.grid.set_query(AnswerQuery(tasks=(task,)))
    await matching(stage, 3)
    press(stage, "Clear filters")
    await matching(stage, 6)


async def test_the_grid_has_the_focus_again_after_it_was_loaded(stage: ResultsStage) -> None:
    activate_window(stage.window())
    table = stage.answers.table
    table.setFocus()
    stage.state.answers.clear_answers(AnswerStore())
    stage.state.answers.clear()
    await until(lambda: not table.isVisible())
    assert stage.isAncestorOf(focused())
    stage.state.answers.refresh()
    await matching(stage, 6)
    await until(table.hasFocus)


async def test_a_filter_says_that_it_does_not_list_every_participant(stage: ResultsStage) -> None:
    people = control(stage, QComboBox, "Participant")
    assert people.count() == 2
    overview = stage.state.answers.overview
    many = tuple(f"participant {number:04d}" for number in range(MAX_CHOICES + 1))
    stage.state.answers.overview = replace(overview, participants=many)
    stage.answers.show_answers()
    assert people.count() == MAX_CHOICES + 2
    last = people.model().index(people.count() - 1, 0)
    assert last.data() == "Only the first 1,000 are listed; the search finds all"
    assert not last.flags() & Qt.ItemFlag.ItemIsEnabled


async def test_rows_that_are_not_copied_are_reported(
    stage: ResultsStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers_panel, "_MAX_COPIED", 4)
    stage.answers.table.selectAll()
    stage.answers.copy(with_headings=False)
    await settled(stage.context.window.tasks)
    assert len(QGuiApplication.clipboard().text().splitlines()) == 4
    (card,) = stage.context.window.notices.cards
    assert card.notice.title == "Only the first 4 rows are copied"
    press(card, "Save results…")
    window = stage.window()
    await until(lambda: bool(window.findChildren(SaveDialog)))
    press(window, "Cancel")
    await settled(stage.context.window.tasks)
