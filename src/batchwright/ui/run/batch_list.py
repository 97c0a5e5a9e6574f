"""The list of the batches of the workspace, in a chosen order, with that of the study first."""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum

from PySide6.QtCore import (
    QModelIndex,
    QRect,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction, QActionGroup, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QMenu,
    QStackedWidget,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from batchwright.base.i18n import N_, _, ngettext
from batchwright.ui.core.formatting import number
from batchwright.ui.run.labels import batch_size_text
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import ButtonSize, IconButton
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.models import CellDelegate, Index, TableModel
from batchwright.ui.widgets.placeholders import EmptyState, LoadingState
from batchwright.ui.widgets.statuses import BATCH, Status, paint_pill, pill_size, status_of
from batchwright.ui.widgets.surfaces import Surface
from batchwright.ui.widgets.text import Label
from batchwright.wire.batches import Batch, BatchStatus


class SortOrder(Enum):
    """The order of the list."""

    NEWEST = N_("Newest first")
    NAME = N_("By name")
    STATUS = N_("By status")
    TASKS = N_("Most tasks first")


_STATUSES = (BatchStatus.PROCESSING, BatchStatus.ERROR, BatchStatus.UNINITIALISED, BatchStatus.READY)
"""Statuses in sort order: first those that change or need attention."""

_KEYS: dict[SortOrder, Callable[[Batch], object]] = {
    SortOrder.NEWEST: lambda batch: -batch.created_at.timestamp() if batch.created_at else 0.0,
    SortOrder.NAME: lambda batch: batch.name.casefold(),
    SortOrder.STATUS: lambda batch: _STATUSES.index(batch.status) if batch.status in _STATUSES else -1,
    SortOrder.TASKS: lambda batch: -batch.total_task_count,
}


def sorted_batches(batches: Iterable[Batch], order: SortOrder, own: str) -> tuple[Batch, ...]:
    """The batches in an order; equal ones stay in the order of the service, newest first."""
    key = _KEYS[order]
    return tuple(sorted(batches, key=lambda batch: (batch.id != own, key(batch))))


_ROW = 66
_BATCH = Qt.ItemDataRole.UserRole + 1


class _Batches(TableModel):
    """The list model of the batches."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._batches: tuple[Batch, ...] = ()

    def show_batches(self, batches: Sequence[Batch]) -> None:
        if tuple(batches) != self._batches:
            self.beginResetModel()
            self._batches = tuple(batches)
            self.endResetModel()

    def row_of(self, id: str) -> int:
        return next((row for row, batch in enumerate(self._batches) if batch.id == id), -1)

    @override
    def row_count(self) -> int:
        return len(self._batches)

    @override
    def value(self, row: int, column: int, role: int) -> object:
        batch = self._batches[row]
        if role == Qt.ItemDataRole.DisplayRole:
            return batch.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{batch.name}, {_(_status(batch).label)}, {batch_size_text(batch)}"
        return batch if role == _BATCH else None


class _Painter(CellDelegate):
    @override
    def paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens, px, batch = theme().tokens, theme().px, index.data(_BATCH)
        tile = option.rect.adjusted(px(8), px(2), -px(8), -px(2))
        state = option.state
        if state & QStyle.StateFlag.State_Selected:
            draw_rounded(painter, tile, px(8), tokens.accent_soft)
        elif state & QStyle.StateFlag.State_MouseOver:
            draw_rounded(painter, tile, px(8), tokens.row_hover)
        if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_KeyboardFocusChange:
            draw_rounded(painter, tile, px(8), None, tokens.accent_text, 2)
        inner = tile.adjusted(px(12), px(7), -px(12), -px(7))
        top = QRect(inner.x(), inner.y(), inner.width(), px(20))
        draw_text(painter, top, batch.name, theme().font(TextRole.NAME), tokens.text)
        status = _status(batch)
        size = pill_size(status)
        pill = QRect(inner.x() - px(2), inner.bottom() - size.height(), size.width(), size.height())
        paint_pill(painter, pill, status)
        right = QRect(pill.right(), pill.y(), inner.right() - pill.right(), pill.height())
        font = theme().font(TextRole.SMALL, tabular=True)
        draw_text(painter, right, batch_size_text(batch), font, tokens.text2, Qt.AlignmentFlag.AlignRight)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme().px(200), theme().px(_ROW))


class BatchList(Surface):
    """Search field and list; `chosen` is emitted with the id of the batch that the user selects."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", parent=parent)
        self.setAccessibleName(_("Batches"))
        self._is_showing, self._order = False, SortOrder.NEWEST
        self._all: tuple[Batch, ...] = ()
        self._own = self._chosen = ""
        self._is_loading = False
        self._batches = _Batches(self)
        self._filtered = QSortFilterProxyModel(self)
        self._filtered.setSourceModel(self._batches)
        self._filtered.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._search = SearchField(_("Search batches"))
        self._search.textChanged.connect(self._narrow)
        self._sort = IconButton("funnel-simple", _("Sort batches"), height=ButtonSize.DEFAULT)
        self._sort.setMenu(self._create_sort_menu())
        self._list = self._create_list()
        self._pages = QStackedWidget()
        self._empty, self._loading = _nothing_yet(), LoadingState(_ROW)
        self._nothing = EmptyState(
            "magnifying-glass", _("No batch has this name"), _("Try another part of the name.")
        )
        for page in (self._list, self._empty, self._loading, self._nothing):
            self._pages.addWidget(page)
        self._count = Label("", TextRole.CAPTION, "text3", tabular=True)
        head = row(gap=6, margins=(12, 12, 10, 6))
        head.addWidget(self._search, 1)
        head.add(self._sort)
        footer = row(self._count, None, margins=(20, 6, 12, 8))
        layout = column(head, gap=0, margins=(0, 0, 1, 0), parent=self)
        layout.addWidget(self._pages, 1)
        layout.addLayout(footer)

    def show_batches(self, batches: Sequence[Batch], chosen: str, own: str, *, is_loading: bool) -> None:
        """Show the batches, with one selected and that of the study first."""
        self._all, self._own, self._chosen = tuple(batches), own, chosen
        self._is_loading = is_loading
        self._show()

    def _show(self) -> None:
        """Show the batches in the selected order without emitting `chosen`."""
        self._is_showing = True
        self._batches.show_batches(sorted_batches(self._all, self._order, self._own))
        place = self._batches.row_of(self._chosen)
        index = self._filtered.mapFromSource(self._batches.index(place, 0)) if place >= 0 else QModelIndex()
        if index != self._list.currentIndex():
            self._list.setCurrentIndex(index)
        self._is_showing = False
        self._show_page()

    def _show_page(self) -> None:
        count, filtered = len(self._all), self._filtered.rowCount()
        page: QWidget = self._list if filtered else self._nothing
        if not count:
            page = self._loading if self._is_loading else self._empty
        self._pages.setCurrentWidget(page)
        text = ngettext("{count} batch", "{count} batches", count).format(count=number(count))
        if filtered != count:
            text = _("{found} of {batches}").format(found=number(filtered), batches=text)
        self._count.setText(text if count else "")
        self._sort.setEnabled(count > 1)

    def _narrow(self, text: str) -> None:
        self._is_showing = True
        self._filtered.setFilterFixedString(text.strip())
        self._is_showing = False
        self._show()

    def _create_sort_menu(self) -> QMenu:
        menu, orders = QMenu(self), QActionGroup(self)
        for order in SortOrder:
            entry = menu.addAction(_(order.value))
            entry.setCheckable(True)
            entry.setChecked(order is self._order)
            entry.setData(order)
            orders.addAction(entry)
        orders.triggered.connect(self._on_sort_order_selected)
        return menu

    def _on_sort_order_selected(self, entry: QAction) -> None:
        self._order = entry.data()
        self._show()

    def _create_list(self) -> QListView:
        view = QListView()
        view.setAccessibleName(_("Batches"))
        view.setModel(self._filtered)
        view.setItemDelegate(_Painter(view))
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setMouseTracking(True)
        view.setUniformItemSizes(True)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.selectionModel().currentChanged.connect(self._on_selected)
        return view

    def _on_selected(self, index: QModelIndex) -> None:
        if index.isValid() and not self._is_showing:
            self.chosen.emit(index.data(_BATCH).id)


def _nothing_yet() -> EmptyState:
    sentence = _("Batches of the workspace appear here.")
    return EmptyState("stack", _("No batches yet"), sentence)


def _status(batch: Batch) -> Status:
    return status_of(BATCH, batch.status)
