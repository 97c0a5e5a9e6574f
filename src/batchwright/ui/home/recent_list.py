"""The table of recent studies."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.home.state import RecentStudyRow
from batchwright.ui.theme import theme
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.models import TableModel
from batchwright.ui.widgets.surfaces import Panel
from batchwright.ui.widgets.tables import (
    TWO_LINE_ROW_HEIGHT,
    Cell,
    CellRole,
    IconCell,
    Table,
    TextCell,
    accessible_text,
)

_WIDTHS = (0, 130, 230, 150)
"""Widths of the columns at 100 %; the first one takes the remaining width."""
_STATUS_COLUMN = 2
_MIN_NAME_WIDTH = 220
_COLUMNS_BY_PRIORITY = (1, 3, _STATUS_COLUMN)
"""The other columns in the order of their importance; the last ones are hidden first."""


class RecentModel(TableModel):
    """One row per study."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[RecentStudyRow] = ()
        self._is_collapsed = False

    def set_collapsed(self, *, is_collapsed: bool) -> None:
        """Show the note below the name while its column is hidden."""
        if is_collapsed != self._is_collapsed:
            self._is_collapsed = is_collapsed
            if self.rows:
                last = self.index(len(self.rows) - 1, len(_WIDTHS) - 1)
                self.dataChanged.emit(self.index(0, 0), last)

    def set_rows(self, rows: Sequence[RecentStudyRow]) -> None:
        """Show these studies."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def _cell(self, row: RecentStudyRow, column: int) -> Cell:
        below = f"{row.file} · {row.note if self._is_collapsed else row.folder}"
        cells: tuple[Cell, ...] = (
            IconCell("file-text", "question", TextCell(row.name, below, is_name=True)),
            row.state,
            TextCell(row.note, tone="text2"),
            TextCell(row.opened, tone="text2"),
        )
        return cells[column]

    @override
    def row_count(self) -> int:
        return len(self.rows)

    @override
    def column_count(self) -> int:
        return len(_WIDTHS)

    @override
    def value(self, row: int, column: int, role: int) -> object:
        line = self.rows[row]
        if role == CellRole.CELL:
            return self._cell(line, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return accessible_text(self._cell(line, column))
        if role == Qt.ItemDataRole.ToolTipRole:
            return line.note if column else str(line.recent.path)
        return None

    @override
    def heading(self, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return (_("Project"), _("State"), _("Details"), _("Opened"))[column]
        return None


class RecentTable(Table):
    """The table; it is as tall as its rows."""

    open_requested = Signal(object)
    """Emits the `Recent` to open."""
    removal_requested = Signal(object)
    """Emits the `Recent` to remove from the list."""

    def __init__(self) -> None:
        self._model = RecentModel()
        super().__init__(_("Recent projects"), self._model, row_height=TWO_LINE_ROW_HEIGHT, radius=9)
        head = self.horizontalHeader()
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        head.setStretchLastSection(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._on_clicked)
        theme().on_changed(self._update_columns)
        theme().on_changed(self._update_height)

    def show_rows(self, rows: Sequence[RecentStudyRow]) -> None:
        """Set the studies; the selection is kept if they are unchanged."""
        if rows and rows == self._model.rows:
            return
        self._model.set_rows(rows)
        self._update_height()

    def _update_height(self) -> None:
        """Set the height to that of the header and all rows."""
        head = self.horizontalHeader()
        header_height = max(head.minimumHeight(), head.sizeHint().height())
        self.setFixedHeight(header_height + self._model.rowCount() * self.row_height)

    def _update_columns(self) -> None:
        """Hide the columns for which there is no space beside the names."""
        px = theme().px
        available_width = self.width() - px(_MIN_NAME_WIDTH)
        for section in _COLUMNS_BY_PRIORITY:
            width = px(_WIDTHS[section])
            self.setColumnWidth(section, width)
            self.setColumnHidden(section, width > available_width)
            available_width -= width
        self._model.set_collapsed(is_collapsed=self.isColumnHidden(_STATUS_COLUMN))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_columns()

    def _on_clicked(self, index: QModelIndex) -> None:
        self.open_requested.emit(self._model.rows[index.row()].recent)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if index.isValid() and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._on_clicked(index)
        elif index.isValid() and event.key() == Qt.Key.Key_Delete:
            self.removal_requested.emit(self._model.rows[index.row()].recent)
        else:
            super().keyPressEvent(event)


class RecentPanel(Panel):
    """The table in a panel."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(10, parent=parent)
        self.table = RecentTable()
        column(self.table, margins=1, parent=self)
