"""A list of resources of the workspace: searched by name, in a chosen order, with that of the study first."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QModelIndex, QRect, QSize, Qt, Signal
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

from batchwright.base.i18n import _
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import ButtonSize, IconButton
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.models import CellDelegate, Index, TableModel
from batchwright.ui.widgets.placeholders import EmptyState, LoadingState
from batchwright.ui.widgets.surfaces import Surface
from batchwright.ui.widgets.text import Label


class Resource(Protocol):
    """A resource in a list of the service."""

    @property
    def id(self) -> str:
        """The id that the service assigned."""

    @property
    def name(self) -> str:
        """The name."""


T = TypeVar("T", bound=Resource)

SortKey = Callable[[T], Any]
"""Returns what a resource is sorted by."""

PaintDetails = Callable[[QPainter, QRect, T], object]
"""Paints the line below the name."""

_ROW = 66
_RESOURCE = Qt.ItemDataRole.UserRole + 1


def own_first(resources: Iterable[T], key: SortKey[T], own: str) -> tuple[T, ...]:
    """The resources in an order, that of the study first; equal ones stay in the order of the service."""
    return tuple(sorted(resources, key=lambda resource: (resource.id != own, key(resource))))


@dataclass(frozen=True)
class ListTexts:
    """The texts of a list of resources."""

    name: str
    """The accessible name."""
    search: str
    sort: str
    not_found: str
    """Shown if no resource has the name searched for."""
    count: Callable[[int, int], str]
    """Returns the text below the list for the numbers of resources found and of all."""


class ResourceList(Surface, Generic[T]):
    """Search field and list; `chosen` is emitted with the id of the resource that the user selects.

    Args:
        texts: the texts of the list.
        sort_keys: the orders that the user can choose, the first one initially; their values are the titles.
        describe: returns the accessible text of a resource.
        paint_details: paints the line below its name.
        empty: shown if there are no resources.
    """

    chosen = Signal(str)

    def __init__(
        self,
        texts: ListTexts,
        sort_keys: Mapping[Any, SortKey[T]],
        describe: Callable[[T], str],
        paint_details: PaintDetails[T],
        empty: EmptyState,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("surface", parent=parent)
        self.setAccessibleName(texts.name)
        self._texts, self._sort_keys = texts, sort_keys
        self._order: Enum = next(iter(sort_keys))
        self._is_showing = self._is_loading = False
        self._all: tuple[T, ...] = ()
        self._own = self._chosen = ""
        self._resources = ResourceModel(describe, self)
        self._search = SearchField(texts.search)
        self._search.textChanged.connect(self._show)
        self._sort = IconButton("funnel-simple", texts.sort, height=ButtonSize.DEFAULT)
        self._sort.setMenu(self._create_sort_menu())
        self._list = self._create_list(paint_details)
        self._pages = QStackedWidget()
        self._empty, self._loading = empty, LoadingState(_ROW)
        self._nothing = EmptyState("magnifying-glass", texts.not_found, _("Try another part of the name."))
        for page in (self._list, self._empty, self._loading, self._nothing):
            self._pages.addWidget(page)
        self._count = Label("", TextRole.CAPTION, "text3", tabular=True)
        head = row(gap=6, margins=(12, 12, 10, 6))
        head.addWidget(self._search, 1)
        head.add(self._sort)
        self._footer = QWidget()
        row(self._count, None, margins=(20, 6, 12, 8), parent=self._footer)
        layout = column(head, gap=0, margins=(0, 0, 1, 0), parent=self)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self._footer)

    def show_resources(self, resources: Sequence[T], chosen: str, own: str, *, is_loading: bool) -> None:
        """Show the resources, with one selected and that of the study first."""
        self._all, self._own, self._chosen = tuple(resources), own, chosen
        self._is_loading = is_loading
        self._show()

    def _show(self) -> None:
        """Show the resources found in the selected order without emitting `chosen`."""
        self._is_showing = True
        text = self._search.text().strip().casefold()
        found = [resource for resource in self._all if text in resource.name.casefold()]
        self._resources.show_resources(own_first(found, self._sort_keys[self._order], self._own))
        index = self._resources.index(self._resources.row_of(self._chosen), 0)
        if [index] != (self._list.selectedIndexes() or [QModelIndex()]):
            self._list.clearSelection()
            self._list.setCurrentIndex(index)
        self._is_showing = False
        self._show_page()

    def _show_page(self) -> None:
        count, found = len(self._all), self._resources.row_count()
        page: QWidget = self._list if found else self._nothing
        if not count:
            page = self._loading if self._is_loading else self._empty
        self._pages.setCurrentWidget(page)
        self._count.setText(self._texts.count(found, count))
        self._footer.setVisible(count > 0)
        self._sort.setEnabled(count > 1)

    def _create_sort_menu(self) -> QMenu:
        menu, orders = QMenu(self), QActionGroup(self)
        for order in self._sort_keys:
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

    def _create_list(self, paint_details: PaintDetails[T]) -> QListView:
        view = QListView()
        view.setAccessibleName(self._texts.name)
        view.setModel(self._resources)
        view.setItemDelegate(ResourcePainter(paint_details, view))
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setMouseTracking(True)
        view.setUniformItemSizes(True)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        # Not `currentChanged`: a list that gets the focus makes its first row the current one.
        view.selectionModel().selectionChanged.connect(self._on_selection_changed)
        return view

    def _on_selection_changed(self) -> None:
        selected = self._list.selectedIndexes()
        if selected and not self._is_showing:
            self.chosen.emit(selected[0].data(_RESOURCE).id)


class ResourceModel(TableModel, Generic[T]):
    """The list model."""

    def __init__(self, describe: Callable[[T], str], parent: QWidget) -> None:
        super().__init__(parent)
        self._describe = describe
        self._resources: tuple[T, ...] = ()

    def show_resources(self, resources: Sequence[T]) -> None:
        """Show these resources."""
        shown = tuple(resources)
        if shown == self._resources:
            self._resources = shown  # the same objects are compared quickly next time
            return
        self.beginResetModel()
        self._resources = shown
        self.endResetModel()

    def row_of(self, id: str) -> int:
        """The row of a resource; -1 if it is not in the list."""
        return next((row for row, resource in enumerate(self._resources) if resource.id == id), -1)

    @override
    def row_count(self) -> int:
        return len(self._resources)

    @override
    def value(self, row: int, column: int, role: int) -> object:
        resource = self._resources[row]
        if role == Qt.ItemDataRole.DisplayRole:
            return resource.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._describe(resource)
        return resource if role == _RESOURCE else None


class ResourcePainter(CellDelegate, Generic[T]):
    """Paints the name of a resource and, below it, its details."""

    def __init__(self, paint_details: PaintDetails[T], parent: QWidget) -> None:
        super().__init__(parent)
        self._paint_details = paint_details

    @override
    def paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens, px, resource = theme().tokens, theme().px, index.data(_RESOURCE)
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
        draw_text(painter, top, resource.name, theme().font(TextRole.NAME), tokens.text)
        self._paint_details(painter, inner, resource)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, theme().px(_ROW))  # the list makes its rows as wide as itself
