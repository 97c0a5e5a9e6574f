"""Values are edited beside the data file, shown as changed, kept in the study, and taken back."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from batchwright.base.json_values import Json, JsonObject
from batchwright.data_files.conversion.column_edits import RenameColumn
from batchwright.data_files.conversion.edit_list import ReplacementEdit, cell_edit
from batchwright.data_files.rows import ParsedRecord
from batchwright.data_files.views.record_query import ConditionKind, RecordCondition, RecordQuery
from batchwright.schema.model import FieldType
from batchwright.ui.data.file.shown_edits import ShownEdits, record_content
from batchwright.ui.data.next_step import next_step
from batchwright.ui.data.records.records_table import RowsTable
from batchwright.ui.data.records.value_edits import CellDialog, ReplaceTextDialog
from batchwright.ui.data.stage import DataStage
from batchwright.ui.data.stage_pages import FilePage
from tests.ui.conftest import until
from tests.ui.data.conftest import checked, opened, shown, wait_for_dialog


async def until_value(stage: DataStage, row: int, column: int, value: str) -> None:
    """Wait until a cell has a value and the file is read."""
    table = shown(stage, RowsTable)
    await until(lambda: table.model().index(row, column).data() == value and not stage.state.is_reading, 20)


async def test_a_cell_is_edited_by_keyboard_shown_as_changed_and_taken_back(
    stage: DataStage, reviews: Path
) -> None:
    before = reviews.read_bytes()
    await opened(stage, reviews)
    table, bar = shown(stage, RowsTable), shown(stage, FilePage).records_bar
    table.setCurrentIndex(table.model().index(3, 1))
    QTest.keyClick(table, Qt.Key.Key_F2)
    dialog = await wait_for_dialog(stage, CellDialog)
    (area,) = dialog.findChildren(QPlainTextEdit)
    QTest.keyClicks(area, "Which cat is it?")
    dialog.accept()
    await until_value(stage, 3, 1, "Which cat is it?, changed")
    assert (table.currentIndex().row(), table.currentIndex().column()) == (3, 1)
    assert table.model().index(2, 1).data() == "Which cat is number 2?"
    assert reviews.read_bytes() == before
    data = stage.state.study.data
    assert data is not None
    assert data.path == reviews
    assert data.conversion is not None
    assert len(data.conversion.edits) == 1
    assert bar.changes.text() == "1 change"
    bar.changes.menu().actions()[0].trigger()
    await until_value(stage, 3, 1, "empty")
    assert stage.state.study.data is not None
    assert stage.state.study.data.conversion is None
    assert not bar.changes.isVisible()


async def test_changes_of_the_data_are_steps_of_the_undo_history_until_another_file_is_opened(
    stage: DataStage, reviews: Path, tmp_path: Path
) -> None:
    await opened(stage, reviews)
    study = stage.state.study
    study.close_step()
    stage.state.add_edit(ReplacementEdit("cat", "dog"))
    await until_value(stage, 1, 1, "Which dog is number 1?, changed")
    assert study.undo_label == "Replace text"
    study.undo()
    await until_value(stage, 1, 1, "Which cat is number 1?")
    study.redo()
    await until_value(stage, 1, 1, "Which dog is number 1?, changed")
    other = tmp_path / "other.csv"
    other.write_text(reviews.read_text())
    stage.state.open_file(other)
    await until_value(stage, 1, 1, "Which cat is number 1?")
    assert study.undo_label != "Replace text"


async def test_all_hits_are_replaced_and_repeated_when_the_file_changes(
    stage: DataStage, reviews: Path
) -> None:
    await opened(stage, reviews)
    bar = shown(stage, FilePage).records_bar
    QTest.keyClicks(bar.search, "cat is")
    await until(bar.replace.isVisible, 20)
    bar.replace.click()
    dialog = await wait_for_dialog(stage, ReplaceTextDialog)
    (field,) = dialog.findChildren(QLineEdit)
    QTest.keyClicks(field, "dog was")
    dialog.accept()
    await until_value(stage, 1, 1, "Which dog was number 1?, changed")
    assert stage.state.edits
    reviews.write_text(reviews.read_text().replace("number 1?", "number one?"))
    stage.state.reload_if_changed()
    await until_value(stage, 1, 1, "Which dog was number one?, changed")


async def test_a_change_that_finds_no_record_in_a_newer_version_is_listed(
    stage: DataStage, reviews: Path
) -> None:
    await opened(stage, reviews)
    bar, record = shown(stage, FilePage).records_bar, {"prompt": "gone", "picture": "x"}
    stage.state.add_edit(cell_edit(("prompt", "picture"), 0, record, "prompt", "edited"))
    await until(lambda: bool(stage.state.edits) and not stage.state.is_reading, 20)
    listed = [action.text() for action in bar.changes.menu().actions()]
    assert listed[-1] == "A change of “prompt” from “gone” to “edited” found no record."


async def test_edits_are_shown_at_once_and_the_table_stays_as_it_is_while_the_file_is_converted(
    stage: DataStage, reviews: Path
) -> None:
    await opened(stage, reviews)
    state, table, resets = stage.state, shown(stage, RowsTable), []
    model = table.model()
    table.setCurrentIndex(model.index(2, 1))
    table.columns.hide(2)
    model.modelReset.connect(lambda: resets.append(True))
    columns = ("prompt", "picture", "topic")
    record = {"prompt": "Which cat is number 2?", "picture": "https://example.org/2.png", "topic": "cats"}
    state.add_edit(cell_edit(columns, 2, record, "prompt", "Which cat?"))
    assert model.index(2, 1).data() == "Which cat?, changed"
    assert state.is_reading
    again = {**record, "prompt": "Which cat?"}
    state.add_edit(cell_edit(columns, 2, again, "prompt", "Which dog?"))
    assert model.index(2, 1).data() == "Which dog?, changed"
    await until_value(stage, 2, 1, "Which dog?, changed")
    state.study.undo()
    assert model.index(2, 1).data() == "Which cat?, changed"
    state.study.undo()
    assert model.index(2, 1).data() == "Which cat is number 2?"
    await until_value(stage, 2, 1, "Which cat is number 2?")
    state.study.redo()
    await until_value(stage, 2, 1, "Which cat?, changed")
    assert not resets
    assert (table.currentIndex().row(), table.currentIndex().column()) == (2, 1)
    assert table.columns.hidden == [2]
    state.add_edit(ReplacementEdit("cat?", "animal?"))
    assert model.index(2, 1).data() == "Which animal?, changed"
    await until_value(stage, 2, 1, "Which animal?, changed")
    assert not resets
    state.study.undo()
    await until_value(stage, 2, 1, "Which cat?, changed")
    assert (table.currentIndex().row(), table.currentIndex().column()) == (2, 1)
    assert table.columns.hidden == [2]
    summary = state.file.summary
    assert summary is not None
    converted = summary.file.path.read_text().splitlines()
    assert [line for line in converted if "Which cat?" in line] == converted[2:3]


@pytest.mark.parametrize("changed", [ReplacementEdit("cat", "dog"), None], ids=["all", "number"])
async def test_a_value_that_is_edited_right_after_an_undo_is_changed(
    stage: DataStage, tmp_path: Path, changed: ReplacementEdit | None
) -> None:
    path, columns = tmp_path / "a.jsonl", ("prompt", "year")
    path.write_text("".join(f'{{"prompt": "cat {at}", "year": {at}}}\n' for at in range(9)))
    await opened(stage, path)
    model = shown(stage, FilePage).model
    record: JsonObject = {"prompt": "cat 5", "year": 5}
    stage.state.add_edit(changed or cell_edit(columns, 5, record, "year", "77"))
    await until(lambda: "changed" in f"{model.index(5, 1).data()}{model.index(5, 2).data()}", 20)
    await until(lambda: not stage.state.is_reading, 20)
    stage.state.study.undo()
    entry = model.record(5)
    while entry is None:  # the file is read again
        await asyncio.sleep(0.01)
        entry = model.record(5)
    content = record_content(columns, entry.content)
    assert content is not None
    stage.state.add_edit(cell_edit(columns, 5, content, "prompt", "dog"))
    await until_value(stage, 5, 1, "dog, changed")
    assert model.index(5, 2).data() == "5"


async def test_an_undone_change_leaves_the_data_of_the_study_as_it_was(
    stage: DataStage, reviews: Path
) -> None:
    await opened(stage, reviews)
    study = stage.state.study
    before = study.data
    stage.state.add_edit(ReplacementEdit("cat", "dog"))
    assert next_step(stage.state).text == "Every record gets the latest changes; then it is checked."
    await until_value(stage, 1, 1, "Which dog is number 1?, changed")
    assert study.data is not None
    assert study.data.sha256
    study.undo()
    assert study.data == before
    await until_value(stage, 1, 1, "Which cat is number 1?")
    assert study.data == before


async def test_a_filter_stays_while_values_are_edited_and_is_applied_to_the_new_ones(
    stage: DataStage, reviews: Path
) -> None:
    await opened(stage, reviews)
    state, table = stage.state, shown(stage, RowsTable)
    state.views.set_query(RecordQuery((RecordCondition(ConditionKind.EQUAL, 2, "dogs"),)))
    await until(lambda: table.model().rowCount() == 50, 20)
    await until(lambda: table.model().index(0, 3).data() == "dogs")
    record = {"prompt": "Which cat is number 1?", "picture": "https://example.org/1.png", "topic": "dogs"}
    state.add_edit(cell_edit(tuple(record), 1, record, "topic", "cats"))
    assert table.model().rowCount() == 50
    assert table.model().index(0, 3).data() == "cats, changed"
    await until(lambda: table.model().rowCount() == 49 and not state.is_reading, 20)


async def test_rejections_stay_listed_until_the_edited_file_is_checked(
    stage: DataStage, reviews: Path
) -> None:
    await opened(stage, reviews)
    state = stage.state
    state.schema.set_type("picture", FieldType.IMAGE_URL)
    await checked(state)
    (rejection,) = state.rejections
    record = {"prompt": "Which cat is number 7?", "picture": "http://example.org/7.png", "topic": "dogs"}
    state.add_edit(cell_edit(tuple(record), 7, record, "picture", "https://example.org/7.png"))
    assert state.rejections == (rejection,)
    assert state.dataset.upload_source() is None
    await until(lambda: not state.rejections, 20)
    source = state.dataset.upload_source()
    assert source is not None
    assert source.records == 100


@pytest.mark.parametrize("option", ["encoding", "header_rows"])
async def test_a_file_that_is_read_in_another_way_while_an_edit_is_converted_keeps_the_edit(
    stage: DataStage, reviews: Path, option: str
) -> None:
    await opened(stage, reviews)
    state = stage.state
    state.add_edit(ReplacementEdit("cat is", "dog was"))
    assert state.is_reading
    if option == "encoding":
        assert state.file.format is not None
        state.read_as(replace(state.file.format, encoding="cp1252"))
    else:
        state.convert_with("header_rows", 2)
    row = 1 if option == "encoding" else 0
    await until_value(stage, row, 1, "Which dog was number 1?, changed")
    assert state.edits == (ReplacementEdit("cat is", "dog was"),)


async def test_a_file_that_changes_while_an_edit_is_converted_is_read_again(
    stage: DataStage, reviews: Path
) -> None:
    await opened(stage, reviews)
    reviews.write_text(reviews.read_text().replace("number 1?", "number one?"))
    stage.state.add_edit(ReplacementEdit("cat is", "dog was"))
    await until_value(stage, 1, 1, "Which dog was number one?, changed")


def test_only_values_of_a_record_are_shown_with_edits_that_are_not_converted_yet() -> None:
    record = {"id": "1", "a": "x"}
    entry: ParsedRecord[Json] = ParsedRecord(4, 6, record)
    first = cell_edit(tuple(record), 4, record, "a", "y")
    more = cell_edit(tuple(record), 4, {**record, "a": "y"}, "a", "")
    added = ShownEdits(("id", "a"), (), (first,))
    assert added.record(entry).content == {"id": "1", "a": "y"}
    assert added.mark(4, "a") is True
    assert added.mark(4, "id") is None
    other = ParsedRecord(5, 7, record)
    assert added.record(other) is other
    gone = ShownEdits(("id", "a"), (first, more), (first,))
    assert gone.record(ParsedRecord(4, 6, {"id": "1"})).content == {"id": "1", "a": "y"}
    assert not ShownEdits(("id",), (), (RenameColumn("id", "b"),)).can_be_shown
    assert not ShownEdits(("id",), (ReplacementEdit("x", "y"),), ()).can_be_shown
    row = ShownEdits(("id", "a"), (), (first,)).record(ParsedRecord(4, 6, ["1", "x"]))
    assert row.content == {"id": "1", "a": "y"}
