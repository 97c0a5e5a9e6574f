"""The sheet: the rows of the page in view. What is the same object as before keeps its widget."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QEasingCurve, QPoint, QRect, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from batchwright.layout.entries import Entry, Place
from batchwright.layout.model import DatasetField, Misshapen, Page
from batchwright.layout.rules.problems import Problem
from batchwright.ui.layout.canvas_cards import ItemCard, Surroundings
from batchwright.ui.layout.canvas_empty import EmptyPage
from batchwright.ui.layout.canvas_landing import OPENING, LandingMark
from batchwright.ui.layout.canvas_map import Box, PageMap, Spot
from batchwright.ui.layout.canvas_rows import GAP, MARGIN, ColumnBox, Grip, RowBox, put_in_order
from batchwright.ui.theme import theme
from batchwright.ui.theme.drawing import rounded
from batchwright.ui.theme.shadows import Depth, draw_shadow

_OPENS_IN = 120

B = TypeVar("B", RowBox, ColumnBox)


@dataclass(frozen=True)
class PageView:
    """All that the sheet shows of a page."""

    page: Page | Misshapen
    number: int
    around: Surroundings
    problems: Mapping[str, Sequence[Problem]]
    selected: frozenset[str]


class Sheet(QWidget):
    """A page as nested boxes of cards."""

    picked = Signal(str, bool)
    taken = Signal(str)
    entered = Signal(str)
    fix_wanted = Signal(object)
    copy_wanted = Signal(str)
    removal_wanted = Signal(str)
    arrow_pressed = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: PageView | None = None
        self._cards: dict[str, ItemCard] = {}
        self._columns: dict[str, ColumnBox] = {}
        self._rows: dict[str, RowBox] = {}
        self._order: list[RowBox] = []
        self._lines = QVBoxLayout()
        self._whole = QVBoxLayout(self)
        self.empty = EmptyPage()
        self._whole.addLayout(self._lines)
        self._whole.addWidget(self.empty, 1)
        self._whole.addStretch(0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.mark = LandingMark(self)
        self._opening = Opening(self._open_by)
        self._fit()
        theme().follow(self._fit)

    def show_view(self, view: PageView) -> None:
        """Draw a page; only what differs from before is made or drawn anew."""
        self._view = view
        kept_cards, kept_columns, kept_rows = self._cards, self._columns, self._rows
        self._cards, self._columns, self._rows = {}, {}, {}
        self._order = [self._row(row, kept_rows, kept_columns, kept_cards) for row in view.page.inside]
        put_in_order(self._lines, list(self._order))
        _end_those_gone(kept_cards, self._cards)
        _end_those_gone(kept_columns, self._columns)
        _end_those_gone(kept_rows, self._rows)
        self.empty.setVisible(not self._order)
        self._whole.setStretch(2, 1 if self._order else 0)
        self._show_states(view)
        self.mark.raise_()
        self.update()

    def card(self, key: str) -> ItemCard | None:
        """The card of an item, if it is on this page."""
        return self._cards.get(key)

    def cards(self) -> list[ItemCard]:
        """All cards, in reading order."""
        return [card for row in self._order for column in row.columns for card in column.cards]

    def widget_of(self, key: str) -> QWidget | None:
        """The widget of an entry of any level, if it is on this page."""
        return self._cards.get(key) or self._columns.get(key) or self._rows.get(key)

    def neighbour(self, key: str, arrow: Qt.Key) -> str | None:
        """The card nearest to one in the direction of an arrow key."""
        start = self._cards.get(key)
        if start is None:
            return None
        at = self._rect(start)
        away = {
            other.entry.key: distance
            for other in self._cards.values()
            if (distance := _distance(at, self._rect(other), arrow)) is not None
        }
        return min(away, key=lambda other: away[other], default=None)

    def page_map(self) -> PageMap:
        """Where everything is. To be taken while nothing is opened for a landing line."""
        margin = theme().px(MARGIN)
        key = self._view.page.key if self._view is not None else ""
        rows = tuple(row.box(self) for row in self._order)
        inner = self.rect().adjusted(margin // 2, margin // 2, -margin // 2, -margin // 2)
        return PageMap(Box(key, inner, rows), theme().px(GAP))

    def mark_spot(self, spot: Spot | None, words: str = "", covered: QRect | None = None) -> None:
        """Open the rows where something would land, and mark it; None closes them again.

        `covered` is what the thing dragged hides of the sheet.
        """
        self._opening.open_at(spot.opens if spot is not None else None)
        self.mark.show_spot(None if spot is None else _lowered(spot), words, covered)

    def opened(self) -> QRect | None:
        """The room opened for the landing line, over the whole width; None while there is none."""
        index, pixels = self._opening.at, self._opening.pixels
        if index is None or index >= len(self._order) or not pixels:
            return None
        top = self._order[index].mapTo(self, QPoint(0, 0)).y()
        return QRect(0, top, self.width(), pixels)

    def mark_taken(self, keys: Sequence[str]) -> None:
        """Let these entries be seen as being dragged."""
        widgets = [self.widget_of(key) for key in keys]
        self.mark.show_taken([self._rect(widget) for widget in widgets if widget is not None])

    def _row(
        self,
        entry: Entry,
        rows: Mapping[str, RowBox],
        columns: Mapping[str, ColumnBox],
        cards: Mapping[str, ItemCard],
    ) -> RowBox:
        box = rows.get(entry.key) or self._made(RowBox(entry.key, self))
        inside = (entry,) if isinstance(entry, Misshapen) else entry.inside
        box.show_columns([self._column(one, columns, cards, many=len(inside) > 1) for one in inside])
        self._rows[entry.key] = box
        return box

    def _column(
        self,
        entry: Entry,
        columns: Mapping[str, ColumnBox],
        cards: Mapping[str, ItemCard],
        *,
        many: bool,
    ) -> ColumnBox:
        box = columns.get(entry.key) or self._made(ColumnBox(entry.key, self))
        inside = (entry,) if isinstance(entry, Misshapen) else entry.inside
        box.show_cards([self._card(one, cards) for one in inside], has_grip=many)
        self._columns[entry.key] = box
        return box

    def _card(self, entry: Entry, cards: Mapping[str, ItemCard]) -> ItemCard:
        around = self._around
        card = cards.get(entry.key)
        if card is None or not card.fits(entry, around):
            card = self._connected(ItemCard(entry, around, self))
        else:
            card.show_entry(entry, around)
        self._cards[entry.key] = card
        return card

    @property
    def _around(self) -> Surroundings:
        return self._view.around if self._view is not None else Surroundings(None, None)

    def _connected(self, card: ItemCard) -> ItemCard:
        card.picked.connect(self.picked)
        card.taken.connect(self.taken)
        card.entered.connect(self.entered)
        card.fix_wanted.connect(self.fix_wanted)
        card.copy_wanted.connect(self.copy_wanted)
        card.removal_wanted.connect(self.removal_wanted)
        card.arrow_pressed.connect(self.arrow_pressed)
        return card

    def _made(self, box: B) -> B:
        self._connect_grip(box.grip)
        return box

    def _connect_grip(self, grip: Grip) -> None:
        grip.picked.connect(self.picked)
        grip.taken.connect(self.taken)

    def _show_states(self, view: PageView) -> None:
        known = view.around.schema is not None
        for r, row in enumerate(self._order):
            for c, column in enumerate(row.columns):
                for i, card in enumerate(column.cards):
                    problems = view.problems.get(card.entry.key, ())
                    is_unchecked = isinstance(card.entry, DatasetField) and not known
                    card.show_place(Place(view.number, r, c, i), problems, is_unchecked=is_unchecked)
                    card.show_selected(is_selected=card.entry.key in view.selected)

    def _open_by(self, index: int, pixels: int) -> None:
        if index < len(self._order):
            self._order[index].open_by(pixels)

    def _rect(self, widget: QWidget) -> QRect:
        if isinstance(widget, RowBox):
            return widget.rect_in(self)
        return QRect(widget.mapTo(self, widget.rect().topLeft()), widget.size())

    def _fit(self) -> None:
        px = theme().px
        self.setMaximumWidth(px(720) + 2 * Depth.SHEET.reach)
        self._lines.setSpacing(px(GAP))
        self._whole.setSpacing(0)
        reach = Depth.SHEET.reach
        self._whole.setContentsMargins(reach, px(MARGIN) + reach, reach, px(MARGIN) + reach)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self.mark.setGeometry(self.rect())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px = QPainter(self), theme().tokens, theme().px
        reach = Depth.SHEET.reach
        box = self.rect().adjusted(reach, reach, -reach, -reach)
        draw_shadow(painter, box, Depth.SHEET, tokens.shadow, is_dark=theme().is_dark)
        line = tokens.border if theme().is_dark else None
        rounded(painter, box, px(12), tokens.surface, line)
        for key in self._view.selected if self._view is not None else ():
            widget = self._rows.get(key) or self._columns.get(key)
            if widget is not None:
                ring = self._rect(widget).adjusted(-px(4), -px(4), px(4), px(4))
                rounded(painter, ring, px(11), None, tokens.accent_text, 2)


class Opening:
    """Opens the rows at one gap and closes them at another, in a moment (look.md 12)."""

    def __init__(self, open_by: Callable[[int, int], None]) -> None:
        self._open_by = open_by
        self.at: int | None = None
        self.pixels = 0
        self._motion = QVariantAnimation()
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._motion.valueChanged.connect(self._moved)

    def open_at(self, index: int | None) -> None:
        """Open the rows before the one with this number; None for nowhere."""
        if index == self.at:
            return
        if self.at is not None:
            self._motion.stop()
            self._moved(0)
        self.at = index
        if index is None:
            return
        pixels, duration = theme().px(OPENING), theme().ms(_OPENS_IN)
        if not duration:
            self._moved(pixels)
            return
        self._motion.setDuration(duration)
        self._motion.setStartValue(0)
        self._motion.setEndValue(pixels)
        self._motion.start()

    def _moved(self, pixels: int) -> None:
        self.pixels = pixels
        if self.at is not None:
            self._open_by(self.at, pixels)


def _end_those_gone(before: Mapping[str, QWidget], now: Mapping[str, QWidget]) -> None:
    for key, widget in before.items():
        if now.get(key) is not widget:
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()


def _lowered(spot: Spot) -> Spot:
    """The spot in the middle of what opens for it."""
    if spot.opens is None:
        return spot
    return Spot(spot.gap, spot.kind, spot.rect.translated(0, theme().px(OPENING) // 2), spot.opens)


def _distance(here: QRect, there: QRect, arrow: Qt.Key) -> tuple[int, int] | None:
    """How far it is along the arrow, then across it; None when it lies elsewhere."""
    along = {
        Qt.Key.Key_Down: there.top() - here.bottom(),
        Qt.Key.Key_Up: here.top() - there.bottom(),
        Qt.Key.Key_Right: there.left() - here.right(),
        Qt.Key.Key_Left: here.left() - there.right(),
    }[arrow]
    is_upright = arrow in {Qt.Key.Key_Down, Qt.Key.Key_Up}
    across = abs(there.left() - here.left()) if is_upright else abs(there.top() - here.top())
    overlaps = is_upright or (there.top() < here.bottom() and there.bottom() > here.top())
    return (along, across) if along > 0 and overlaps else None
