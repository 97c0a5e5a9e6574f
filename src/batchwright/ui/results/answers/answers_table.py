"""The table of the answer grid: sorting by heading, several selected rows, widths of columns, and keys."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu
from typing_extensions import override

from batchwright.analysis.store.answer_query import AnswerRow, Column
from batchwright.analysis.store.answer_store import AnswerRows
from batchwright.base.i18n import _
from batchwright.ui.results.answers.answer_columns import ANSWER, GridColumn
from batchwright.ui.results.answers.answers_model import BLOCK_SIZE, AnswersModel
from batchwright.ui.theme import theme
from batchwright.ui.widgets.tables.table import Table
from batchwright.ui.widgets.text import literal

_MIN_ANSWER_WIDTH = 160
_WIDE, _MIN_WIDTH = 160, 100
"""Columns that are at least this wide become narrower, down to a minimum, before the table scrolls."""
_MAX_RANGES = 1_000
"""Maximum number of ranges of rows that stay selected when other rows are shown; of more, none does."""


@dataclass(frozen=True)
class _Place:
    """The selected rows, the current one, the one at the top, and how far that is scrolled, in pixels."""

    selected: tuple[range, ...]
    current: int
    top: int
    offset: int


class AnswersTable(Table):
    """Shows an `AnswersModel`; the answer takes the width that the other columns leave."""

    order_requested = Signal(object, bool)
    """Rows are to be sorted; the arguments are the `Column` and whether in descending order."""
    copy_requested = Signal(bool)
    """The selected rows are to be copied; the argument is whether with the headings."""
    selection_changed = Signal()
    """The user has selected other rows."""
    menu_opening = Signal(object)
    """A context menu is about to open; the argument is the `QMenu`, to which more can be added."""

    def __init__(self, model: AnswersModel) -> None:
        super().__init__(_("Answers"), model, radius=9)
        self._rows = model
        self._latest: AnswerRows | None = None
        """The rows that were to be shown last."""
        self._widths: dict[str, int] = {}
        """Widths that the user has set, by the id of the column."""
        self._is_resizing = self._is_restoring = False
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        head = self.horizontalHeader()
        head.setStretchLastSection(False)
        head.setSectionsClickable(True)
        head.setSortIndicatorShown(True)
        head.setMinimumSectionSize(theme().px(48))
        # With that of the table, each heading asks for every row whether it is selected, if the first one is.
        head.setSelectionModel(QItemSelectionModel(model, self))
        head.sectionClicked.connect(self._on_heading_clicked)
        head.sectionResized.connect(self._on_section_resized)
        model.modelReset.connect(self._update_columns)
        model.cells_changed.connect(self.viewport().update)
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)
        theme().on_changed(self._update_columns)

    def show_order(self, column: Column, *, is_descending: bool) -> None:
        """Show by which column the rows are sorted; none if it is not shown."""
        self._rows.show_order(column, is_descending=is_descending)
        self._show_indicator()

    def selected_ranges(self) -> list[range]:
        """The selected rows in ascending order."""
        selection = self.selectionModel().selection()
        parts = map(selection.at, range(selection.count()))
        ranges = (range(part.top(), part.bottom() + 1) for part in parts)
        return sorted(set(ranges), key=lambda rows: rows.start)

    def selected_row(self) -> int | None:
        """The current row if it is selected, otherwise the first selected one.

        A row with only the keyboard focus does not count.
        """
        ranges = self.selected_ranges()
        current = self.currentIndex().row()
        if any(current in part for part in ranges):
            return current
        return ranges[0].start if ranges else None

    def show_columns(self, columns: tuple[GridColumn, ...]) -> None:
        """Show other columns; selection and scroll position stay."""
        if columns != self._rows.columns:
            selected, current = self.selected_ranges(), self.currentIndex().row()
            scroll = self.verticalScrollBar().value()
            self._rows.show_columns(columns)
            self._restore(selected, current, scroll)

    def clear_rows(self) -> None:
        """Show no rows."""
        self._latest = None
        self._rows.show_rows(None)
        self.clearSelection()

    async def show_rows(self, rows: AnswerRows) -> bool:
        """Show other rows; answers that were visible or selected are so again, as far as they are among them.

        Those of another query are shown from the first one. False if others are to be shown meanwhile.
        """
        self._latest, before = rows, self._rows.rows
        can_stay = before is not None and before.query == rows.query

        def read(place: _Place) -> tuple[list[range], dict[int, int], int, Sequence[AnswerRow]]:
            places = (index for index in (place.current, place.top) if index >= 0)
            moved = {} if before is None else before.indexes_in(rows, places)
            selected = [] if before is None else before.ranges_in(rows, place.selected)
            first = moved.get(place.top, 0) // BLOCK_SIZE * BLOCK_SIZE
            return selected, moved, first, rows.rows(first, 2 * BLOCK_SIZE)

        read_for: _Place | None = None
        while read_for != (place := self._place(can_stay=can_stay)):  # the user selects or scrolls meanwhile
            selected, moved, first, blocks = await asyncio.to_thread(read, place)
            read_for = place
            if rows is not self._latest:
                return False
        self._rows.show_rows(rows, first, blocks)
        scroll = moved.get(place.top, 0) * self.row_height + place.offset
        self._restore(selected, moved.get(place.current, -1), scroll)
        return True

    def _place(self, *, can_stay: bool) -> "_Place":
        scroll = self.verticalScrollBar().value()
        top, offset = divmod(scroll, self.row_height) if can_stay and scroll > 0 else (-1, 0)
        return _Place(tuple(self.selected_ranges()), self.currentIndex().row(), top, offset)

    def _restore(self, rows: Sequence[range], current: int, scroll: int) -> None:
        """Select rows, make one the current one unless it is negative, and scroll; without a signal."""
        selection, last = QItemSelection(), self._rows.columnCount() - 1
        for part in rows if len(rows) <= _MAX_RANGES else ():
            selection.select(self._rows.index(part.start, 0), self._rows.index(part.stop - 1, last))
        flags = QItemSelectionModel.SelectionFlag
        self._is_restoring = True
        self.setAutoScroll(False)
        if current >= 0:
            self.selectionModel().setCurrentIndex(self._rows.index(current, 0), flags.NoUpdate)
        self.selectionModel().select(selection, flags.ClearAndSelect)
        self.setAutoScroll(True)
        self._is_restoring = False
        self.executeDelayedItemsLayout()
        self.verticalScrollBar().setValue(scroll)

    def _on_selection_changed(self) -> None:
        if not self._is_restoring:
            self.selection_changed.emit()

    def _show_indicator(self) -> None:
        order = Qt.SortOrder.DescendingOrder if self._rows.is_descending else Qt.SortOrder.AscendingOrder
        self.horizontalHeader().setSortIndicator(self._section_of(self._rows.sorted_by), order)

    def _section_of(self, column: Column | None) -> int:
        columns = [shown.order for shown in self._rows.columns]
        return columns.index(column) if column is not None and column in columns else -1

    def _on_heading_clicked(self, section: int) -> None:
        column = self._rows.columns[section].order
        self.order_requested.emit(column, column == self._rows.sorted_by and not self._rows.is_descending)
        # Qt has moved the indicator already; it shows the order that was requested, or the one there is.
        self._show_indicator()

    def _update_columns(self) -> None:
        """Set the widths of all columns, and the place of the sort indicator."""
        columns = self._rows.columns
        self._is_resizing = True
        for section, width in enumerate(self._column_widths(columns)):
            self.horizontalHeader().setSectionResizeMode(section, QHeaderView.ResizeMode.Interactive)
            self.setColumnWidth(section, width)
        self._is_resizing = False
        self._show_indicator()

    def _column_widths(self, columns: Sequence[GridColumn]) -> list[int]:
        px = theme().px
        head = self.horizontalHeader()
        widths = {
            column.id: max(px(self._widths.get(column.id, column.width)), head.sectionSizeHint(section))
            for section, column in enumerate(columns)
        }
        rest = ANSWER.id if ANSWER.id in widths else next(reversed(widths), None)
        if rest is not None and rest not in self._widths:
            least = min(widths[rest], px(_MIN_ANSWER_WIDTH))
            missing = sum(widths.values()) - widths[rest] + least - self.viewport().width()
            wide = [
                id for id, width in widths.items() if width >= px(_WIDE) and id not in (rest, *self._widths)
            ]
            for id in wide:  # each gives up the same, down to a minimum
                widths[id] = max(px(_MIN_WIDTH), widths[id] - max(0, missing) // len(wide))
            others = sum(width for id, width in widths.items() if id != rest)
            widths[rest] = max(least, self.viewport().width() - others)
        return list(widths.values())

    def _on_section_resized(self, section: int, _before: int, width: int) -> None:
        if not self._is_resizing and section < len(self._rows.columns):
            self._widths[self._rows.columns[section].id] = round(width / theme().px(100) * 100)

    def _open_menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.menu_opening.emit(menu)
        self._add_orders(menu)
        menu.popup(self.viewport().mapToGlobal(at))

    def _add_orders(self, menu: QMenu) -> None:
        """Add the two orders of the current column."""
        section = max(0, self.currentIndex().column())
        if section >= len(self._rows.columns):
            return
        column = self._rows.columns[section]
        menu.addSeparator()
        for template, is_descending in (
            (_("Sort by {column}, ascending"), False),
            (_("Sort by {column}, descending"), True),
        ):
            text = literal(template.format(column=column.title))
            menu.addAction(text).triggered.connect(
                lambda _checked=False, order=is_descending: self.order_requested.emit(column.order, order)
            )

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit(False)
            return
        super().keyPressEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_columns()
