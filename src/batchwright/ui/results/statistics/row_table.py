"""Tables of results: rows of any type with columns that format and sort them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget
from typing_extensions import override

from batchwright.ui.theme import theme
from batchwright.ui.widgets.tables.table import CellModel, FittedTable, TextCell

T = TypeVar("T")

_MIN_COLUMN = 70
_MAX_COMPARED = 1000
"""Maximum number of rows that are compared; more are taken as different ones."""


@dataclass(frozen=True)
class RowColumn(Generic[T]):
    """A column: its title, and the text and the sort key of a row.

    `width` is in pixels at 100 %; a column without one gets the remaining space.
    """

    title: str
    text: Callable[[T], str]
    key: Callable[[T], Any]
    width: int = 0
    is_number: bool = False
    is_name: bool = False
    tooltip: Callable[[T], str] | None = None


class RowModel(CellModel, Generic[T]):
    """The rows of a table, sorted by a column or in their original order."""

    def __init__(self, columns: Sequence[RowColumn[T]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self._original: tuple[T, ...] = ()
        self._rows: Sequence[T] = ()
        self._basis: object = None
        """What the texts depend on besides the rows."""
        self._sorting: tuple[int, Qt.SortOrder] | None = None

    def show_rows(self, rows: Sequence[T], basis: object = None) -> None:
        """Show other rows, or the same ones on another basis; the order stays.

        Args:
            rows: the rows.
            basis: what the texts depend on besides the rows.
        """
        is_same = rows is self._original or (len(rows) <= _MAX_COMPARED and tuple(rows) == self._original)
        if not is_same or basis is not self._basis:
            self.beginResetModel()
            self._original, self._basis = tuple(rows), basis
            self._apply_order()
            self.endResetModel()

    def row(self, number: int) -> T | None:
        """The row at a place; None if there is none."""
        return self._rows[number] if 0 <= number < len(self._rows) else None

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.beginResetModel()
        self._sorting = (column, order) if 0 <= column < len(self.columns) else None
        self._apply_order()
        self.endResetModel()

    @override
    def headings(self) -> Sequence[str]:
        return [column.title for column in self.columns]

    @override
    def row_count(self) -> int:
        return len(self._rows)

    @override
    def heading(self, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole and self.columns[column].is_number:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return super().heading(column, role)

    @override
    def cell(self, row: int, column: int) -> TextCell:
        shown = self.columns[column]
        text = " ".join(shown.text(self._rows[row]).split())
        return TextCell(text or "–", is_number=shown.is_number, is_name=shown.is_name)

    @override
    def tooltip(self, row: int, column: int) -> str | None:
        tooltip = self.columns[column].tooltip
        return None if tooltip is None else tooltip(self._rows[row])

    def _apply_order(self) -> None:
        if self._sorting is None:
            self._rows = self._original
            return
        number, order = self._sorting
        is_descending = order is Qt.SortOrder.DescendingOrder
        key = self.columns[number].key
        keyed = [(key(row), row) for row in self._original]
        with_value = [pair for pair in keyed if pair[0] == pair[0]]  # NaN is not equal to itself
        without_value = [row for value, row in keyed if value != value]
        with_value.sort(key=lambda pair: pair[0], reverse=is_descending)
        self._rows = [*(row for _value, row in with_value), *without_value]


class RowTable(FittedTable, Generic[T]):
    """A table of results. Return, Enter or a double click activates a row, or one click if that is wanted."""

    row_activated = Signal(object)

    def __init__(
        self,
        name: str,
        columns: Sequence[RowColumn[T]],
        *,
        max_rows: int = 12,
        parent: QWidget | None = None,
    ) -> None:
        self.rows: RowModel[T] = RowModel(columns)
        self._is_sharing = False
        """Whether the program changes the widths of columns."""
        super().__init__(name, self.rows, width=420, min_rows=1, max_rows=max_rows)
        self.rows.setParent(self)
        head = self.horizontalHeader()
        head.setStretchLastSection(False)
        head.setSortIndicatorShown(True)
        head.setSortIndicatorClearable(True)
        head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.horizontalScrollBar().rangeChanged.connect(self.updateGeometry)
        self.activated.connect(self._on_activated)
        head.sectionResized.connect(self._share_space)
        theme().on_changed(self._update_widths)
        self._update_widths()

    def activate_on_click(self, meaning: str) -> None:
        """Activate a row with one click; the tooltip of the table says what that does."""
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(meaning)
        self.setAccessibleDescription(meaning)
        self.clicked.connect(self._on_activated)

    @override
    def sizeHint(self) -> QSize:
        bar = self.horizontalScrollBar()
        return super().sizeHint() + QSize(0, bar.sizeHint().height() if bar.maximum() else 0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_space()

    def show_rows(self, rows: Sequence[T], basis: object = None) -> None:
        """Show other rows, or the same ones on another basis; see `RowModel.show_rows`."""
        selected = self.selected
        self.rows.show_rows(rows, basis)
        self.updateGeometry()
        if selected is not None:
            self.select(selected)

    @property
    def selected(self) -> T | None:
        """The selected row."""
        index = self.currentIndex()
        return self.rows.row(index.row()) if index.isValid() else None

    def select(self, row: T) -> None:
        """Select a row, if it exists."""
        for number in range(self.rows.row_count()):
            if self.rows.row(number) == row:
                self.selectRow(number)
                break

    def _update_widths(self) -> None:
        head = self.horizontalHeader()
        head.setMinimumSectionSize(theme().px(_MIN_COLUMN))
        for number, column in enumerate(self.rows.columns):
            if column.width:
                self.set_column_width(number, column.width)
            else:
                head.setSectionResizeMode(number, QHeaderView.ResizeMode.Fixed)
        self._share_space()

    def _share_space(self) -> None:
        """Give the columns without a width the remaining space, but not less than their headings need."""
        if self._is_sharing:
            return
        head = self.horizontalHeader()
        shown = [number for number in range(head.count()) if not head.isSectionHidden(number)]
        sharing = [number for number in shown if not self.rows.columns[number].width]
        space = self.viewport().width() - sum(map(head.sectionSize, set(shown) - set(sharing)))
        self._is_sharing = True
        for place, number in enumerate(sorted(sharing, key=head.sectionSizeHint, reverse=True)):
            width = max(space // (len(sharing) - place), head.sectionSizeHint(number))
            head.resizeSection(number, width)
            space -= width
        self._is_sharing = False

    def _on_activated(self) -> None:
        row = self.selected
        if row is not None:
            self.row_activated.emit(row)
