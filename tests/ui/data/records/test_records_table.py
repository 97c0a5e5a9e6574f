"""The table of records, and the widths of its columns."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from batchwright.data_files.rows import ParsedRecord
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.data.records.records_model import RowsModel
from batchwright.ui.data.records.records_table import RowsTable
from batchwright.ui.theme import Theme

pytestmark = pytest.mark.gui


@pytest.mark.parametrize("text_size", [100, 150, 200])
def test_the_table_scrolls_sideways_only_if_the_columns_do_not_fit(
    qtbot: QtBot, theme: Theme, text_size: int
) -> None:
    theme.set_text_size(text_size)
    model = RowsModel()
    table = RowsTable(model)
    qtbot.addWidget(table)
    with qtbot.waitExposed(table):
        table.show()
    types = {"a": FieldType.TEXT, "b": FieldType.METADATA, "c": FieldType.IMAGE_URL}
    model.show_file(tuple(types), [ParsedRecord(row, row + 2, ["x"] * len(types)) for row in range(40)])
    model.show_schema(Schema(fields={key: Field(type) for key, type in types.items()}, strict=False))
    minimum = table.columnWidth(0) + sum(theme.px(least) for least in (150, 96, 130))
    bar = table.verticalScrollBar().sizeHint().width()
    for spare in (0, 1, 7, 20, 60, 150, 400):
        table.resize(minimum + bar + spare, 400)
        QApplication.processEvents()
        assert not table.horizontalScrollBar().isVisible(), f"{spare} pixels to spare"
    table.resize(minimum // 2, 400)
    QApplication.processEvents()
    assert table.horizontalScrollBar().isVisible()


def test_columns_of_a_wide_file_get_their_width_together(qtbot: QtBot, theme: Theme) -> None:
    model = RowsModel()
    table = RowsTable(model)
    qtbot.addWidget(table)
    table.resize(700, 400)
    with qtbot.waitExposed(table):
        table.show()
    columns = tuple(f"column {number}" for number in range(1000))
    model.show_file(columns, [ParsedRecord(0, 2, ["x"] * len(columns))])
    widths = {table.columnWidth(number) for number in range(1, len(columns))}
    assert widths == {table.horizontalHeader().defaultSectionSize()}


def test_a_column_keeps_the_width_that_the_user_has_given_it(qtbot: QtBot, theme: Theme) -> None:
    model = RowsModel()
    table = RowsTable(model)
    qtbot.addWidget(table)
    table.resize(700, 400)
    with qtbot.waitExposed(table):
        table.show()
    model.show_file(("a", "b"), [ParsedRecord(0, 2, ["x", "y"])])
    head = table.horizontalHeader()
    border = QPoint(head.sectionViewportPosition(2) - 1, head.height() // 2)
    QTest.mouseMove(head.viewport(), border)
    QTest.mousePress(head.viewport(), Qt.MouseButton.LeftButton, pos=border)
    QTest.mouseMove(head.viewport(), border + QPoint(40, 0))
    QTest.mouseRelease(head.viewport(), Qt.MouseButton.LeftButton, pos=border + QPoint(40, 0))
    chosen = table.columnWidth(1)
    table.resize(900, 400)
    QApplication.processEvents()
    assert table.columnWidth(1) == chosen
