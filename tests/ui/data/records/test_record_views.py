"""Searching, sorting and filtering the records of a file, by mouse and keyboard."""

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QSpinBox, QWidget

from batchwright.data_files.views.record_query import ConditionKind, RecordCondition, RecordQuery
from batchwright.schema.model import FieldType
from batchwright.ui.data.records.column_counts_dialog import ColumnCountsDialog
from batchwright.ui.data.records.go_to_row_dialog import GoToRowDialog
from batchwright.ui.data.records.records_table import RowsTable
from batchwright.ui.data.stage import DataStage
from batchwright.ui.data.stage_pages import FilePage
from batchwright.ui.widgets.buttons import Button
from tests.ui.conftest import until
from tests.ui.data.conftest import opened, shown, wait_for_dialog


def lines(table: RowsTable, count: int) -> list[str]:
    """The line numbers in the first rows."""
    return [str(table.model().index(row, 0).data()) for row in range(min(count, table.model().rowCount()))]


async def until_shown(table: RowsTable, *expected: str) -> None:
    """Wait until the first rows have these line numbers."""
    await until(lambda: lines(table, len(expected)) == list(expected), 20)


def texts(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel)]


def click_heading(table: RowsTable, section: int) -> None:
    head = table.horizontalHeader()
    at = QPoint(head.sectionViewportPosition(section) + 30, head.height() // 2)
    QTest.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)


async def test_a_click_on_a_heading_sorts_another_reverses_a_third_restores(
    stage: DataStage, reviews: Path
) -> None:
    await opened(stage, reviews)
    table = shown(stage, RowsTable)
    click_heading(table, 3)
    await until_shown(table, "2", "4")
    click_heading(table, 3)
    await until_shown(table, "3", "5")
    assert table.horizontalHeader().sortIndicatorSection() == 3
    click_heading(table, 3)
    await until_shown(table, "2", "3")


async def test_hits_are_counted_and_stepped_through_by_keyboard(stage: DataStage, reviews: Path) -> None:
    await opened(stage, reviews)
    page, table = shown(stage, FilePage), shown(stage, RowsTable)
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    search = page.records_bar.search
    assert search.hasFocus()
    QTest.keyClicks(search, "NUMBER 9")
    await until(lambda: lines(table, 12)[11:] == ["13"] and stage.state.views.view is not None)
    await until(lambda: not stage.state.views.is_searching, 20)
    view = stage.state.views.view
    assert view is not None
    assert list(view.hits) == [9, *range(90, 100)]
    QTest.keyClick(search, Qt.Key.Key_Return)
    assert table.currentIndex().row() == 9
    assert table.model().index(9, 0).data() == "11, search hit"
    QTest.keyClick(search, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert table.currentIndex().row() == 99


async def test_an_invalid_regular_expression_is_said(stage: DataStage, reviews: Path) -> None:
    await opened(stage, reviews)
    bar = shown(stage, FilePage).records_bar
    bar.pattern.click()
    QTest.keyClicks(bar.search, "(cat")
    views = stage.state.views
    await until(lambda: views.view is not None and "not valid" in views.view.problem, 20)
    QTest.keyClicks(bar.search, "|dog)")
    await until(lambda: views.view is not None and len(views.view.hits) == 100, 20)


async def test_a_filter_leaves_records_and_a_rejected_one_that_it_hides_is_still_shown(
    stage: DataStage, reviews: Path
) -> None:
    await opened(stage, reviews)
    table, views = shown(stage, RowsTable), stage.state.views
    table.query_requested.emit(RecordQuery((RecordCondition(ConditionKind.EQUAL, 2, "dogs"),)))
    await until_shown(table, "3", "5", "7")
    assert table.model().rowCount() == 50
    stage.state.row_requested.emit(49, "prompt")
    assert table.currentIndex().row() == 24
    stage.state.row_requested.emit(50, "prompt")
    assert views.query == RecordQuery()
    assert table.currentIndex().row() == 50
    assert table.model().rowCount() == 100


async def test_what_is_shown_stays_when_the_file_is_read_again(stage: DataStage, reviews: Path) -> None:
    await opened(stage, reviews)
    table = shown(stage, RowsTable)
    table.query_requested.emit(RecordQuery((RecordCondition(ConditionKind.EMPTY, 0),)))
    await until_shown(table, "5")
    reviews.write_text(reviews.read_text().replace("Which cat is number 8?", ""))
    stage.state.reload_if_changed()
    await until_shown(table, "5", "10")


async def test_a_click_on_a_count_shows_its_records(stage: DataStage, reviews: Path) -> None:
    await opened(stage, reviews)
    stage.state.schema.set_type("picture", FieldType.IMAGE_URL)
    table = shown(stage, RowsTable)
    table.counts_requested.emit(1)
    dialog = await wait_for_dialog(stage, ColumnCountsDialog)
    await until(lambda: "All 100 records" in texts(dialog), 20)
    (bad,) = (
        button for button in dialog.findChildren(Button) if "Not a valid address" in button.accessibleName()
    )
    assert bad.accessibleName() == "Not a valid address: 1 record"
    bad.click()
    await until_shown(table, "9")
    assert table.model().rowCount() == 1


async def test_the_table_goes_to_a_row(stage: DataStage, reviews: Path) -> None:
    await opened(stage, reviews)
    stage.state.row_number_requested.emit()
    dialog = await wait_for_dialog(stage, GoToRowDialog)
    (field,) = dialog.findChildren(QSpinBox)
    field.setFocus()
    QTest.keyClicks(field, "70")
    dialog.accept()
    table = shown(stage, RowsTable)
    await until(lambda: table.currentIndex().row() == 69)


async def test_selected_records_are_copied_with_headings_as_text_and_html(
    stage: DataStage, reviews: Path
) -> None:
    await opened(stage, reviews)
    table = shown(stage, RowsTable)
    table.columns.hide(1)
    table.horizontalHeader().moveSection(3, 1)
    table.selectRow(3)
    QTest.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    clipboard = QGuiApplication.clipboard()
    await until(lambda: clipboard.text().startswith("topic\tprompt\n"), 20)
    assert clipboard.text() == "topic\tprompt\ndogs\t\ncats\tWhich cat is number 4?\n"
    assert (
        "<tr><th>topic</th><th>prompt</th></tr><tr><td>dogs</td><td></td></tr>" in clipboard.mimeData().html()
    )


async def test_a_hidden_column_is_offered_and_shown_again(stage: DataStage, reviews: Path) -> None:
    await opened(stage, reviews)
    table, bar = shown(stage, RowsTable), shown(stage, FilePage).records_bar
    table.columns.hide(1)
    assert bar.hidden.isVisible()
    assert bar.hidden.text() == "1 column hidden"
    assert table.columns.shown == [0, 2]
    bar.column_requested.emit(1)
    assert not bar.hidden.isVisible()
    assert table.columns.shown == [0, 1, 2]
