"""The menus of the records table: of a heading, and of a cell."""

from enum import Enum, auto

from PySide6.QtCore import QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu

from batchwright.base.i18n import _
from batchwright.data_files.views.record_query import (
    MAX_COLUMNS,
    ConditionKind,
    RecordCondition,
    RecordQuery,
)
from batchwright.ui.data.records.column_arrangement import ColumnArrangement
from batchwright.ui.data.records.records_columns import RecordColumns
from batchwright.ui.data.records.records_model import RowsModel
from batchwright.ui.theme.glyphs import icon
from batchwright.ui.theme.tips import shortcut_text
from batchwright.ui.widgets.tables.table import Table
from batchwright.ui.widgets.text import literal


class ColumnChange(Enum):
    """What can be changed of a column beside the file."""

    RENAME = auto()
    READ = auto()
    """Its values are read in another type."""
    SPLIT = auto()
    JOIN = auto()
    FILL = auto()
    ADD = auto()
    """Another column is added, which is filled from others."""
    LEAVE_OUT = auto()


class RecordMenus(QObject):
    """Opens the menus; signals say what was chosen, with rows and columns of the file counted from zero."""

    record_requested = Signal(int)
    query_requested = Signal(object)
    counts_requested = Signal(int)
    edit_requested = Signal(int, int)
    column_change_requested = Signal(object, int)
    copy_requested = Signal()
    filter_requested = Signal(int)
    """The field for a text that values in a column contain is to be opened."""

    def __init__(self, table: Table, model: RowsModel, columns: RecordColumns) -> None:
        super().__init__(table)
        self._table, self._model, self._columns = table, model, columns
        self.query = RecordQuery()
        """The query that conditions are added to."""
        head = table.horizontalHeader()
        head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        head.customContextMenuRequested.connect(self._open_of_heading)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._open_of_cell)

    def _open_of_heading(self, at: QPoint) -> None:
        head = self._table.horizontalHeader()
        section = head.logicalIndexAt(at)
        if section > 0:
            menu = self._menu()
            self._add_column_actions(menu, section - 1)
            menu.popup(head.viewport().mapToGlobal(at))

    def _open_of_cell(self, at: QPoint) -> None:
        index = self._table.currentIndex()
        if not index.isValid():
            return
        menu = self._menu()
        shown = menu.addAction(icon("eye"), _("Show the record") + "\t" + _("Enter"))
        shown.triggered.connect(lambda: self.record_requested.emit(index.row()))
        copied = menu.addAction(icon("copy"), _("Copy as table") + "\t" + shortcut_text("Ctrl+C"))
        copied.triggered.connect(self.copy_requested)
        if index.column() > 0:
            edit = menu.addAction(icon("pencil-simple"), _("Change the value…") + "\tF2")
            edit.triggered.connect(lambda: self.edit_requested.emit(index.row(), index.column() - 1))
            menu.addSeparator()
            self._add_cell_actions(menu, index)
            self._add_column_actions(menu, index.column() - 1)
        cell = self._table.visualRect(index)  # elsewhere, a key has opened the menu
        place = at if cell.contains(at) else cell.bottomLeft()
        menu.popup(self._table.viewport().mapToGlobal(place))

    def _menu(self) -> QMenu:
        menu = QMenu(self._table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu

    def _add_cell_actions(self, menu: QMenu, index: QModelIndex) -> None:
        """Add a filter for the value of a cell."""
        column, value = index.column() - 1, self._model.value_text(index.row(), index.column())
        if column < MAX_COLUMNS and value:
            condition = RecordCondition(ConditionKind.EQUAL, column, value)
            text = _("Only records with this value")
            menu.addAction(icon("funnel-simple"), text).triggered.connect(lambda: self._filter(condition))

    def _add_column_actions(self, menu: QMenu, column: int) -> None:
        """Add what can be done with a column: sort, filter, count its values, hide and arrange it."""
        name = self._model.columns[column]
        if column < MAX_COLUMNS:
            self._add_orders(menu, column)
            menu.addSeparator()
            self._add_filters(menu, column)
            menu.addSeparator()
            count = menu.addAction(icon("list-numbers"), _("Count the values of this column…"))
            count.triggered.connect(lambda: self.counts_requested.emit(column))
        self._add_changes(menu.addMenu(icon("pencil-simple"), _("Change the column")), column)
        hide = menu.addAction(icon("eye-slash"), literal(_("Hide “{column}”").format(column=name)))
        hide.setEnabled(self._columns.can_hide)
        hide.triggered.connect(lambda: self._columns.hide(column))
        self._add_arrangement(menu.addMenu(icon("columns"), _("Arrange the columns")), column)

    def _add_orders(self, menu: QMenu, column: int) -> None:
        for template, is_descending in (
            (_("Sort by “{column}”, ascending"), False),
            (_("Sort by “{column}”, descending"), True),
        ):
            action = menu.addAction(literal(template.format(column=self._model.columns[column])))
            query = self.query.with_order(column, is_descending=is_descending)
            action.triggered.connect(lambda _on=False, chosen=query: self.query_requested.emit(chosen))
        if self.query.sorted_by is not None:
            in_file_order = self.query.with_order(None)
            action = menu.addAction(_("Order of the file"))
            action.triggered.connect(lambda: self.query_requested.emit(in_file_order))

    def _add_changes(self, menu: QMenu, column: int) -> None:
        for text, change in (
            (_("Rename…"), ColumnChange.RENAME),
            (_("Read in another type…"), ColumnChange.READ),
            (_("Split…"), ColumnChange.SPLIT),
            (_("Join with other columns…"), ColumnChange.JOIN),
            (_("Fill from a text…"), ColumnChange.FILL),
            (_("Add a column…"), ColumnChange.ADD),
            (_("Leave out"), ColumnChange.LEAVE_OUT),
        ):
            action = menu.addAction(text)
            action.setEnabled(change is not ColumnChange.LEAVE_OUT or len(self._model.columns) > 1)
            action.triggered.connect(
                lambda _on=False, chosen=change: self.column_change_requested.emit(chosen, column)
            )

    def _add_arrangement(self, menu: QMenu, column: int) -> None:
        columns = self._columns
        for text, step in ((_("Move to the left"), -1), (_("Move to the right"), 1)):
            move = menu.addAction(text)
            move.setEnabled(columns.can_move(column, step))
            move.triggered.connect(lambda _on=False, step=step: columns.move(column, step))
        menu.addAction(_("Fit the width to the values")).triggered.connect(lambda: columns.fit(column))
        menu.addSeparator()
        default = menu.addAction(_("As in the file"))
        default.setEnabled(columns.arrangement != ColumnArrangement())
        default.triggered.connect(columns.reset)

    def _add_filters(self, menu: QMenu, column: int) -> None:
        contains = menu.addAction(icon("funnel-simple"), _("Only values that contain…") + "\tAlt+↓")
        contains.triggered.connect(lambda: self.filter_requested.emit(column))
        for text, condition in (
            (_("Only empty values"), RecordCondition(ConditionKind.EMPTY, column)),
            (_("Only values that occur more than once"), RecordCondition(ConditionKind.REPEATED, column)),
            (_("Only records equal to another one"), RecordCondition(ConditionKind.REPEATED, None)),
        ):
            menu.addAction(text).triggered.connect(lambda _on=False, chosen=condition: self._filter(chosen))

    def _filter(self, condition: RecordCondition) -> None:
        self.query_requested.emit(self.query.with_condition(condition))
