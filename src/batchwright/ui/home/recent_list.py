"""The studies opened lately, as a table (look.md, home)."""

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
"""Of the columns; the first takes what is left."""
_STATUS_COLUMN = 2
_MIN_NAME_WIDTH = 220
_COLUMNS_BY_PRIORITY = (1, 3, _STATUS_COLUMN)
"""The columns beside the name, the ones that give way last at the front."""


class RecentModel(TableModel):
    """A row for each study."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[RecentStudyRow] = ()
        self._is_collapsed = False

    def set_collapsed(self, *, is_folded: bool) -> None:
        """Say how a study stands below its name, where there is no room for a column, or no more."""
        if is_folded != self._is_collapsed:
            self._is_collapsed = is_folded
            if self.rows:
                last = self.index(len(self.rows) - 1, len(_WIDTHS) - 1)
                self.dataChanged.emit(self.index(0, 0), last)

    def set_rows(self, lines: Sequence[RecentStudyRow]) -> None:
        """Show these studies."""
        self.beginResetModel()
        self.rows = lines
        self.endResetModel()

    def _cell(self, line: RecentStudyRow, column: int) -> Cell:
        below = f"{line.file} · {line.note if self._is_collapsed else line.folder}"
        cells: tuple[Cell, ...] = (
            IconCell("file-text", "question", TextCell(line.name, below, is_name=True)),
            line.state,
            TextCell(line.note, tone="text2"),
            TextCell(line.opened, tone="text2"),
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
            return (_("Project"), _("State"), _("Stands"), _("Opened"))[column]
        return None


class RecentTable(Table):
    """The table itself; it is as tall as its rows."""

    open_requested = Signal(object)
    """A `Recent` was chosen."""
    forget_requested = Signal(object)
    """A `Recent` is to leave the list."""

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

    def show_rows(self, lines: Sequence[RecentStudyRow]) -> None:
        """Show these studies; the chosen one stays chosen where nothing is new."""
        if lines and lines == self._model.rows:
            return
        self._model.set_rows(lines)
        self._update_height()

    def _update_height(self) -> None:
        """Be as tall as head and rows are."""
        head = self.horizontalHeader()
        least = max(head.minimumHeight(), head.sizeHint().height())
        self.setFixedHeight(least + self._model.rowCount() * self.row_height)

    def _update_columns(self) -> None:
        """Show the columns that leave the names readable."""
        px = theme().px
        room = self.width() - px(_MIN_NAME_WIDTH)
        for section in _COLUMNS_BY_PRIORITY:
            width = px(_WIDTHS[section])
            self.setColumnWidth(section, width)
            self.setColumnHidden(section, width > room)
            room -= width
        self._model.set_collapsed(is_folded=self.isColumnHidden(_STATUS_COLUMN))

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
            self.forget_requested.emit(self._model.rows[index.row()].recent)
        else:
            super().keyPressEvent(event)


class RecentPanel(Panel):
    """The table in its panel."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(10, parent=parent)
        self.table = RecentTable()
        column(self.table, margins=1, parent=self)
