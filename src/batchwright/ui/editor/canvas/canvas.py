"""The canvas: a scroll area with the current page, filled with a sample record."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QEnterEvent,
    QKeyEvent,
    QMouseEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.ui.editor.canvas.hit_testing import DropIndicatorGeometry, PageGeometry
from batchwright.ui.editor.canvas.page_canvas import CanvasPage, PageCanvas
from batchwright.ui.editor.core.state import EditorState
from batchwright.ui.editor.dnd.autoscroll import AutoScroll
from batchwright.ui.editor.dnd.drag_image import image_rect
from batchwright.ui.editor.dnd.drop_preview import DropPreview
from batchwright.ui.editor.dnd.drop_target import DropTarget
from batchwright.ui.editor.dnd.payload import DragPayload
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import IconButton
from batchwright.ui.widgets.text import ElidedLabel, Label

_HEIGHT = 40
_MARGINS_PX = 76
"""Total width in pixels of the margins and gaps."""


class PageHeader(QWidget):
    """Shows the number, name and frequency of the page, and navigates the sample records."""

    record_step_requested = Signal(int)
    """The user requests another record: the offset from the current one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number = Label("", TextRole.SMALL_STRONG, tabular=True)
        self._name = ElidedLabel("", TextRole.SMALL, "text2")
        self._frequency = ElidedLabel("", TextRole.CAPTION, "text2")
        self._record_label = Label("", TextRole.SMALL, "text2", tabular=True)
        self._previous = IconButton("caret-left", _("Previous record"), glyph_size=16)
        self._next = IconButton("caret-right", _("Next record"), glyph_size=16)
        self._previous.clicked.connect(lambda: self.record_step_requested.emit(-1))
        self._next.clicked.connect(lambda: self.record_step_requested.emit(1))
        texts = row(self._number, self._name, self._frequency, None, gap=10)
        layout = row(gap=2, margins=(24, 0, 16, 0), parent=self)
        layout.addLayout(texts, 1)
        layout.add(self._previous, self._record_label, self._next)
        theme().on_changed(self._update_layout)
        self._update_layout()

    @property
    def tab_end(self) -> QWidget:
        """The last widget of the header in the tab order."""
        return self._next

    def show_page(self, number: str, name: str, frequency: str) -> None:
        """Show the number of the page, its name, and how often it is shown."""
        self._number.setText(number)
        self._name.setText(name)
        self._name.setVisible(bool(name))
        self._frequency.setText(frequency)
        self._update_layout()

    def show_record(self, number: int, count: int) -> None:
        """Show which record fills the page, or nothing if `count` is 0."""
        for widget in (self._previous, self._record_label, self._next):
            widget.setVisible(count > 0)
        self._record_label.setText(_("Record {number} of {count}").format(number=number + 1, count=count))
        self._previous.setEnabled(number > 0)
        self._next.setEnabled(number < count - 1)
        self._update_layout()

    def _update_layout(self) -> None:
        """Hide the frequency of the page first if the header is narrow."""
        self.setFixedHeight(theme().px(_HEIGHT))
        others = (self._number, self._name, self._previous, self._record_label, self._next)
        used_width = sum(widget.sizeHint().width() for widget in others if widget.isVisibleTo(self))
        text_width = self._frequency.fontMetrics().horizontalAdvance(self._frequency.text())
        self._frequency.setVisible(used_width + text_width + theme().px(_MARGINS_PX) <= self.width())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._update_layout()


_SCROLL_EDGE_PX = 48
_DROP_GRACE_MS = 500
"""Milliseconds for which a drop event may still arrive after the mouse button was released."""


@dataclass(frozen=True)
class _DeferredReveal:
    """A node to scroll to or focus as soon as its card is created."""

    key: str
    focuses: bool
    scrolls: bool
    highlights: bool


class _CanvasSurface(QWidget):
    """The content of the scroll area: the page in the middle, with margins that accept drops as well."""

    pressed = Signal()

    def __init__(self, page_canvas: PageCanvas, canvas: "Canvas") -> None:
        super().__init__()
        self._canvas = canvas
        self.setAcceptDrops(True)
        self._drop_grace_timer = QTimer(self, singleShot=True, interval=_DROP_GRACE_MS)
        self._drop_grace_timer.timeout.connect(self._end_drag)
        middle = row(gap=0)
        middle.addStretch(1)
        middle.addWidget(page_canvas, 1000)
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
        self._canvas.drop_target.drop(event)
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
        self._study = state.study
        self._geometry: PageGeometry | None = None
        self.page_canvas.width_changed.connect(lambda: QTimer.singleShot(0, self, self._measure))
        self.page_canvas.cards_created.connect(lambda: QTimer.singleShot(0, self, self._on_cards_created))
        self._deferred: _DeferredReveal | None = None
        self._indicator: DropIndicatorGeometry | None = None
        self._surface = _CanvasSurface(self.page_canvas, self)
        self.drop_target = DropTarget(state, self._surface, self._insertion_point_at)
        self._surface.pressed.connect(self._on_background_pressed)
        self.scroll_area = QScrollArea()
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll_area.setWidget(self._surface)
        self.scroll_area.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self._autoscroll = AutoScroll(self.scroll_area, _SCROLL_EDGE_PX, self._on_scrolled)
        layout = column(self.header, gap=0, parent=self)
        layout.addWidget(self.scroll_area, 1)

    def show_page(self, view: CanvasPage | None) -> None:
        """Show a page; None hides it."""
        self.page_canvas.setVisible(view is not None)
        if view is not None:
            self.page_canvas.show_page_in_slices(view)
        else:
            self.page_canvas.stop_creating_cards()

    def show_header(self, number: str, name: str, frequency: str) -> None:
        """Show the number, name and frequency of the page in the header and to screen readers."""
        self.header.show_page(number, name, frequency)
        self.setAccessibleName(sanitize_line(" ".join(part for part in (number, name) if part) or _("Page")))
        self.setAccessibleDescription(sanitize(frequency))

    def scroll_to(self, key: str, *, highlights: bool = False) -> None:
        """Scroll a node into view. With `highlights`, a highlight ring appears around it once."""
        QTimer.singleShot(0, self, lambda: self._reveal(key, highlights=highlights))

    def scroll_to_end_of(self, key: str) -> None:
        """Scroll an item that is being edited into view; of a card that is too tall, the end is shown."""
        QTimer.singleShot(0, self, lambda: self._reveal(key, highlights=False, shows_end=True))

    def focus_node(self, key: str) -> None:
        """Focus an item, column or row. The canvas itself gets the focus if the key is not on the page.

        A field in the item keeps the focus, for example the one in which its label is edited.
        """
        if key and self.focused_key() == key:
            return
        widget = self.page_canvas.widget_of(key)
        if widget is None and self.page_canvas.is_creating_cards:
            self._defer(key, focuses=True)
        (widget or self).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def main_widget(self) -> QWidget:
        """The widget that gets the initial focus: the selected card, or the canvas for the page."""
        cards = (card for card in self.page_canvas.cards() if card.isVisibleTo(self))
        return next((card for card in cards if card.is_selected), self)

    def focused_key(self) -> str | None:
        """The key of the node that has the focus or contains the focused widget."""
        return self.page_canvas.key_of(QApplication.focusWidget())

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
        if not self.scroll_area.verticalScrollBar().isVisible():
            self.scroll_area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._geometry = self._page_geometry()

    def _page_geometry(self) -> PageGeometry:
        allows_columns = not self._study.is_collection
        return replace(self.page_canvas.page_geometry(), allows_columns=allows_columns)

    def _defer(
        self, key: str, *, focuses: bool = False, scrolls: bool = False, highlights: bool = False
    ) -> None:
        """Focus or reveal a node once its card is created."""
        pending = self._deferred
        if pending is not None and pending.key == key:
            focuses, scrolls = focuses or pending.focuses, scrolls or pending.scrolls
            highlights = highlights or pending.highlights
        self._deferred = _DeferredReveal(key, focuses, scrolls, highlights)

    def _on_cards_created(self) -> None:
        """Carry out deferred requests for new cards, and update the geometry during a drag."""
        self._measure()
        deferred = self._deferred
        is_created = deferred is not None and self.page_canvas.widget_of(deferred.key) is not None
        if is_created or not self.page_canvas.is_creating_cards:
            self._deferred = None
        if deferred is None or not is_created:
            return
        if deferred.focuses and self.hasFocus():
            self.focus_node(deferred.key)
        if deferred.scrolls:
            self._reveal(deferred.key, highlights=deferred.highlights)

    def _measure(self) -> None:
        """Hide the indicator and record the geometry again, because the page has changed during a drag."""
        if self._geometry is not None:
            self.page_canvas.show_drop_indicator(None)
            self._geometry = self._page_geometry()

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
        self.scroll_area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def _insertion_point_at(self, point: QPoint, payload: DragPayload) -> InsertionPoint | None:
        if self._geometry is None or self.page_canvas.is_creating_cards:
            return None
        indicator = self._geometry.indicator_at(
            self._without_gap(self.page_canvas.mapFrom(self._surface, point)), payload.level, theme().scale
        )
        self._indicator = indicator
        return indicator.insertion_point

    def _without_gap(self, point: QPoint) -> QPoint:
        """Convert a point to the page at rest, before rows moved apart for the indicator."""
        gap_rect = self.page_canvas.open_gap()
        if gap_rect is None or point.y() <= gap_rect.top():
            return point
        return QPoint(point.x(), max(gap_rect.top(), point.y() - gap_rect.height()))

    def _on_scrolled(self, point: QPoint, copies: bool) -> None:
        at = self._surface.mapFrom(self.scroll_area.viewport(), point)
        self.show_drop_preview(self.drop_target.preview_at(at, copies=copies), at)

    def _on_background_pressed(self) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.background_clicked.emit()

    def _reveal(self, key: str, *, highlights: bool, shows_end: bool = False) -> None:
        """Scroll as little as possible.

        Of a node that is too tall, the top is shown, or the bottom with `highlights` or `shows_end`.
        """
        widget = self.page_canvas.widget_of(key)
        if widget is None:
            if self.page_canvas.is_creating_cards:
                self._defer(key, scrolls=True, highlights=highlights)
            return
        # Cards that have just grown are squeezed into the page until it grows, too.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        margin, bar, height = (
            theme().px(24),
            self.scroll_area.verticalScrollBar(),
            self.scroll_area.viewport().height(),
        )
        top = widget.mapTo(self._surface, QPoint()).y() - margin
        end = top + widget.height() + 2 * margin
        if end - top > height:
            bar.setValue(end - height if highlights or shows_end else top)
        else:
            bar.setValue(min(max(bar.value(), end - height), top))
        if highlights:
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
