"""The sheet: the rows of the page in view. What is the same object as before keeps its widget.

A page with many new cards is drawn in slices, the top of it first, so that the window goes on meanwhile.
"""

import time
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.item_types import DatasetField
from batchwright.layout.model import Page
from batchwright.layout.nodes import InvalidNode, Node, NodePath
from batchwright.layout.rules.problems import Problem
from batchwright.ui.editor.canvas.cards import CardContext, ItemCard
from batchwright.ui.editor.canvas.drop_indicator import GAP_PX, DropIndicator
from batchwright.ui.editor.canvas.empty_page import EmptyPage
from batchwright.ui.editor.canvas.gap_animation import GapAnimation
from batchwright.ui.editor.canvas.highlight import HighlightPulse
from batchwright.ui.editor.canvas.hit_testing import (
    DropIndicatorGeometry,
    IndicatorShape,
    NodeRect,
    PageGeometry,
)
from batchwright.ui.editor.canvas.rows import GAP, MARGIN, ColumnFrame, NodeFrame, RowFrame, set_widgets
from batchwright.ui.editor.canvas.widget_cache import CanvasWidgets
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import rounded
from batchwright.ui.theme.shadows import Elevation, draw_shadow
from batchwright.ui.widgets.accessible import Accessible, spoken_by
from batchwright.ui.widgets.text import Label

MAX_CARDS = 200
"""How many items of a page have a card: each takes some milliseconds to make."""
MAX_NEW_CARDS = 40
"""So many new cards are made at once; where there are more, they are made in slices."""
_FIRST_SLICE_CARDS, _MIN_SLICE_CARDS = 8, 4
"""Cards in the first slice, and in each one at least."""
_SLICE_S = 0.01
"""How long making the cards of a slice may take, in seconds of work; laying them out takes as long again."""


@dataclass(frozen=True)
class CanvasPage:
    """All that the sheet shows of a page."""

    page: Page | InvalidNode
    number: int
    around: CardContext
    problems: Mapping[str, Sequence[Problem]]
    selected: frozenset[str]


@spoken_by(Accessible)
class PageCanvas(QWidget):
    """A page as nested boxes of cards."""

    picked = Signal(str, bool)
    widened = Signal()
    """It has another width, so that everything on it is about to stand elsewhere."""
    grown = Signal()
    """Another slice of the page has been drawn."""
    taken = Signal(str)
    entered = Signal(str)
    fix_wanted = Signal(object)
    copy_wanted = Signal(str)
    removal_wanted = Signal(str)
    move_wanted = Signal(str, object)
    arrow_pressed = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: CanvasPage | None = None
        self._ringed: frozenset[str] = frozenset()
        self._stops: list[QWidget] = []
        self.first_stop: QWidget | None = None
        """What has the keyboard before the first card, if anything has."""
        self._boxes = CanvasWidgets(self, self._connect_card, self._connect_box)
        self._in_slice = _FIRST_SLICE_CARDS
        self._next_slice = QTimer(self, singleShot=True, interval=0)
        self._next_slice.timeout.connect(self._draw_slice)
        self._lines = QVBoxLayout()
        self._whole = QVBoxLayout(self)
        self.empty = EmptyPage()
        self._whole.addLayout(self._lines)
        self.rest = Label("", TextRole.SMALL, "text2", wraps=True)
        self.rest.hide()
        self._whole.addWidget(self.rest)
        self._whole.addWidget(self.empty, 1)
        self._whole.addStretch(0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.mark = DropIndicator(self)
        self.glow = HighlightPulse(self, self.widget_of)
        self._opening = GapAnimation(self, self._open_by)
        self._fit()
        theme().follow(self._fit)

    def show_view(self, view: CanvasPage) -> None:
        """Draw a page at once; only what differs from before is made or drawn anew."""
        self.stop()
        self._draw(view, MAX_CARDS)
        self._boxes.end_hidden(self._boxes.hidden)

    def show_in_slices(self, view: CanvasPage) -> None:
        """Draw a page as `show_view` does; of many new cards the first at once, and the others by and by."""
        missing = len(self._missing(view))
        self._draw(view, missing if missing <= MAX_NEW_CARDS else _FIRST_SLICE_CARDS)
        if self._boxes.hidden <= MAX_NEW_CARDS:
            self._boxes.end_hidden(self._boxes.hidden)
        self._go_on()

    @property
    def is_growing(self) -> bool:
        """Whether cards of the page are still to be made."""
        return self._view is not None and self._next_slice.isActive() and bool(self._missing(self._view))

    def stop(self) -> None:
        """Draw no more slices of the page."""
        self._next_slice.stop()

    def _go_on(self) -> None:
        if self._view is not None and (self._missing(self._view) or self._boxes.hidden):
            self._next_slice.start()
        else:
            self.stop()

    def _draw_slice(self) -> None:
        """Make some of the cards that are missing, and then end some that are not needed any more."""
        if self._view is None:
            return
        began = time.thread_time()
        is_whole = not self._missing(self._view)
        if is_whole:
            self._boxes.end_hidden(self._in_slice)
        else:
            self._draw(self._view, self._in_slice)
            self._fit_slice(time.thread_time() - began)
        self._go_on()
        if not is_whole:
            self.grown.emit()

    def _fit_slice(self, taken: float) -> None:
        """Let the next slice have as many cards as there is time for, after one that took so many seconds."""
        fitting = int(self._in_slice * _SLICE_S / max(taken, _SLICE_S / 2))
        self._in_slice = min(max(fitting, _MIN_SLICE_CARDS), MAX_NEW_CARDS)

    def _missing(self, view: CanvasPage) -> list[str]:
        """The keys of the items that are to have a card and have none, the topmost first."""
        rows = first_items(view.page.inside, MAX_CARDS)
        return [key for key in keys_from_top(rows) if key not in self._boxes.cards]

    def _draw(self, view: CanvasPage, most_new: int) -> None:
        """Draw the items of a page that have a card, and so many more."""
        missing = frozenset(self._missing(view)[most_new:])
        self._view, before = view, list(self._order)
        rows = without_items(first_items(view.page.inside, MAX_CARDS), missing)
        self._boxes.show(rows, view.around)
        self._show_rest(view.page)
        self._show_states(view)
        if before != self._order:
            set_widgets(self._lines, list(self._order))
            self.mark.raise_()
        self.empty.setVisible(not self._order)
        self._whole.setStretch(3, 1 if self._order else 0)
        self._order_stops()
        self._show_rings(frozenset(key for key in view.selected if self._boxes.box(key) is not None))

    def _show_rest(self, page: Page | InvalidNode) -> None:
        """Say how many items have no card."""
        count = sum(len(column.inside) for row in page.inside for column in row.inside)
        sentence = _("The canvas shows the first {shown} of {count} items. All of them are in the outline.")
        self.rest.setText(sentence.format(shown=MAX_CARDS, count=count))
        self.rest.setVisible(count > MAX_CARDS)

    @property
    def _order(self) -> list[RowFrame]:
        return self._boxes.order

    def card(self, key: str) -> ItemCard | None:
        """The card of an item, if it is on this page."""
        return self._boxes.cards.get(key)

    def cards(self) -> list[ItemCard]:
        """All cards, in reading order."""
        return [card for _r, _c, _i, card in self._boxes.in_order()]

    def widget_of(self, key: str) -> QWidget | None:
        """The widget of an entry of any level, if it is on this page."""
        return self._boxes.cards.get(key) or self._boxes.box(key)

    def height_for(self, width: int) -> int:
        """How tall the page is at a width; all on it is laid out at once, whether it is shown or not."""
        for widget in self._boxes.inside_out():
            widget.lay_out()
        self._whole.activate()
        return max(self._whole.totalHeightForWidth(width), self._whole.totalSizeHint().height())

    def key_at(self, point: QPoint) -> str | None:
        """The key of the item at a point, or else of the column or row; None beside all of them."""
        return self.key_of(self.childAt(point))

    def key_of(self, widget: QWidget | None) -> str | None:
        """The key of the item that a widget is part of, or else of the column or row; None elsewhere."""
        while widget is not None and widget is not self:
            if isinstance(widget, ItemCard):
                return widget.entry.key
            if isinstance(widget, NodeFrame):
                return widget.key
            widget = widget.parentWidget()
        return None

    def neighbour(self, key: str, arrow: Qt.Key) -> str | None:
        """What is nearest to an item, column or row, among its like, in the direction of an arrow key."""
        alike = self._boxes.alike(key)
        if key not in alike:
            return None
        at = self._rect(alike[key])
        away = {
            other: distance
            for other, widget in alike.items()
            if (distance := _distance(at, self._rect(widget), arrow)) is not None
        }
        return min(away, key=lambda other: away[other], default=None)

    def page_map(self) -> PageGeometry:
        """Where everything is. To be taken while nothing is opened for a landing line."""
        margin = theme().px(MARGIN)
        key = self._view.page.key if self._view is not None else ""
        rows = tuple(row.box(self) for row in self._order)
        inner = self.rect().adjusted(margin // 2, margin // 2, -margin // 2, -margin // 2)
        return PageGeometry(NodeRect(key, inner, rows), theme().px(GAP))

    def mark_spot(
        self, spot: DropIndicatorGeometry | None, words: str = "", covered: QRect | None = None
    ) -> None:
        """Open the rows where something would land, and mark it; None closes them again.

        `covered` is what the thing dragged hides of the sheet.
        """
        self.empty.show_target(is_target=spot is not None and spot.kind is IndicatorShape.WHOLE)
        self._opening.open_at(spot.opens if spot is not None else None)
        self.mark.show_spot(None if spot is None else _shifted(spot), words, covered)

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
        self.mark.show_taken([widget for widget in widgets if widget is not None])

    def _connect_card(self, card: ItemCard) -> None:
        card.picked.connect(self.picked)
        card.taken.connect(self.taken)
        card.entered.connect(self.entered)
        card.fix_wanted.connect(self.fix_wanted)
        card.copy_wanted.connect(self.copy_wanted)
        card.removal_wanted.connect(self.removal_wanted)
        card.move_wanted.connect(self.move_wanted)
        card.arrow_pressed.connect(self.arrow_pressed)

    def _connect_box(self, box: RowFrame | ColumnFrame) -> None:
        box.grip.picked.connect(self.picked)
        box.grip.taken.connect(self.taken)
        box.entered.connect(self.entered)
        box.arrow_pressed.connect(self.arrow_pressed)

    def _show_states(self, view: CanvasPage) -> None:
        known = view.around.schema is not None
        for r, row in enumerate(self._order):
            row.show_place(_("Row"), NodePath(view.number, r))
            for c, column in enumerate(row.columns):
                column.show_place(_("Column"), NodePath(view.number, r, c))
        for r, c, i, card in self._boxes.in_order():
            problems = view.problems.get(card.entry.key, ())
            is_unchecked = isinstance(card.entry, DatasetField) and not known
            card.show_place(NodePath(view.number, r, c, i), problems, is_unchecked=is_unchecked)
            card.show_selected(is_selected=card.entry.key in view.selected)

    def _order_stops(self) -> None:
        """Let Tab go through the cards as they are read: those used again were made in another order."""
        stops = [stop for card in self.cards() for stop in card.stops]
        if stops != self._stops:
            self._stops = stops
            for before, after in pairwise((self.first_stop or self, *stops)):
                QWidget.setTabOrder(before, after)

    def _show_rings(self, keys: frozenset[str]) -> None:
        """Ring the rows and columns that are selected."""
        if keys or self._ringed:
            self._ringed = keys
            self.update()

    def _open_by(self, index: int, pixels: int) -> None:
        if index < len(self._order):
            self._order[index].open_by(pixels)

    def _rect(self, widget: QWidget) -> QRect:
        if isinstance(widget, RowFrame):
            return widget.rect_in(self)
        return QRect(widget.mapTo(self, widget.rect().topLeft()), widget.size())

    def _fit(self) -> None:
        px = theme().px
        self.setMaximumWidth(px(720) + 2 * Elevation.SHEET.reach)
        self._lines.setSpacing(px(GAP))
        self._whole.setSpacing(0)
        self.rest.setContentsMargins(px(MARGIN), px(GAP), px(MARGIN), 0)
        reach = Elevation.SHEET.reach
        self._whole.setContentsMargins(reach, px(MARGIN) + reach, reach, px(MARGIN) + reach)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self.mark.setGeometry(self.rect())
        if event.size().width() != event.oldSize().width():
            self.widened.emit()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px = QPainter(self), theme().tokens, theme().px
        reach = Elevation.SHEET.reach
        sheet = self.rect().adjusted(reach, reach, -reach, -reach)
        if sheet.adjusted(px(12), px(12), -px(12), -px(12)).contains(event.rect()):
            painter.fillRect(event.rect(), tokens.surface)
        else:
            draw_shadow(painter, sheet, Elevation.SHEET, tokens.shadow, is_dark=theme().is_dark)
            rounded(painter, sheet, px(12), tokens.surface, tokens.border if theme().is_dark else None)
        for box in filter(None, map(self._boxes.box, self._ringed)):
            ring = self._rect(box).adjusted(-px(4), -px(4), px(4), px(4))
            rounded(painter, ring, px(11), None, tokens.accent_text, 2)


def first_items(rows: Sequence[Node], most: int) -> Sequence[Node]:
    """The rows with the first items of a page; the others are left out, and rows that hold no more."""
    if sum(len(column.inside) for row in rows for column in row.inside) <= most:
        return rows
    shown: list[Node] = []
    left = most
    for row in rows:
        columns = []
        for column in row.inside:
            columns.append(column.with_inside(column.inside[:left]) if column.inside else column)
            left -= len(columns[-1].inside)
        shown.append(row.with_inside(columns) if columns else row)
        if left <= 0:
            break
    return shown


def keys_from_top(rows: Sequence[Node]) -> list[str]:
    """The keys of all items, row by row, and in a row from top to bottom across its columns."""
    found = []
    for row in rows:
        columns = [column.inside for column in row.inside]
        deepest = max(map(len, columns), default=0)
        found += [column[n].key for n in range(deepest) for column in columns if n < len(column)]
    return found


def without_items(rows: Sequence[Node], keys: Container[str]) -> Sequence[Node]:
    """The rows without some of their items; rows whose items are all left out are left out, too."""
    if not keys:
        return rows
    shown: list[Node] = []
    for row in rows:
        columns = [
            column.with_inside([item for item in column.inside if item.key not in keys])
            if column.inside
            else column
            for column in row.inside
        ]
        had = any(column.inside for column in row.inside)
        if not had or any(column.inside for column in columns):
            shown.append(row.with_inside(columns) if had else row)
    return shown


def _shifted(spot: DropIndicatorGeometry) -> DropIndicatorGeometry:
    """The spot in the middle of what opens for it."""
    if spot.opens is None:
        return spot
    return DropIndicatorGeometry(
        spot.gap, spot.kind, spot.rect.translated(0, theme().px(GAP_PX) // 2), spot.opens
    )


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
