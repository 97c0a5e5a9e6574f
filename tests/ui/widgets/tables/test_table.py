"""Tables: painting, hovering and accessible texts of cells."""

import pytest
from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from batchwright.ui.theme import Theme
from batchwright.ui.widgets.statuses import IMPORT
from batchwright.ui.widgets.tables.table import (
    CellRole,
    IconCell,
    ProgressCell,
    Table,
    TextCell,
    accessible_text,
)
from tests.ui.widgets.conftest import picture

pytestmark = pytest.mark.gui


class Jobs(QAbstractTableModel):
    """Two jobs in four kinds of cells."""

    CELLS = (
        (
            IconCell("cloud-arrow-up", "question", TextCell("Import", "reviews.csv", is_name=True)),
            IMPORT["queued"],
            ProgressCell(((0.63, "accent"),)),
            TextCell("empty", is_missing=True, has_error=True),
        ),
        (
            IconCell("archive", "question", TextCell("Export", is_name=True)),
            IMPORT["complete"],
            ProgressCell(((1.0, "ok"),), "6.3 MB of 6.3 MB"),
            TextCell("12,345", is_number=True),
        ),
    )

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:  # noqa: N802 - Qt's name
        return len(self.CELLS)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:  # noqa: N802 - Qt's name
        return len(self.CELLS[0])

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> object:
        cell = self.CELLS[index.row()][index.column()]
        if role == CellRole.CELL:
            return cell
        return accessible_text(cell) if role == Qt.ItemDataRole.DisplayRole else None


def test_a_table_paints_every_kind_of_cell_and_the_selected_row(qtbot: QtBot, theme: Theme) -> None:
    table = Table("Jobs", Jobs(), row_height=54, radius=9)
    qtbot.addWidget(table)
    table.resize(600, 200)
    table.show()
    before = picture(table)
    table.selectRow(0)
    after = picture(table)
    assert after != before
    y = table.horizontalHeader().height() + 27
    assert after.pixelColor(1, y) == theme.tokens.accent_text


def test_the_whole_row_under_the_pointer_is_highlighted(qtbot: QtBot, theme: Theme) -> None:
    table = Table("Jobs", Jobs())
    qtbot.addWidget(table)
    table.resize(600, 200)
    table.show()
    point = QPointF(20, 10)
    in_screen = QPointF(table.viewport().mapToGlobal(point.toPoint()))
    move = QMouseEvent(
        QEvent.Type.MouseMove,
        point,
        in_screen,
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(table.viewport(), move)
    assert table.hovered_row == 0
    assert table.viewport().grab().toImage().pixelColor(599, 4) == theme.tokens.row_hover


def test_every_kind_of_cell_has_an_accessible_text() -> None:
    text = [accessible_text(cell) for cell in Jobs.CELLS[0]]
    assert text == ["Import, reviews.csv", "Queued", "63 %", "empty"]
