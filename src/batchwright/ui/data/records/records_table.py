"""The table of a file's records: it sorts by its headings, and is operated by mouse and keyboard."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.data_files.views.record_query import MAX_COLUMNS, RecordQuery
from batchwright.ui.data.records.heading_filter import HeadingFilter
from batchwright.ui.data.records.records_columns import RecordColumns
from batchwright.ui.data.records.records_menus import RecordMenus
from batchwright.ui.data.records.records_model import RowsModel
from batchwright.ui.theme import theme
from batchwright.ui.widgets.tables.table import Table


class RowsTable(Table):
    """Shows a `RowsModel`."""

    record_requested = Signal(int)
    """A record, by its row, is to be shown in full."""
    query_requested = Signal(object)
    """Records are to be shown by another `RecordQuery`."""
    counts_requested = Signal(int)
    """The values of a column, counted from zero, are to be counted."""
    edit_requested = Signal(int, int)
    """The value in a row and a column, counted from zero, is to be changed."""
    column_change_requested = Signal(object, int)
    """A `ColumnChange` of a column, counted from zero, is to be made."""
    copy_requested = Signal()
    """The selected rows are to be copied."""

    def __init__(self, model: RowsModel, parent: QWidget | None = None) -> None:
        super().__init__(_("Records"), model, parent=parent)
        self._rows = model
        self._query = RecordQuery()
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        head = self.horizontalHeader()
        head.setStretchLastSection(True)
        head.setSectionsClickable(True)
        head.setSectionsMovable(True)
        head.setFirstSectionMovable(False)
        head.setMinimumSectionSize(theme().px(48))
        # With that of the table, each heading asks for every row whether it is selected, if the first one is.
        head.setSelectionModel(QItemSelectionModel(model, self))
        head.sectionClicked.connect(self._on_heading_clicked)
        self.doubleClicked.connect(self._on_activated)
        self.columns = RecordColumns(self, model)
        self._menus = RecordMenus(self, model, self.columns)
        self._menus.record_requested.connect(self.record_requested)
        self._menus.query_requested.connect(self.query_requested)
        self._menus.counts_requested.connect(self.counts_requested)
        self._menus.edit_requested.connect(self.edit_requested)
        self._menus.column_change_requested.connect(self.column_change_requested)
        self._menus.copy_requested.connect(self.copy_requested)
        self._menus.filter_requested.connect(self._open_filter)
        self.filter = HeadingFilter(self)
        self.filter.query_requested.connect(self.query_requested)

    def go_to(self, row: int, field: str = "") -> None:
        """Scroll a row to the centre, and select the cell of a field."""
        index = self._rows.index(row, self._rows.column_of(field))
        self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def show_query(self, query: RecordQuery) -> None:
        """Show by which column the records are sorted, and which conditions the menus add to."""
        self._query = self._menus.query = self.filter.query = query
        head = self.horizontalHeader()
        head.setSortIndicatorShown(query.sorted_by is not None)
        order = Qt.SortOrder.DescendingOrder if query.is_descending else Qt.SortOrder.AscendingOrder
        head.setSortIndicator(-1 if query.sorted_by is None else query.sorted_by + 1, order)

    def selected_rows(self) -> list[range]:
        """The selected rows in ascending order."""
        selection = self.selectionModel().selection()
        parts = map(selection.at, range(selection.count()))
        ranges = (range(part.top(), part.bottom() + 1) for part in parts)
        return sorted(set(ranges), key=lambda rows: rows.start)

    def _on_heading_clicked(self, section: int) -> None:
        """Sort by a column in ascending order, then in descending order, then as in the file."""
        column, query = section - 1, self._query
        self.show_query(query)  # Qt has moved the indicator already
        if column >= MAX_COLUMNS:
            return
        if section == 0 or (column == query.sorted_by and query.is_descending):
            self.query_requested.emit(query.with_order(None))
        else:
            is_descending = column == query.sorted_by
            self.query_requested.emit(query.with_order(column, is_descending=is_descending))

    def _open_filter(self, column: int) -> None:
        self.filter.open_at(column, self._rows.columns[column])

    def _on_activated(self, index: QModelIndex) -> None:
        if index.isValid():
            self.record_requested.emit(index.row())

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the current row when the focus arrives by keyboard, so that it is visible."""
        super().focusInEvent(event)
        by_mouse = event.reason() is Qt.FocusReason.MouseFocusReason
        if not by_mouse and not self.selectionModel().hasSelection() and self.currentIndex().isValid():
            self.selectRow(self.currentIndex().row())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._on_activated(self.currentIndex())
            return
        if event.key() == Qt.Key.Key_F2 and self.currentIndex().column() > 0:
            self.edit_requested.emit(self.currentIndex().row(), self.currentIndex().column() - 1)
            return
        is_filter = event.key() == Qt.Key.Key_Down and event.modifiers() & Qt.KeyboardModifier.AltModifier
        if is_filter and 0 < self.currentIndex().column() <= MAX_COLUMNS:
            self._open_filter(self.currentIndex().column() - 1)
            return
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
            return
        super().keyPressEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.columns.share_width()

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(640), theme().px(360))
