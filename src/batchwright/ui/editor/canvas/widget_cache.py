"""The boxes and cards of the current page: widgets of unchanged nodes are kept, the others are reused.

Creating a card takes a millisecond, filling it with another item a fraction of that. Changing the page
therefore refills the cards of the previous page. Surplus widgets are hidden, and deleted a few at a time.

`first_items`, `keys_from_top` and `without_items` select the items of a long page that get a card.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from PySide6.QtWidgets import QApplication, QWidget

from batchwright.layout.nodes import InvalidNode, Node
from batchwright.ui.editor.canvas.cards import CardContext, ItemCard
from batchwright.ui.editor.canvas.rows import ColumnWidget, RowWidget

W = TypeVar("W", RowWidget, ColumnWidget, ItemCard)


class _WidgetPool(Generic[W]):
    """The widgets of one level: those in use by key, and the free ones."""

    def __init__(self) -> None:
        self.used: dict[str, W] = {}
        self._previous: dict[str, W] = {}
        self._free: list[W] = []
        self._hidden: list[W] = []

    def start_update(self, keys: frozenset[str]) -> None:
        """Begin an update, after which there are nodes with these keys."""
        self._previous, self.used = self.used, {}
        free = [
            widget for key, widget in self._previous.items() if key not in keys and not _has_focus(widget)
        ]
        self._free = free + self._hidden

    def previous(self, key: str) -> W | None:
        """The widget that showed this node before the update."""
        return self._previous.get(key)

    def pop_unused(self, is_suitable: Callable[[W], bool] = lambda _widget: True) -> W | None:
        """Take the first free widget that is suitable out of the pool."""
        suitable = next((widget for widget in self._free if is_suitable(widget)), None)
        if suitable is not None:
            self._free.remove(suitable)
        return suitable

    def finish_update(self) -> None:
        """End the update: hide the widgets that are not in use."""
        used = {id(widget) for widget in self.used.values()}
        unused = [widget for widget in self._previous.values() if id(widget) not in used]
        for widget in unused:
            widget.hide()
            widget.setParent(None)
        self._hidden = [widget for widget in self._hidden if id(widget) not in used] + unused
        self._previous, self._free = {}, []

    @property
    def hidden_count(self) -> int:
        """The number of hidden widgets."""
        return len(self._hidden)

    def delete_hidden(self, limit: int) -> None:
        """Delete up to `limit` hidden widgets."""
        surplus, self._hidden = self._hidden[:limit], self._hidden[limit:]
        for widget in surplus:
            widget.deleteLater()


class CanvasWidgets:
    """The widgets of rows, columns and cards, all children of one page canvas."""

    def __init__(
        self,
        page_canvas: QWidget,
        on_card: Callable[[ItemCard], None],
        on_node_widget: Callable[[RowWidget | ColumnWidget], None],
    ) -> None:
        self._parent, self._on_card, self._on_node_widget = page_canvas, on_card, on_node_widget
        self._rows, self._columns, self._cards = (
            _WidgetPool[RowWidget](),
            _WidgetPool[ColumnWidget](),
            _WidgetPool[ItemCard](),
        )
        self._context = CardContext(None, None)
        self.row_widgets: list[RowWidget] = []

    @property
    def cards(self) -> Mapping[str, ItemCard]:
        """The cards by the key of their item."""
        return self._cards.used

    def node_widget(self, key: str) -> RowWidget | ColumnWidget | None:
        """The box of a row or column."""
        return self._columns.used.get(key) or self._rows.used.get(key)

    @property
    def hidden_count(self) -> int:
        """The number of hidden widgets kept for reuse."""
        return self._cards.hidden_count + self._columns.hidden_count + self._rows.hidden_count

    def delete_hidden(self, limit: int) -> None:
        """Delete up to `limit` hidden widgets of each level."""
        for pool in (self._cards, self._columns, self._rows):
            pool.delete_hidden(limit)

    def peers(self, key: str) -> Mapping[str, QWidget]:
        """All widgets of the same level as the node with this key, by key."""
        widgets_by_level: tuple[Mapping[str, QWidget], ...] = (
            self._cards.used,
            self._columns.used,
            self._rows.used,
        )
        return next((used for used in widgets_by_level if key in used), {})

    def bottom_up(self) -> Iterator[ItemCard | ColumnWidget | RowWidget]:
        """All widgets: cards first, then columns, then rows."""
        yield from self._cards.used.values()
        yield from self._columns.used.values()
        yield from self._rows.used.values()

    def cards_in_order(self) -> Iterator[tuple[int, int, int, ItemCard]]:
        """Every card with the indexes of its row, its column and itself."""
        for r, row in enumerate(self.row_widgets):
            for c, column in enumerate(row.columns):
                for i, card in enumerate(column.cards):
                    yield r, c, i, card

    def show(self, rows: Sequence[Node], context: CardContext) -> None:
        """Show these rows. Widgets of unchanged nodes are not redrawn."""
        self._context = context
        row_keys, column_keys, item_keys = _node_keys(rows)
        self._rows.start_update(row_keys)
        self._columns.start_update(column_keys)
        self._cards.start_update(item_keys)
        self.row_widgets = [self._row(row) for row in rows]
        self._cards.finish_update()
        self._columns.finish_update()
        self._rows.finish_update()

    def _row(self, node: Node) -> RowWidget:
        widget = self._rows.previous(node.key) or self._rows.pop_unused()
        if widget is None:
            widget = RowWidget(node.key, self._parent)
            self._on_node_widget(widget)
        widget.key = node.key
        self._rows.used[node.key] = widget
        columns = _children(node)
        widget.show_columns([self._column(child, has_siblings=len(columns) > 1) for child in columns])
        return widget

    def _column(self, node: Node, *, has_siblings: bool) -> ColumnWidget:
        widget = self._columns.previous(node.key) or self._columns.pop_unused()
        if widget is None:
            widget = ColumnWidget(node.key, self._parent)
            self._on_node_widget(widget)
        widget.key = node.key
        self._columns.used[node.key] = widget
        widget.show_cards([self._card(child) for child in _children(node)], has_handle=has_siblings)
        return widget

    def _card(self, node: Node) -> ItemCard:
        context = self._context

        def fits(card: ItemCard) -> bool:
            return card.can_show(node, context)

        card = self._cards.previous(node.key)
        if card is None or not fits(card):
            card = self._cards.pop_unused(fits)
        if card is None:
            card = ItemCard(node, context, self._parent)
            self._on_card(card)
        else:
            card.show_node(node, context)
        self._cards.used[node.key] = card
        return card


def _children(node: Node) -> Sequence[Node]:
    return (node,) if isinstance(node, InvalidNode) else node.children


def _node_keys(rows: Sequence[Node]) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The keys of all rows, columns and items. An invalid row or column counts as its own only child."""
    columns = [column for row in rows for column in _children(row)]
    items = [item for column in columns for item in _children(column)]
    row_keys, column_keys, item_keys = (
        frozenset(node.key for node in nodes) for nodes in (rows, columns, items)
    )
    return row_keys, column_keys, item_keys


def _has_focus(widget: QWidget) -> bool:
    focused = QApplication.focusWidget()
    return focused is not None and (focused is widget or widget.isAncestorOf(focused))


def first_items(rows: Sequence[Node], max_items: int) -> Sequence[Node]:
    """The rows reduced to the first `max_items` items of the page; rows without any of them are omitted."""
    if sum(len(column.children) for row in rows for column in row.children) <= max_items:
        return rows
    shown: list[Node] = []
    remaining = max_items
    for row in rows:
        columns = []
        for column in row.children:
            columns.append(column.with_children(column.children[:remaining]) if column.children else column)
            remaining -= len(columns[-1].children)
        shown.append(row.with_children(columns) if columns else row)
        if remaining <= 0:
            break
    return shown


def keys_from_top(rows: Sequence[Node]) -> list[str]:
    """The keys of all items, row by row, and within a row from top to bottom across its columns."""
    keys = []
    for row in rows:
        columns = [column.children for column in row.children]
        height = max(map(len, columns), default=0)
        keys += [column[n].key for n in range(height) for column in columns if n < len(column)]
    return keys


def without_items(rows: Sequence[Node], keys: Container[str]) -> Sequence[Node]:
    """The rows without the items of these keys; rows that lose all their items are omitted."""
    if not keys:
        return rows
    shown: list[Node] = []
    for row in rows:
        columns = [
            column.with_children([item for item in column.children if item.key not in keys])
            if column.children
            else column
            for column in row.children
        ]
        had_items = any(column.children for column in row.children)
        if not had_items or any(column.children for column in columns):
            shown.append(row.with_children(columns) if had_items else row)
    return shown
