"""The table of a file's records, and its model; pages are requested as they scroll into view."""

import dataclasses
from array import array
from bisect import bisect_left
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, is_array, is_object
from batchwright.data_files.checking import Rejection
from batchwright.data_files.profiling import as_text
from batchwright.data_files.rows import ParsedRecord
from batchwright.data_files.views.record_query import (
    MAX_COLUMNS,
    ConditionKind,
    RecordCondition,
    RecordQuery,
    RecordView,
)
from batchwright.schema.model import FieldType, Schema
from batchwright.schema.record_validator import RAW, RecordError
from batchwright.ui.data.labels import EXCLUDED_ICON, TYPE_ICONS, position_heading
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.glyphs import icon
from batchwright.ui.widgets.tables.models import TableModel
from batchwright.ui.widgets.tables.table import CellRole, Table, TextCell, accessible_text
from batchwright.ui.widgets.text import literal

PAGE_SIZE = 64
"""Records per page."""

_MAX_PAGES = 48
"""Pages cached."""

_MAX_CELL_CHARS = 300
"""Characters of a value kept per cell; more are never visible."""

_MAX_CHARS_WITHOUT_TIP = 24
"""Texts of up to this many characters need no tooltip."""


class RowsModel(TableModel):
    """A column with the line numbers, then the columns of the file.

    `page_requested` is emitted for a page with visible rows, repeatedly until `set_page` provides it.
    """

    page_requested = Signal(int)
    file_shown = Signal()
    """Another file is shown."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns: tuple[str, ...] = ()
        self.position_heading = position_heading(counts_lines=True)
        """What the numbers of the records count."""
        self._count = 0
        self._pages: OrderedDict[int, Sequence[ParsedRecord[Json]]] = OrderedDict()
        self._types: Mapping[str, FieldType] = {}
        self._rejections: Mapping[int, Rejection] = {}
        self._view: RecordView | None = None
        self._mended: Mapping[str, array[int]] = {}

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the file."""
        return self._columns

    def type_of(self, column: str) -> FieldType | None:
        """The type of a column in the schema; None if it is left out."""
        return self._types.get(column)

    def show_file(
        self, columns: tuple[str, ...], first: Sequence[ParsedRecord[Json]], *, counts_lines: bool = True
    ) -> None:
        """Show another file, starting with its first records, which are numbered by lines or rows."""
        self.beginResetModel()
        self.position_heading = position_heading(counts_lines=counts_lines)
        self._columns, self._count, self._rejections, self._view = columns, len(first), {}, None
        self._pages.clear()
        if first:
            self._pages[0] = first
        self.endResetModel()
        self.file_shown.emit()

    def show_view(self, view: "RecordView | None") -> None:
        """Show the records of a view, and mark its hits; for None, all in the order of the file."""
        is_same_order = self._order is None and (view is None or view.order is None)
        if is_same_order:
            self._view = view
            self._refresh()
            return
        self.beginResetModel()
        self._view = view
        self._pages.clear()
        self.endResetModel()

    @property
    def _order(self) -> "array[int] | None":
        """The index of the record in each row; None for the order of the file."""
        return None if self._view is None else self._view.order

    def records_of(self, page: int) -> Sequence[int]:
        """The indexes of the records on a page."""
        top = page * PAGE_SIZE
        order = self._order
        return (
            range(top, min(top + PAGE_SIZE, self._count)) if order is None else order[top : top + PAGE_SIZE]
        )

    def record_index(self, row: int) -> int:
        """The index of the record in a row."""
        order = self._order
        return row if order is None else order[row]

    def row_of(self, record: int) -> int | None:
        """The row of a record, by its index; None if the view leaves it out."""
        order = self._order
        if order is None:
            return record
        try:
            return order.index(record)
        except ValueError:
            return None

    def is_hit(self, row: int) -> bool:
        """Whether the search has found something in a row."""
        if self._view is None:
            return False
        at = bisect_left(self._view.hits, row)
        return at < len(self._view.hits) and self._view.hits[at] == row

    def show_count(self, count: int) -> None:
        """Increase the number of records of the file."""
        if count <= self._count:
            return
        if self._order is not None:
            self._count = count
            return
        self.beginInsertRows(QModelIndex(), self._count, count - 1)
        if self._count < PAGE_SIZE:
            self._pages.pop(0, None)
        self._count = count
        self.endInsertRows()

    def set_page(self, page: int, entries: Sequence[ParsedRecord[Json]]) -> None:
        """Store and show the records of a page, unless it has other records by now."""
        if not entries or page * PAGE_SIZE >= self.row_count():
            return
        if self.record_index(page * PAGE_SIZE) != entries[0].record_index:
            return
        self._pages[page] = entries
        while len(self._pages) > _MAX_PAGES:
            self._pages.popitem(last=False)
        top = page * PAGE_SIZE
        last = min(top + len(entries), self.row_count()) - 1
        if last >= top:
            self.dataChanged.emit(self.index(top, 0), self.index(last, self.columnCount() - 1))

    def has_page(self, page: int) -> bool:
        """Whether a page is cached."""
        return page in self._pages

    def show_schema(self, schema: Schema | None) -> None:
        """Show the types of the columns."""
        self._types = {} if schema is None else {key: field.type for key, field in schema.fields.items()}
        if self._columns:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)
        self._refresh()

    def show_mended(self, mended: "Mapping[str, array[int]]") -> None:
        """Mark the cells that were mended: the indexes of their records by column, in ascending order."""
        if mended is not self._mended:
            self._mended = mended
            self._refresh()

    def _is_mended(self, record: int, column: str) -> bool:
        records = self._mended.get(column)
        if records is None:
            return False
        at = bisect_left(records, record)
        return at < len(records) and records[at] == record

    def show_rejections(self, rejections: Mapping[int, Rejection]) -> None:
        """Mark the cells that cause rejections, by the index of the record."""
        if rejections is not self._rejections:
            self._rejections = rejections
            self._refresh()

    def record(self, row: int) -> ParsedRecord[Json] | None:
        """A record; None while its page is being read."""
        page = self._pages.get(row // PAGE_SIZE)
        if page is None:
            self.page_requested.emit(row // PAGE_SIZE)
            return None
        self._pages.move_to_end(row // PAGE_SIZE)
        at = row % PAGE_SIZE
        return page[at] if at < len(page) else None

    def column_of(self, field: str) -> int:
        """The table column of a field; that of the line numbers if it is not a column of the file."""
        return self._columns.index(field) + 1 if field in self._columns else 0

    @override
    def row_count(self) -> int:
        order = self._order
        return self._count if order is None else len(order)

    @override
    def column_count(self) -> int:
        return len(self._columns) + 1 if self._columns else 0

    @override
    def heading(self, column: int, role: int) -> object:
        if column == 0:
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            return self.position_heading if role == Qt.ItemDataRole.DisplayRole else None
        name = self._columns[column - 1]
        if role == Qt.ItemDataRole.DisplayRole:
            return name
        if role == Qt.ItemDataRole.DecorationRole:
            type = self._types.get(name)
            return icon(*(EXCLUDED_ICON if type is None else TYPE_ICONS[type]))
        return None

    @override
    def value(self, row: int, column: int, role: int) -> object:
        if role not in (CellRole.CELL, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        entry = self.record(row)
        if entry is None:
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tooltip(entry, column)
        cell = self._cell(entry, column)
        if column > 0 and self._is_mended(entry.record_index, self._columns[column - 1]):
            if role == Qt.ItemDataRole.DisplayRole:
                return _("{value}, changed").format(value=cell.text)
            cell = dataclasses.replace(cell, marker="accent_text")
        if column == 0 and self.is_hit(row):
            if role == Qt.ItemDataRole.DisplayRole:
                return _("{line}, search hit").format(line=cell.text)
            cell = dataclasses.replace(cell, tone="accent_text", is_name=True)
        return cell if role == CellRole.CELL else accessible_text(cell)

    def value_text(self, row: int, column: int) -> str:
        """The value of a cell as text; empty if it is missing or not read yet."""
        entry = self.record(row)
        if entry is None or column == 0:
            return ""
        value = self._value(entry, column)
        return "" if value is None else as_text(value)

    def _cell(self, entry: ParsedRecord[Json], column: int) -> TextCell:
        error = self._rejections.get(entry.record_index)
        if column == 0:
            has_error = error is not None and (error.field == RAW or error.field not in self._columns)
            return TextCell(str(entry.line), tone="text2", is_number=True, has_error=has_error)
        name = self._columns[column - 1]
        if isinstance(entry.content, RecordError):
            return TextCell(entry.content.reason if column == 1 else "", tone="err")
        value = self._value(entry, column)
        has_error = error is not None and error.field == name
        if value in (None, ""):
            return TextCell(_("empty"), tone="text3", is_missing=True, has_error=has_error)
        type = self._types.get(name)
        return TextCell(_line(value), tone="text" if type is FieldType.TEXT else "text2", has_error=has_error)

    def _tooltip(self, entry: ParsedRecord[Json], column: int) -> str:
        error = self._rejections.get(entry.record_index)
        if error is not None and self.column_of(error.field) == column:
            return error.reason
        if column == 0 or isinstance(entry.content, RecordError):
            return ""
        value = self._value(entry, column)
        text = as_text(value) if value not in (None, "") else ""
        return text if len(text) > _MAX_CHARS_WITHOUT_TIP or "\n" in text else ""

    def _value(self, entry: ParsedRecord[Json], column: int) -> Json:
        """The value of a record in a column, by position: a header may contain a name twice."""
        content = entry.content
        if is_array(content):
            return content[column - 1] if column <= len(content) else None
        return content.get(self._columns[column - 1]) if is_object(content) else None

    def _refresh(self) -> None:
        if self.row_count() and self._columns:
            self.dataChanged.emit(self.index(0, 0), self.index(self.row_count() - 1, self.columnCount() - 1))


def _line(value: Json) -> str:
    """The start of a value, on one line."""
    return _valid_unicode(" ".join(as_text(value)[:_MAX_CELL_CHARS].split()))


def _valid_unicode(text: str) -> str:
    """A text with lone surrogates replaced, which Qt does not accept."""
    return text.encode("utf-8", "replace").decode()


_TEXT = (3.0, 150)
_ADDRESS = (2.6, 130)
_OTHER = (1.5, 96)
"""Share of the width that a column takes, and its minimum width in pixels at 100 %."""

_MAX_WIDTH = 560
_DIGIT, _PADDING = "0", 26


def _shares(total: int, weights: Sequence[float], minimums: Sequence[int]) -> list[int]:
    """Share a width by weight. What some columns need to reach their minimum is taken from the others.

    The shares exceed `total` only if the minimums do.
    """
    widths = list(minimums)
    flexible = set(range(len(weights)))
    while flexible:
        fixed = sum(width for number, width in enumerate(widths) if number not in flexible)
        unit = (total - fixed) / sum(weights[number] for number in flexible)
        too_narrow = {number for number in flexible if int(unit * weights[number]) < minimums[number]}
        if not too_narrow:
            for number in flexible:
                widths[number] = int(unit * weights[number])
            break
        flexible -= too_narrow
    return widths


class RowsTable(Table):
    """Shows a `RowsModel`; the columns share the width until the user resizes one."""

    record_requested = Signal(int)
    """A record, by its row, is to be shown in full."""
    query_requested = Signal(object)
    """Records are to be shown by another `RecordQuery`."""
    counts_requested = Signal(int)
    """The values of a column, counted from zero, are to be counted."""
    edit_requested = Signal(int, int)
    """The value in a row and a column, counted from zero, is to be changed."""
    copy_requested = Signal()
    """The selected rows are to be copied."""
    hidden_changed = Signal()
    """Other columns are hidden."""

    def __init__(self, model: RowsModel, parent: QWidget | None = None) -> None:
        super().__init__(_("Records"), model, parent=parent)
        self._rows = model
        self._is_resizing = False
        self._shares_width = True
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
        head.sectionResized.connect(self._on_section_resized)
        head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        head.customContextMenuRequested.connect(self._open_heading_menu)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)
        self.doubleClicked.connect(self._on_activated)
        model.file_shown.connect(self._reset_columns)
        model.headerDataChanged.connect(self._share_width)
        model.rowsInserted.connect(self._share_width)
        theme().on_changed(self._reset_widths)

    def go_to(self, row: int, field: str = "") -> None:
        """Scroll a row to the centre, and select the cell of a field."""
        index = self._rows.index(row, self._rows.column_of(field))
        self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def show_query(self, query: RecordQuery) -> None:
        """Show by which column the records are sorted, and which conditions the menus add to."""
        self._query = query
        head = self.horizontalHeader()
        head.setSortIndicatorShown(query.sorted_by is not None)
        order = Qt.SortOrder.DescendingOrder if query.is_descending else Qt.SortOrder.AscendingOrder
        head.setSortIndicator(-1 if query.sorted_by is None else query.sorted_by + 1, order)

    @property
    def hidden_columns(self) -> list[int]:
        """The hidden columns of the file, counted from zero."""
        head = self.horizontalHeader()
        if not head.hiddenSectionCount():
            return []
        return [at for at in range(len(self._rows.columns)) if head.isSectionHidden(at + 1)]

    @property
    def shown_columns(self) -> list[int]:
        """The columns of the file that are shown, counted from zero, in the order in which they are shown."""
        head = self.horizontalHeader()
        sections = (head.logicalIndex(place) for place in range(head.count()))
        return [section - 1 for section in sections if section and not head.isSectionHidden(section)]

    def show_column(self, column: int, *, is_shown: bool) -> None:
        """Show or hide a column of the file, counted from zero; all are shown for -1."""
        for at in self.hidden_columns if column < 0 else [column]:
            self.setColumnHidden(at + 1, not is_shown)
        self._share_width()
        self.hidden_changed.emit()

    def selected_rows(self) -> list[range]:
        """The selected rows in ascending order."""
        selection = self.selectionModel().selection()
        parts = map(selection.at, range(selection.count()))
        ranges = (range(part.top(), part.bottom() + 1) for part in parts)
        return sorted(set(ranges), key=lambda rows: rows.start)

    def _on_heading_clicked(self, section: int) -> None:
        """Sort by a column in ascending order, then in descending order, then as in the file."""
        column, query = section - 1, self._query
        if section == 0 or (column == query.sorted_by and query.is_descending):
            self._sort(None)
        else:
            self._sort(column, is_descending=column == query.sorted_by)

    def _sort(self, column: int | None, *, is_descending: bool = False) -> None:
        if column is not None and column >= MAX_COLUMNS:
            column = self._query.sorted_by
        query = dataclasses.replace(self._query, sorted_by=column, is_descending=is_descending)
        self.show_query(self._query)  # Qt has moved the indicator already
        self.query_requested.emit(query)

    def _open_heading_menu(self, at: QPoint) -> None:
        head = self.horizontalHeader()
        section = head.logicalIndexAt(at)
        if section > 0:
            menu = self._menu()
            self._add_column_actions(menu, section - 1)
            menu.popup(head.viewport().mapToGlobal(at))

    def _open_menu(self, at: QPoint) -> None:
        index = self.currentIndex()
        if not index.isValid():
            return
        menu = self._menu()
        shown = menu.addAction(icon("eye"), _("Show the record") + "\t" + _("Enter"))
        shown.triggered.connect(lambda: self.record_requested.emit(index.row()))
        menu.addAction(icon("copy"), _("Copy as table") + "\tCtrl+C").triggered.connect(self.copy_requested)
        if index.column() > 0:
            mend = menu.addAction(icon("pencil-simple"), _("Change the value…") + "\tF2")
            mend.triggered.connect(lambda: self.edit_requested.emit(index.row(), index.column() - 1))
            menu.addSeparator()
            self._add_cell_actions(menu, index)
            self._add_column_actions(menu, index.column() - 1)
        menu.popup(self.viewport().mapToGlobal(at))

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu

    def _add_cell_actions(self, menu: QMenu, index: QModelIndex) -> None:
        """Add a filter for the value of a cell."""
        column, value = index.column() - 1, self._rows.value_text(index.row(), index.column())
        if column < MAX_COLUMNS and value:
            condition = RecordCondition(ConditionKind.EQUAL, column, value)
            text = _("Only records with this value")
            menu.addAction(icon("funnel-simple"), text).triggered.connect(lambda: self._filter(condition))

    def _add_column_actions(self, menu: QMenu, column: int) -> None:
        """Add what can be done with a column: sort, filter, count its values, hide it."""
        name = self._rows.columns[column]
        if column < MAX_COLUMNS:
            for template, is_descending in (
                (_("Sort by “{column}”, ascending"), False),
                (_("Sort by “{column}”, descending"), True),
            ):
                action = menu.addAction(literal(template.format(column=name)))
                action.triggered.connect(
                    lambda _on=False, down=is_descending: self._sort(column, is_descending=down)
                )
            if self._query.sorted_by is not None:
                menu.addAction(_("Order of the file")).triggered.connect(lambda: self._sort(None))
            menu.addSeparator()
            for text, condition in (
                (_("Only empty values"), RecordCondition(ConditionKind.EMPTY, column)),
                (_("Only values that occur more than once"), RecordCondition(ConditionKind.REPEATED, column)),
                (_("Only records equal to another one"), RecordCondition(ConditionKind.REPEATED, None)),
            ):
                menu.addAction(text).triggered.connect(
                    lambda _on=False, chosen=condition: self._filter(chosen)
                )
            menu.addSeparator()
            count = menu.addAction(icon("list-numbers"), _("Count the values of this column…"))
            count.triggered.connect(lambda: self.counts_requested.emit(column))
        hide = menu.addAction(icon("eye-slash"), literal(_("Hide “{column}”").format(column=name)))
        hide.setEnabled(len(self.hidden_columns) + 1 < len(self._rows.columns))
        hide.triggered.connect(lambda: self.show_column(column, is_shown=False))

    def _filter(self, condition: RecordCondition) -> None:
        self.query_requested.emit(self._query.with_condition(condition))

    def _on_activated(self, index: QModelIndex) -> None:
        if index.isValid():
            self.record_requested.emit(index.row())

    def _reset_columns(self) -> None:
        """Show all columns of another file, in its order."""
        head = self.horizontalHeader()
        for column in self.hidden_columns:
            self.setColumnHidden(column + 1, False)
        if head.sectionsMoved():
            for section in range(head.count()):
                head.moveSection(head.visualIndex(section), section)
        self.hidden_changed.emit()
        self._reset_widths()

    def _reset_widths(self) -> None:
        self._shares_width = True
        self._share_width()

    def _share_width(self, *_args: object) -> None:
        """Give each column its share of the width, but at least its minimum."""
        columns = self._rows.columns
        if not columns or not self._shares_width:
            return
        px = theme().px
        first = px(_PADDING) + max(self._number_width(), self._heading_width(self._rows.position_heading))
        head = self.horizontalHeader()
        shown = [at for at in range(len(columns)) if not head.isSectionHidden(at + 1)]
        weights, minimums = zip(*(self._width_of(columns[at]) for at in shown), strict=True)
        widths = _shares(self.viewport().width() - first, weights, [px(minimum) for minimum in minimums])
        widths = [min(width, px(_MAX_WIDTH)) for width in widths]
        self._is_resizing = True
        # Qt needs 50 microseconds for a column that is resized by itself, and nothing for the default width.
        head.setDefaultSectionSize(Counter(widths).most_common(1)[0][0])
        self.setColumnWidth(0, first)
        for at, width in zip(shown, widths, strict=True):
            self.setColumnWidth(at + 1, width)
        self._is_resizing = False

    def _width_of(self, column: str) -> tuple[float, int]:
        type = self._rows.type_of(column)
        if type is FieldType.TEXT:
            return _TEXT
        return _OTHER if type in (None, FieldType.METADATA, FieldType.TASK_GROUP_ID) else _ADDRESS

    def _number_width(self) -> int:
        metrics = self.fontMetrics()
        return metrics.horizontalAdvance(_DIGIT) * len(str(2 * self._rows.rowCount() + 100))

    def _heading_width(self, text: str) -> int:
        self.ensurePolished()
        return theme().font(TextRole.HEAD).pixelSize() * len(text) * 2 // 3

    def _on_section_resized(self) -> None:
        """Keep the widths from now on if the user has resized a section, and not the window."""
        is_dragged = QApplication.mouseButtons() != Qt.MouseButton.NoButton and self.underMouse()
        if not self._is_resizing and is_dragged:
            self._shares_width = False

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
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
            return
        super().keyPressEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(640), theme().px(360))
