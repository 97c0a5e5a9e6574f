"""The widget of a page: its rows, columns and cards. An unchanged node keeps its widget.

The cards of a page with many new items are created in slices, from the top, so that the window stays
responsive.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.item_types.registry import DatasetField
from batchwright.layout.model import Page
from batchwright.layout.nodes import InvalidNode, NodePath
from batchwright.layout.rules.problems import Problem
from batchwright.ui.editor.canvas.cards import CardContext, ItemCard
from batchwright.ui.editor.canvas.drop_indicator import (
    INDICATOR_GAP_PX,
    DropIndicator,
    GapAnimation,
    HighlightPulse,
)
from batchwright.ui.editor.canvas.hit_testing import (
    DropIndicatorGeometry,
    IndicatorShape,
    NodeRect,
    PageGeometry,
)
from batchwright.ui.editor.canvas.rows import (
    GAP_PX,
    MARGIN_PX,
    ColumnWidget,
    EmptyPage,
    NodeWidget,
    RowWidget,
    set_widgets,
)
from batchwright.ui.editor.canvas.widget_cache import CanvasWidgets, first_items, keys_from_top, without_items
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.theme.shadows import Elevation, draw_shadow
from batchwright.ui.widgets.accessibility.accessible_interfaces import Accessible, accessible_with
from batchwright.ui.widgets.text import Label

MAX_CARDS = 200
"""Maximum number of items that get a card: each card takes some milliseconds to create."""
MAX_NEW_CARDS = 40
"""Up to this many new cards are created at once; more are created in slices."""
_FIRST_SLICE_CARDS, _MIN_SLICE_CARDS = 8, 4
"""Cards in the first slice, and the minimum of every further one."""
_SLICE_S = 0.01
"""Target time for creating the cards of a slice, in seconds of CPU time. Their layout takes as long again."""


@dataclass(frozen=True)
class CanvasPage:
    """Everything that the page canvas shows of a page."""

    page: Page | InvalidNode
    number: int
    context: CardContext
    problems: Mapping[str, Sequence[Problem]]
    selected: frozenset[str]
    shown_path: Callable[[NodePath], NodePath] = lambda path: path
    """Returns the path of a node as it is shown."""


@accessible_with(Accessible)
class PageCanvas(QWidget):
    """A page as nested boxes of cards."""

    select_requested = Signal(str, bool)
    width_changed = Signal()
    """The width has changed, so that everything on the page is about to move."""
    cards_created = Signal()
    """The cards of another slice were created."""
    drag_requested = Signal(str)
    edit_requested = Signal(str)
    fix_requested = Signal(object)
    duplicate_requested = Signal(str)
    remove_requested = Signal(str)
    move_requested = Signal(str, object)
    arrow_pressed = Signal(str, object)
    label_entered = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page: CanvasPage | None = None
        self._outlined: frozenset[str] = frozenset()
        self._tab_stops: list[QWidget] = []
        self.tab_start: QWidget | None = None
        """The widget before the first card in the tab order, if any."""
        self._widgets = CanvasWidgets(self, self._on_card_created, self._connect_node_widget)
        self._slice_size = _FIRST_SLICE_CARDS
        self._slice_timer = QTimer(self, singleShot=True, interval=0)
        self._slice_timer.timeout.connect(self._create_cards)
        self._rows_layout = QVBoxLayout()
        self._layout = QVBoxLayout(self)
        self.empty_page = EmptyPage()
        self._layout.addLayout(self._rows_layout)
        self.more_items_label = Label("", TextRole.SMALL, "text2", wraps=True)
        self.more_items_label.hide()
        self._layout.addWidget(self.more_items_label)
        self._layout.addWidget(self.empty_page, 1)
        self._layout.addStretch(0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.drop_indicator = DropIndicator(self)
        self.highlight = HighlightPulse(self, self.widget_of)
        self._gap_animation = GapAnimation(self, self._shift_row)
        self._update_metrics()
        theme().on_changed(self._update_metrics)

    def show_page(self, view: CanvasPage) -> None:
        """Show a page at once. Only what differs from before is created or redrawn."""
        self.stop_creating_cards()
        self._show_cards(view, MAX_CARDS)
        self._widgets.delete_hidden(self._widgets.hidden_count)

    def show_page_in_slices(self, view: CanvasPage) -> None:
        """Show a page like `show_page`.

        If there are many new cards, the first are created now, the rest later.
        """
        missing = len(self._missing_keys(view))
        self._show_cards(view, missing if missing <= MAX_NEW_CARDS else _FIRST_SLICE_CARDS)
        if self._widgets.hidden_count <= MAX_NEW_CARDS:
            self._widgets.delete_hidden(self._widgets.hidden_count)
        self._schedule_slice()

    @property
    def is_creating_cards(self) -> bool:
        """Whether cards of the page are still to be created."""
        return (
            self._page is not None and self._slice_timer.isActive() and bool(self._missing_keys(self._page))
        )

    def stop_creating_cards(self) -> None:
        """Create no more slices of the page."""
        self._slice_timer.stop()

    def _schedule_slice(self) -> None:
        if self._page is not None and (self._missing_keys(self._page) or self._widgets.hidden_count):
            self._slice_timer.start()
        else:
            self.stop_creating_cards()

    def _create_cards(self) -> None:
        """Create the next missing cards, or else delete some hidden widgets."""
        if self._page is None:
            return
        start = time.thread_time()
        is_complete = not self._missing_keys(self._page)
        if is_complete:
            self._widgets.delete_hidden(self._slice_size)
        else:
            self._show_cards(self._page, self._slice_size)
            self._adapt_slice_size(time.thread_time() - start)
        self._schedule_slice()
        if not is_complete:
            self.cards_created.emit()

    def _adapt_slice_size(self, seconds: float) -> None:
        """Set the size of the next slice from the time that the last one took."""
        size = int(self._slice_size * _SLICE_S / max(seconds, _SLICE_S / 2))
        self._slice_size = min(max(size, _MIN_SLICE_CARDS), MAX_NEW_CARDS)

    def _missing_keys(self, view: CanvasPage) -> list[str]:
        """The keys of the items that still lack a card, from top to bottom."""
        rows = first_items(view.page.children, MAX_CARDS)
        return [key for key in keys_from_top(rows) if key not in self._widgets.cards]

    def _show_cards(self, view: CanvasPage, max_new: int) -> None:
        """Show the items that have a card, and create up to `max_new` further cards."""
        missing = self._missing_keys(view)
        self._page, before = view, list(self._row_widgets)
        rows = without_items(first_items(view.page.children, MAX_CARDS), frozenset(missing[max_new:]))
        # Each shown widget would compute the layout of the whole page. A card that only grows is laid out by
        # Qt's events, in which the page above it grows as well.
        self._layout.setEnabled(not missing)
        self._widgets.show(rows, view.context)
        self._show_more_items(view.page)
        self._show_states(view)
        if before != self._row_widgets:
            self._layout.setEnabled(False)
            set_widgets(self._rows_layout, list(self._row_widgets))
            self.drop_indicator.raise_()
        if not self._layout.isEnabled():
            self._layout.setEnabled(True)
            self._layout.activate()
        self.empty_page.setVisible(not self._row_widgets)
        if self._layout.stretch(3) != (stretch := int(bool(self._row_widgets))):
            self._layout.setStretch(3, stretch)
        self._update_tab_order()
        self._show_outlines(
            frozenset(key for key in view.selected if self._widgets.node_widget(key) is not None)
        )

    def _show_more_items(self, page: Page | InvalidNode) -> None:
        """Show how many items have no card."""
        count = sum(len(column.children) for row in page.children for column in row.children)
        message = _("The canvas shows the first {shown} of {count} items. All of them are in the outline.")
        self.more_items_label.setText(message.format(shown=MAX_CARDS, count=count))
        self.more_items_label.setVisible(count > MAX_CARDS)

    @property
    def _row_widgets(self) -> list[RowWidget]:
        return self._widgets.row_widgets

    def card_of(self, key: str) -> ItemCard | None:
        """The card of an item, or None if it is not on this page."""
        return self._widgets.cards.get(key)

    def cards(self) -> list[ItemCard]:
        """All cards in reading order."""
        return [card for _r, _c, _i, card in self._widgets.cards_in_order()]

    def widget_of(self, key: str) -> QWidget | None:
        """The widget of a node of any level, or None if it is not on this page."""
        return self._widgets.cards.get(key) or self._widgets.node_widget(key)

    def height_for(self, width: int) -> int:
        """The height of the page at a width. The layout is computed at once, even if the page is hidden."""
        for widget in self._widgets.bottom_up():
            widget.activate_layout()
        self._layout.activate()
        return max(self._layout.totalHeightForWidth(width), self._layout.totalSizeHint().height())

    def key_at(self, point: QPoint) -> str | None:
        """The key of the item at a point, else of the column or row, or None outside all of them."""
        return self.key_of(self.childAt(point))

    def key_of(self, widget: QWidget | None) -> str | None:
        """The key of the item that contains a widget, else of the column or row, or None."""
        while widget is not None and widget is not self:
            if isinstance(widget, ItemCard):
                return widget.node.key
            if isinstance(widget, NodeWidget):
                return widget.key
            widget = widget.parentWidget()
        return None

    def neighbour(self, key: str, arrow: Qt.Key) -> str | None:
        """The nearest node of the same level in the direction of an arrow key."""
        peers = self._widgets.peers(key)
        if key not in peers:
            return None
        start = self._rect(peers[key])
        distances = {
            candidate: distance
            for candidate, widget in peers.items()
            if (distance := _distance(start, self._rect(widget), arrow)) is not None
        }
        return min(distances, key=lambda candidate: distances[candidate], default=None)

    def page_geometry(self) -> PageGeometry:
        """The geometry of the page. It must be taken while no gap is open for the indicator."""
        margin = theme().px(MARGIN_PX)
        key = self._page.page.key if self._page is not None else ""
        rows = tuple(row.node_rect(self) for row in self._row_widgets)
        inner = self.rect().adjusted(margin // 2, margin // 2, -margin // 2, -margin // 2)
        return PageGeometry(NodeRect(key, inner, rows), theme().px(GAP_PX))

    def show_drop_indicator(
        self, geometry: DropIndicatorGeometry | None, hint: str = "", covered: QRect | None = None
    ) -> None:
        """Show the drop indicator and open a gap for it; None hides both.

        `covered` is the rectangle of the drag image, in coordinates of this widget.
        """
        self.empty_page.show_target(is_target=geometry is not None and geometry.shape is IndicatorShape.BOX)
        self._gap_animation.open_at(geometry.row_to_shift if geometry is not None else None)
        self.drop_indicator.show_indicator(None if geometry is None else _shifted(geometry), hint, covered)

    def open_gap(self) -> QRect | None:
        """The rectangle of the gap opened for the indicator, over the full width, or None."""
        index, pixels = self._gap_animation.index, self._gap_animation.pixels
        if index is None or index >= len(self._row_widgets) or not pixels:
            return None
        top = self._row_widgets[index].mapTo(self, QPoint(0, 0)).y()
        return QRect(0, top, self.width(), pixels)

    def show_dragged(self, keys: Sequence[str]) -> None:
        """Show these nodes as being dragged."""
        widgets = [self.widget_of(key) for key in keys]
        self.drop_indicator.show_dragged([widget for widget in widgets if widget is not None])

    def _on_card_created(self, card: ItemCard) -> None:
        """Connect a card and show its problems: a footer that is added later moves all other cards."""
        if self._page is not None:
            self._show_problems(self._page, card)
        card.select_requested.connect(self.select_requested)
        card.drag_requested.connect(self.drag_requested)
        card.edit_requested.connect(self.edit_requested)
        card.fix_requested.connect(self.fix_requested)
        card.duplicate_requested.connect(self.duplicate_requested)
        card.remove_requested.connect(self.remove_requested)
        card.move_requested.connect(self.move_requested)
        card.arrow_pressed.connect(self.arrow_pressed)
        card.label_entered.connect(self.label_entered)

    def _connect_node_widget(self, node_widget: RowWidget | ColumnWidget) -> None:
        node_widget.handle.select_requested.connect(self.select_requested)
        node_widget.handle.drag_requested.connect(self.drag_requested)
        node_widget.edit_requested.connect(self.edit_requested)
        node_widget.arrow_pressed.connect(self.arrow_pressed)

    def _show_states(self, view: CanvasPage) -> None:
        for r, row in enumerate(self._row_widgets):
            row.show_path(_("Row"), view.shown_path(NodePath(view.number, r)))
            row.show_selected(is_selected=row.key in view.selected)
            for c, column in enumerate(row.columns):
                column.show_path(_("Column"), view.shown_path(NodePath(view.number, r, c)))
                column.show_selected(is_selected=column.key in view.selected)
        for r, c, i, card in self._widgets.cards_in_order():
            self._show_problems(view, card)
            path = view.shown_path(NodePath(view.number, r, c, i))
            card.describe(path, view.problems.get(card.node.key, ()))
            card.show_selected(is_selected=card.node.key in view.selected)

    @staticmethod
    def _show_problems(view: CanvasPage, card: ItemCard) -> None:
        is_unchecked = isinstance(card.node, DatasetField) and view.context.schema is None
        card.show_problems(view.problems.get(card.node.key, ()), is_unchecked=is_unchecked)

    def _update_tab_order(self) -> None:
        """Set the tab order to the reading order: reused cards were created in another one."""
        tab_stops = [stop for card in self.cards() for stop in card.tab_stops]
        if tab_stops != self._tab_stops:
            self._tab_stops = tab_stops
            for before, after in pairwise((self.tab_start or self, *tab_stops)):
                QWidget.setTabOrder(before, after)

    def _show_outlines(self, keys: frozenset[str]) -> None:
        """Paint outlines around the selected rows and columns."""
        if keys or self._outlined:
            self._outlined = keys
            self.update()

    def _shift_row(self, index: int, pixels: int) -> None:
        if index < len(self._row_widgets):
            self._row_widgets[index].shift(pixels)

    def _rect(self, widget: QWidget) -> QRect:
        if isinstance(widget, RowWidget):
            return widget.rect_in(self)
        return QRect(widget.mapTo(self, widget.rect().topLeft()), widget.size())

    def _update_metrics(self) -> None:
        px = theme().px
        self.setMaximumWidth(px(720) + 2 * Elevation.SHEET.extent)
        self._rows_layout.setSpacing(px(GAP_PX))
        self._layout.setSpacing(0)
        self.more_items_label.setContentsMargins(px(MARGIN_PX), px(GAP_PX), px(MARGIN_PX), 0)
        margin = Elevation.SHEET.extent
        self._layout.setContentsMargins(margin, px(MARGIN_PX) + margin, margin, px(MARGIN_PX) + margin)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self.drop_indicator.setGeometry(self.rect())
        if event.size().width() != event.oldSize().width():
            self.width_changed.emit()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px = QPainter(self), theme().tokens, theme().px
        margin = Elevation.SHEET.extent
        page_canvas = self.rect().adjusted(margin, margin, -margin, -margin)
        if page_canvas.adjusted(px(12), px(12), -px(12), -px(12)).contains(event.rect()):
            painter.fillRect(event.rect(), tokens.surface)
        else:
            draw_shadow(painter, page_canvas, Elevation.SHEET, tokens.shadow, is_dark=theme().is_dark)
            draw_rounded(
                painter, page_canvas, px(12), tokens.surface, tokens.border if theme().is_dark else None
            )
        for node_widget in filter(None, map(self._widgets.node_widget, self._outlined)):
            ring = self._rect(node_widget).adjusted(-px(4), -px(4), px(4), px(4))
            draw_rounded(painter, ring, px(11), None, tokens.accent_text, 2)


def _shifted(geometry: DropIndicatorGeometry) -> DropIndicatorGeometry:
    """The geometry with its line in the middle of the open gap."""
    if geometry.row_to_shift is None:
        return geometry
    return DropIndicatorGeometry(
        geometry.insertion_point,
        geometry.shape,
        geometry.rect.translated(0, theme().px(INDICATOR_GAP_PX) // 2),
        geometry.row_to_shift,
    )


def _distance(start: QRect, target: QRect, arrow: Qt.Key) -> tuple[int, int] | None:
    """The distance along and across the arrow's direction, or None if the target is not in that direction."""
    along = {
        Qt.Key.Key_Down: target.top() - start.bottom(),
        Qt.Key.Key_Up: start.top() - target.bottom(),
        Qt.Key.Key_Right: target.left() - start.right(),
        Qt.Key.Key_Left: start.left() - target.right(),
    }[arrow]
    is_vertical = arrow in {Qt.Key.Key_Down, Qt.Key.Key_Up}
    across = abs(target.left() - start.left()) if is_vertical else abs(target.top() - start.top())
    overlaps = is_vertical or (target.top() < start.bottom() and target.bottom() > start.top())
    return (along, across) if along > 0 and overlaps else None
