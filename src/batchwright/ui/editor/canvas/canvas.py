"""The canvas: a scroll area with the current page, filled with a sample record."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QEnterEvent,
    QKeyEvent,
    QMouseEvent,
    QPalette,
)
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.edits import InsertionPoint
from batchwright.ui.editor.canvas.hit_testing import DropIndicatorGeometry, PageGeometry
from batchwright.ui.editor.canvas.page_canvas import CanvasPage, PageCanvas
from batchwright.ui.editor.dnd.autoscroll import AutoScroll
from batchwright.ui.editor.dnd.drag_source import image_rect
from batchwright.ui.editor.dnd.drop_preview import DropPreview
from batchwright.ui.editor.dnd.drop_target import DropTarget
from batchwright.ui.editor.dnd.payload import DragPayload
from batchwright.ui.editor.pages.page_header import PageHeader
from batchwright.ui.editor.state import EditorState
from batchwright.ui.theme import theme
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.widgets.box_layouts import column, row

_SCROLL_EDGE_PX = 48
_DROP_GRACE_MS = 500
"""Milliseconds for which a drop event may still arrive after the mouse button was released."""


@dataclass(frozen=True)
class _DeferredReveal:
    """A node to scroll to or focus as soon as its card is created."""

    key: str
    takes_focus: bool
    scrolls: bool
    highlights: bool


class _CanvasSurface(QWidget):
    """The content of the scroll area: the page in the middle, with margins that accept drops as well."""

    pressed = Signal()

    def __init__(self, sheet: PageCanvas, canvas: "Canvas") -> None:
        super().__init__()
        self._sheet, self._canvas = sheet, canvas
        self.setAcceptDrops(True)
        self._drop_grace_timer = QTimer(self, singleShot=True, interval=_DROP_GRACE_MS)
        self._drop_grace_timer.timeout.connect(self._end_drag)
        middle = row(gap=0)
        middle.addStretch(1)
        middle.addWidget(sheet, 1000)
        middle.addStretch(1)
        layout = column(gap=0, margins=(16, 0, 16, 16), parent=self)
        layout.addLayout(middle, 1)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._drop_grace_timer.stop()
        self._canvas.drop_target.enter(event)
        if event.isAccepted():
            self._canvas.start_drop()

    @override
    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._canvas.show_drop_preview(self._canvas.drop_target.move(event), event.position().toPoint())

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._end_drag()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        self._drop_grace_timer.stop()
        self._canvas.drop_target.release(event)
        self._canvas.end_drop()

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        """The pointer enters without a drag: the drop event is due, or the source program ended during the
        drag.
        """
        if self._canvas.drop_target.payload is not None:
            self._drop_grace_timer.start()

    def _end_drag(self) -> None:
        self._drop_grace_timer.stop()
        self._canvas.drop_target.leave()
        self._canvas.end_drop()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()


class Canvas(QFrame):
    """Shows a page, navigates it by keyboard, and accepts drops."""

    background_clicked = Signal()
    """A click outside all cards: the selection is to be cleared."""
    escape_pressed = Signal()
    arrow_pressed = Signal(bool)
    """An arrow key while the page itself has the focus.

    Selects the first item (True) or the last one (False).
    """
    edit_requested = Signal()
    """Enter on the page itself: edit the page."""

    def __init__(self, state: EditorState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Page"))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.header = PageHeader()
        self.page_canvas = PageCanvas()
        self.page_canvas.tab_start = self.header.tab_end
        self._geometry: PageGeometry | None = None
        self.page_canvas.width_changed.connect(lambda: QTimer.singleShot(0, self, self._measure))
        self.page_canvas.cards_created.connect(lambda: QTimer.singleShot(0, self, self._on_cards_created))
        self._deferred: _DeferredReveal | None = None
        self._indicator: DropIndicatorGeometry | None = None
        self._surface = _CanvasSurface(self.page_canvas, self)
        self.drop_target = DropTarget(state, self._surface, self._insertion_point_at)
        self._surface.pressed.connect(self._on_background_pressed)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._surface)
        self._scroll.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self._autoscroll = AutoScroll(self._scroll, _SCROLL_EDGE_PX, self._on_scrolled)
        layout = column(self.header, gap=0, parent=self)
        layout.addWidget(self._scroll, 1)

    def show_page(self, view: CanvasPage | None) -> None:
        """Show a page; None hides it."""
        self.page_canvas.setVisible(view is not None)
        if view is not None:
            self.page_canvas.show_page_in_slices(view)
        else:
            self.page_canvas.stop_drawing()

    def show_header(self, number: str, name: str, frequency: str) -> None:
        """Show the number, name and frequency of the page in the header and to screen readers."""
        self.header.show_page(number, name, frequency)
        self.setAccessibleName(sanitize_line(" ".join(part for part in (number, name) if part) or _("Page")))
        self.setAccessibleDescription(sanitize(frequency))

    def scroll_to(self, key: str, *, glows: bool = False) -> None:
        """Scroll a node into view. With `glows`, a highlight ring appears around it once."""
        QTimer.singleShot(0, self, lambda: self._reveal(key, glows=glows))

    def scroll_to_top(self) -> None:
        """Scroll to the top of the page."""
        self._scroll.verticalScrollBar().setValue(0)

    def focus_node(self, key: str) -> None:
        """Focus an item, column or row. The canvas itself gets the focus if the key is not on the page."""
        widget = self.page_canvas.widget_of(key)
        if widget is None and self.page_canvas.is_drawing:
            self._defer(key, takes_keyboard=True)
        (widget or self).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def main_widget(self) -> QWidget:
        """The widget that gets the initial focus: the selected card, the first card, or the canvas."""
        cards = [card for card in self.page_canvas.cards() if card.isVisibleTo(self)]
        return next((card for card in cards if card.is_selected), next(iter(cards), self))

    def focused_key(self) -> str | None:
        """The key of the node that has the focus or contains the focused widget."""
        return self.page_canvas.key_of(QApplication.focusWidget())

    def has_lost_focus(self, key: str | None) -> bool:
        """Whether a node is on the page and the focus is elsewhere."""
        return key is not None and key != self.focused_key() and self.page_canvas.widget_of(key) is not None

    def has_focus_within(self) -> bool:
        """Whether the focus is in the canvas."""
        focused = QApplication.focusWidget()
        return focused is not None and (focused is self or self.isAncestorOf(focused))

    def show_dragged(self, keys: Sequence[str]) -> None:
        """Show these nodes as being dragged; an empty sequence ends the drag."""
        self.page_canvas.show_dragged(keys)
        if not keys:
            self.end_drop()

    # Drag and drop

    def start_drop(self) -> None:
        """Record the geometry of the page at rest.

        No scroll bar may appear while rows move apart, because it would narrow the page.
        """
        self.page_canvas.show_drop_indicator(None)
        if not self._scroll.verticalScrollBar().isVisible():
            self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._geometry = self.page_canvas.page_geometry()

    def _defer(
        self, key: str, *, takes_keyboard: bool = False, scrolls: bool = False, glows: bool = False
    ) -> None:
        """Focus or reveal a node once its card is created."""
        had = self._deferred
        if had is not None and had.key == key:
            takes_keyboard, scrolls = takes_keyboard or had.takes_focus, scrolls or had.scrolls
            glows = glows or had.highlights
        self._deferred = _DeferredReveal(key, takes_keyboard, scrolls, glows)

    def _on_cards_created(self) -> None:
        """Carry out deferred requests for new cards, and update the geometry during a drag."""
        self._measure()
        awaited = self._deferred
        is_created = awaited is not None and self.page_canvas.widget_of(awaited.key) is not None
        if is_created or not self.page_canvas.is_drawing:
            self._deferred = None
        if awaited is None or not is_created:
            return
        if awaited.takes_focus and self.hasFocus():
            self.focus_node(awaited.key)
        if awaited.scrolls:
            self._reveal(awaited.key, glows=awaited.highlights)

    def _measure(self) -> None:
        """Hide the indicator and record the geometry again, because the page has changed during a drag."""
        if self._geometry is not None:
            self.page_canvas.show_drop_indicator(None)
            self._geometry = self.page_canvas.page_geometry()

    def show_drop_preview(self, preview: DropPreview | None, at: QPoint) -> None:
        """Show the drop indicator unless the drop would be rejected; scroll near the edges."""
        shows = preview is not None and not preview.rejection and preview.edit is not None
        covered = image_rect(self.page_canvas.mapFrom(self._surface, at))
        hint = preview.hint if preview is not None else ""
        self.page_canvas.show_drop_indicator(self._indicator if shows else None, hint, covered)
        self._autoscroll.refresh()

    def end_drop(self) -> None:
        """End the drag: hide the indicator and stop scrolling."""
        self._autoscroll.stop()
        self._geometry = self._indicator = None
        self.page_canvas.show_drop_indicator(None)
        self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def _insertion_point_at(self, point: QPoint, payload: DragPayload) -> InsertionPoint | None:
        if self._geometry is None or self.page_canvas.is_drawing:
            return None
        spot = self._geometry.indicator_at(
            self._without_gap(self.page_canvas.mapFrom(self._surface, point)), payload.level, theme().scale
        )
        self._indicator = spot
        return spot.insertion_point

    def _without_gap(self, point: QPoint) -> QPoint:
        """Convert a point to the page at rest, before rows moved apart for the indicator."""
        opened = self.page_canvas.open_gap()
        if opened is None or point.y() <= opened.top():
            return point
        return QPoint(point.x(), max(opened.top(), point.y() - opened.height()))

    def _on_scrolled(self, point: QPoint, copies: bool) -> None:
        at = self._surface.mapFrom(self._scroll.viewport(), point)
        self.show_drop_preview(self.drop_target.preview_at(at, copies=copies), at)

    def _on_background_pressed(self) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.background_clicked.emit()

    def _reveal(self, key: str, *, glows: bool) -> None:
        """Scroll as little as possible.

        Of a node that is too tall, the top is shown, or the bottom with `glows`.
        """
        widget = self.page_canvas.widget_of(key)
        if widget is None:
            if self.page_canvas.is_drawing:
                self._defer(key, scrolls=True, glows=glows)
            return
        margin, bar, height = (
            theme().px(24),
            self._scroll.verticalScrollBar(),
            self._scroll.viewport().height(),
        )
        top = widget.mapTo(self._surface, QPoint()).y() - margin
        end = top + widget.height() + 2 * margin
        if end - top > height:
            bar.setValue(end - height if glows else top)
        else:
            bar.setValue(min(max(bar.value(), end - height), top))
        if glows:
            self.page_canvas.highlight.start(key)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_page = self.hasFocus() and event.modifiers() == Qt.KeyboardModifier.NoModifier
        if event.key() == Qt.Key.Key_Escape:
            self.escape_pressed.emit()
        elif is_page and event.key() in {Qt.Key.Key_Down, Qt.Key.Key_Up}:
            self.arrow_pressed.emit(event.key() == Qt.Key.Key_Down)
        elif is_page and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.edit_requested.emit()
        else:
            super().keyPressEvent(event)
