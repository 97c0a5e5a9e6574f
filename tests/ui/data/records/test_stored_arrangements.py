"""The columns of a file are shown again as the user has arranged them."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from batchwright.ui.data.records.column_arrangement import ColumnArrangement
from batchwright.ui.data.records.records_table import RowsTable
from batchwright.ui.data.stage import DataStage
from batchwright.ui.theme import Theme
from tests.ui.conftest import until
from tests.ui.data.conftest import opened, shown


def menu_of_cell(table: RowsTable, column: int) -> QMenu:
    """The menu of a cell in the first row, as the menu key opens it."""
    table.setCurrentIndex(table.model().index(0, column))
    table.customContextMenuRequested.emit(QPoint(5, 5))
    menus = [menu for menu in table.findChildren(QMenu) if menu.isVisible()]
    return menus[0]


def choose(menu: QMenu, text: str) -> None:
    """Choose an entry of a menu or of one of its submenus."""
    for one in (menu, *menu.findChildren(QMenu)):
        for action in one.actions():
            if action.text() == text:
                action.trigger()
                menu.close()
                return
    pytest.fail(f"no entry {text}")


async def test_order_hidden_columns_and_widths_come_back_with_the_file(
    stage: DataStage, reviews: Path, tmp_path: Path
) -> None:
    await opened(stage, reviews)
    table = shown(stage, RowsTable)
    choose(menu_of_cell(table, 1), "Move to the right")
    choose(menu_of_cell(table, 3), "Hide “topic”")
    border = QPoint(table.columnViewportPosition(2) + table.columnWidth(2) - 1, 9)
    head = table.horizontalHeader()
    QTest.mouseMove(head.viewport(), border)
    QTest.mousePress(head.viewport(), Qt.MouseButton.LeftButton, pos=border)
    QTest.mouseMove(head.viewport(), border - QPoint(40, 0))
    QTest.mouseRelease(head.viewport(), Qt.MouseButton.LeftButton, pos=border - QPoint(40, 0))
    chosen = table.columnWidth(2)
    await until(lambda: '"widths":{"' in stage.context.window.settings.record_columns.replace(" ", ""))
    other = tmp_path / "other.csv"
    other.write_text("prompt,topic\nWhy?,cats\n")
    await opened(stage, other)
    assert table.columns.shown == [0, 1]
    assert table.columns.arrangement == ColumnArrangement()
    await opened(stage, reviews)
    assert table.columns.shown == [1, 0]
    assert table.columnWidth(2) == chosen


async def test_the_menu_key_opens_the_menu_at_the_cell(stage: DataStage, reviews: Path) -> None:
    await opened(stage, reviews)
    table = shown(stage, RowsTable)
    menu = menu_of_cell(table, 2)
    cell = table.visualRect(table.model().index(0, 2))
    assert menu.pos() == table.viewport().mapToGlobal(cell.bottomLeft())
    menu.close()


async def test_a_file_that_is_read_again_leaves_the_columns_as_they_are(
    stage: DataStage, reviews: Path
) -> None:
    await opened(stage, reviews)
    table = shown(stage, RowsTable)
    choose(menu_of_cell(table, 1), "Hide “prompt”")
    stage.state.file.retry()
    await until(lambda: not stage.state.is_reading, 20)
    assert table.columns.shown == [1, 2]


async def test_a_newer_version_of_the_file_shows_its_new_columns_last(
    stage: DataStage, reviews: Path
) -> None:
    await opened(stage, reviews)
    table = shown(stage, RowsTable)
    choose(menu_of_cell(table, 3), "Move to the left")
    reviews.write_text("id,prompt,picture,topic\n1,Why?,https://example.org/1.png,cats\n")
    await opened(stage, reviews)
    assert [stage.state.file.summary.columns[at] for at in table.columns.shown] == [  # type: ignore[union-attr]
        "prompt",
        "topic",
        "picture",
        "id",
    ]
    choose(menu_of_cell(table, 1), "As in the file")
    assert table.columns.shown == [0, 1, 2, 3]


async def test_a_column_is_fitted_to_its_values_and_keeps_its_width_at_another_text_size(
    stage: DataStage, reviews: Path, theme: Theme
) -> None:
    await opened(stage, reviews)
    table = shown(stage, RowsTable)
    before = table.columnWidth(1)
    choose(menu_of_cell(table, 1), "Fit the width to the values")
    fitted = table.columnWidth(1)
    assert fitted < before
    theme.set_text_size(200)
    assert table.columnWidth(1) == pytest.approx(2 * fitted, abs=2)


@pytest.mark.parametrize(
    "stored", ["[", "[1]", '{"x": {"order": 3, "hidden": [1], "widths": {"a": "b", "c": true, "d": -1}}}']
)
async def test_arrangements_that_cannot_be_read_are_ignored(
    stage: DataStage, reviews: Path, stored: str
) -> None:
    stage.context.window.settings.record_columns = stored.replace('"x"', f'"{reviews}"')
    await opened(stage, reviews)
    assert shown(stage, RowsTable).columns.arrangement == ColumnArrangement()
