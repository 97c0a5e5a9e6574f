"""The boxes and cards of the page in view: what shows the same entry as before is kept, the rest used again.

A card costs a millisecond to make, and a fraction of that to fill with another item: turning to another page
fills the cards of the page before. What is not needed is hidden, and ended a few at a time.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from PySide6.QtWidgets import QApplication, QWidget

from batchwright.layout.nodes import InvalidNode, Node
from batchwright.ui.editor.canvas.cards import CardContext, ItemCard
from batchwright.ui.editor.canvas.rows import ColumnFrame, RowFrame

W = TypeVar("W", RowFrame, ColumnFrame, ItemCard)


class _WidgetPool(Generic[W]):
    """The widgets of one level: those in use by key, and those that are free."""

    def __init__(self) -> None:
        self.used: dict[str, W] = {}
        self._before: dict[str, W] = {}
        self._free: list[W] = []
        self._hidden: list[W] = []

    def start_update(self, keys: frozenset[str]) -> None:
        """A change begins, after which there are entries of these keys."""
        self._before, self.used = self.used, {}
        free = [widget for key, widget in self._before.items() if key not in keys and not _has_focus(widget)]
        self._free = free + self._hidden

    def previous(self, key: str) -> W | None:
        """The widget that showed this entry before."""
        return self._before.get(key)

    def take_free(self, fits: Callable[[W], bool] = lambda _widget: True) -> W | None:
        """The first widget that shows nothing any more and fits; it is taken."""
        found = next((widget for widget in self._free if fits(widget)), None)
        if found is not None:
            self._free.remove(found)
        return found

    def finish_update(self) -> None:
        """The change is over: what is not in use is hidden, until it is used again or ended."""
        used = {id(widget) for widget in self.used.values()}
        unused = [widget for widget in self._before.values() if id(widget) not in used]
        for widget in unused:
            widget.hide()
            widget.setParent(None)
        self._hidden = [widget for widget in self._hidden if id(widget) not in used] + unused
        self._before, self._free = {}, []

    @property
    def hidden_count(self) -> int:
        """How many widgets are hidden."""
        return len(self._hidden)

    def delete_hidden(self, most: int) -> None:
        """End so many of the widgets that are hidden."""
        ended, self._hidden = self._hidden[:most], self._hidden[most:]
        for widget in ended:
            widget.deleteLater()


class CanvasWidgets:
    """Rows of columns of cards, lying on one sheet."""

    def __init__(
        self,
        sheet: QWidget,
        on_card: Callable[[ItemCard], None],
        on_box: Callable[[RowFrame | ColumnFrame], None],
    ) -> None:
        self._sheet, self._on_card, self._on_frame = sheet, on_card, on_box
        self._rows, self._columns, self._cards = (
            _WidgetPool[RowFrame](),
            _WidgetPool[ColumnFrame](),
            _WidgetPool[ItemCard](),
        )
        self._context = CardContext(None, None)
        self.row_frames: list[RowFrame] = []

    @property
    def cards(self) -> Mapping[str, ItemCard]:
        """The card of each item."""
        return self._cards.used

    def frame(self, key: str) -> RowFrame | ColumnFrame | None:
        """The box of a row or column."""
        return self._columns.used.get(key) or self._rows.used.get(key)

    @property
    def hidden_count(self) -> int:
        """How many widgets are hidden, and kept to be used again."""
        return self._cards.hidden_count + self._columns.hidden_count + self._rows.hidden_count

    def delete_hidden(self, most: int) -> None:
        """End so many hidden widgets of each level."""
        for shelf in (self._cards, self._columns, self._rows):
            shelf.delete_hidden(most)

    def peers(self, key: str) -> Mapping[str, QWidget]:
        """All cards, columns or rows, whichever the entry of this key is among."""
        shelves: tuple[Mapping[str, QWidget], ...] = (self._cards.used, self._columns.used, self._rows.used)
        return next((used for used in shelves if key in used), {})

    def bottom_up(self) -> Iterator[ItemCard | ColumnFrame | RowFrame]:
        """Everything, cards before the columns that hold them, and these before their rows."""
        yield from self._cards.used.values()
        yield from self._columns.used.values()
        yield from self._rows.used.values()

    def cards_in_order(self) -> Iterator[tuple[int, int, int, ItemCard]]:
        """Every card, with the numbers of its row, its column, and its own."""
        for r, row in enumerate(self.row_frames):
            for c, column in enumerate(row.columns):
                for i, card in enumerate(column.cards):
                    yield r, c, i, card

    def show(self, rows: Sequence[Node], around: CardContext) -> None:
        """Show these rows; what shows the same entry already is drawn again only if the entry changed."""
        self._context = around
        row_keys, column_keys, item_keys = _node_keys(rows)
        self._rows.start_update(row_keys)
        self._columns.start_update(column_keys)
        self._cards.start_update(item_keys)
        self.row_frames = [self._row(row) for row in rows]
        self._cards.finish_update()
        self._columns.finish_update()
        self._rows.finish_update()

    def _row(self, entry: Node) -> RowFrame:
        box = self._rows.previous(entry.key) or self._rows.take_free()
        if box is None:
            box = RowFrame(entry.key, self._sheet)
            self._on_frame(box)
        box.key = entry.key
        self._rows.used[entry.key] = box
        inside = _children(entry)
        box.show_columns([self._column(one, many=len(inside) > 1) for one in inside])
        return box

    def _column(self, entry: Node, *, many: bool) -> ColumnFrame:
        box = self._columns.previous(entry.key) or self._columns.take_free()
        if box is None:
            box = ColumnFrame(entry.key, self._sheet)
            self._on_frame(box)
        box.key = entry.key
        self._columns.used[entry.key] = box
        box.show_cards([self._card(one) for one in _children(entry)], has_grip=many)
        return box

    def _card(self, entry: Node) -> ItemCard:
        around = self._context

        def fits(card: ItemCard) -> bool:
            return card.fits(entry, around)

        card = self._cards.previous(entry.key)
        if card is None or not fits(card):
            card = self._cards.take_free(fits)
        if card is None:
            card = ItemCard(entry, around, self._sheet)
            self._on_card(card)
        else:
            card.show_entry(entry, around)
        self._cards.used[entry.key] = card
        return card


def _children(entry: Node) -> Sequence[Node]:
    return (entry,) if isinstance(entry, InvalidNode) else entry.children


def _node_keys(rows: Sequence[Node]) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The keys of rows, columns and items; what has no shape stands for all that is inside it."""
    columns = [column for row in rows for column in _children(row)]
    items = [item for column in columns for item in _children(column)]
    row_keys, column_keys, item_keys = (
        frozenset(entry.key for entry in entries) for entries in (rows, columns, items)
    )
    return row_keys, column_keys, item_keys


def _has_focus(widget: QWidget) -> bool:
    focused = QApplication.focusWidget()
    return focused is not None and (focused is widget or widget.isAncestorOf(focused))
