"""A list of resources of the workspace: searched by name, in a chosen order, with that of the study first."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget

from batchwright.base.i18n import _
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import ButtonSize, IconButton
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.placeholders import EmptyState, LoadingState
from batchwright.ui.widgets.rows.row_list import RowList
from batchwright.ui.widgets.rows.values import ListRow, RowLook, RowStyle, RowText
from batchwright.ui.widgets.statuses import Status
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

_ROW = 66
_STYLE = RowStyle(RowLook.TILES, left=20, right=20, inset=8)


def resource_row(name: str, details: Sequence[RowText], badge: Status | None = None) -> ListRow:
    """The row of a resource: its name and, below it, its status and its details."""
    return ListRow((RowText(name, TextRole.NAME),), badge, tuple(details), _ROW)


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
        row_of: returns the row of a resource (`resource_row`).
        empty: shown if there are no resources.
    """

    chosen = Signal(str)

    def __init__(
        self,
        texts: ListTexts,
        sort_keys: Mapping[Any, SortKey[T]],
        row_of: Callable[[T], ListRow],
        empty: EmptyState,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("surface", parent=parent)
        self.setAccessibleName(texts.name)
        self._texts, self._sort_keys = texts, sort_keys
        self._order: Enum = next(iter(sort_keys))
        self._is_loading = False
        self._all: tuple[T, ...] = ()
        self._shown: tuple[T, ...] = ()
        self._own = self._chosen = ""
        self._search = SearchField(texts.search)
        self._search.textChanged.connect(self._show)
        self._sort = IconButton("funnel-simple", texts.sort, height=ButtonSize.DEFAULT)
        self._sort.setMenu(self._create_sort_menu())
        self._list: RowList[T] = RowList(texts.name, row_of, _STYLE, is_uniform=True)
        self._list.entry_chosen.connect(lambda resource: self.chosen.emit(resource.id))
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
        text = self._search.text().strip().casefold()
        found = [resource for resource in self._all if text in resource.name.casefold()]
        shown = own_first(found, self._sort_keys[self._order], self._own)
        if shown != self._shown:
            self._list.show_entries(shown)
        self._shown = shown  # the same objects are compared quickly next time
        chosen = next((row for row, resource in enumerate(shown) if resource.id == self._chosen), -1)
        if [chosen] != ([index.row() for index in self._list.selectedIndexes()] or [-1]):
            self._list.show_current(chosen)
        self._show_page(len(found))

    def _show_page(self, found: int) -> None:
        count = len(self._all)
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
