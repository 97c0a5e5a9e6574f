"""Values are mended beside the data file, shown as changed, kept in the study, and taken back."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from batchwright.data_files.conversion.edit_list import ReplacementEdit, cell_edit
from batchwright.ui.data.file.mending import CellDialog, ReplaceTextDialog
from batchwright.ui.data.file.records_table import RowsTable
from batchwright.ui.data.stage import DataStage
from batchwright.ui.data.stage_pages import FilePage
from tests.ui.conftest import until
from tests.ui.data.conftest import opened, shown, wait_for_dialog


async def until_value(stage: DataStage, row: int, column: int, value: str) -> None:
    """Wait until a cell has a value and the file is read."""
    table = shown(stage, RowsTable)
    await until(lambda: table.model().index(row, column).data() == value and not stage.state.is_reading, 20)


async def test_a_cell_is_mended_by_keyboard_shown_as_changed_and_taken_back(
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
    stage.state.add_edit(cell_edit(("prompt", "picture"), 0, record, "prompt", "mended"))
    await until(lambda: bool(stage.state.edits) and not stage.state.is_reading, 20)
    listed = [action.text() for action in bar.changes.menu().actions()]
    assert listed[-1] == "A change of “prompt” from “gone” to “mended” found no record."
