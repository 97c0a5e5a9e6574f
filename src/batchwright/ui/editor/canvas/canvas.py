"""The canvas: the page in view on its sheet, with the record it is filled with (look.md 7)."""

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
from batchwright.ui.editor.dnd.drop_target import DropTarget, EditableLayout
from batchwright.ui.editor.dnd.payload import DragPayload
from batchwright.ui.editor.pages.page_header import PageHeader
from batchwright.ui.theme import theme
from batchwright.ui.theme.foreign import harmless, harmless_line
from batchwright.ui.widgets.box_layouts import column, row

_SCROLL_EDGE_PX = 48
_LEAVE_AFTER_MS = 500
"""Milliseconds that a drop may come later than the pointer that lets go of it."""


@dataclass(frozen=True)
class _DeferredReveal:
    """An entry that was gone to before it was drawn, and what is to be done then."""

    key: str
    takes_keyboard: bool
    scrolls: bool
    glows: bool


class _CanvasSurface(QWidget):
    """What scrolls: the sheet in the middle, and room around it where a drop is taken as well."""

    pressed = Signal()

    def __init__(self, sheet: PageCanvas, canvas: "Canvas") -> None:
        super().__init__()
        self._sheet, self._canvas = sheet, canvas
        self.setAcceptDrops(True)
        self._gone = QTimer(self, singleShot=True, interval=_LEAVE_AFTER_MS)
        self._gone.timeout.connect(self._end)
        middle = row(gap=0)
        middle.addStretch(1)
        middle.addWidget(sheet, 1000)
        middle.addStretch(1)
        whole = column(gap=0, margins=(16, 0, 16, 16), parent=self)
        whole.addLayout(middle, 1)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._gone.stop()
        self._canvas.drop.enter(event)
        if event.isAccepted():
            self._canvas.begin_drop()

    @override
    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._canvas.show_landing(self._canvas.drop.move(event), event.position().toPoint())

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._end()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        self._gone.stop()
        self._canvas.drop.release(event)
        self._canvas.end_drop()

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        """The pointer comes without a drag: it has let go, or the program it came from ended midway."""
        if self._canvas.drop.cargo is not None:
            self._gone.start()

    def _end(self) -> None:
        self._gone.stop()
        self._canvas.drop.leave()
        self._canvas.end_drop()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()


class Canvas(QFrame):
    """Shows a page and takes drops on it."""

    ground_pressed = Signal()
    """A click beside all cards: nothing is to be selected."""
    escaped = Signal()
    begun = Signal(bool)
    """An arrow while the page itself has the keyboard: to its first item, or (False) to its last."""
    entered = Signal()
    """Enter: the page itself is to be edited."""

    def __init__(self, subject: EditableLayout, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Page"))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.line = PageHeader()
        self.sheet = PageCanvas()
        self.sheet.first_stop = self.line.last_stop
        self._map: PageGeometry | None = None
        self.sheet.widened.connect(lambda: QTimer.singleShot(0, self, self._measure_again))
        self.sheet.grown.connect(lambda: QTimer.singleShot(0, self, self._sheet_grown))
        self._awaited: _DeferredReveal | None = None
        self._spot: DropIndicatorGeometry | None = None
        self._field = _CanvasSurface(self.sheet, self)
        self.drop = DropTarget(subject, self._field, self._gap_at)
        self._field.pressed.connect(self._press_ground)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._field)
        self._scroll.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self._edge = AutoScroll(self._scroll, _SCROLL_EDGE_PX, self._scrolled)
        whole = column(self.line, gap=0, parent=self)
        whole.addWidget(self._scroll, 1)

    def show_view(self, view: CanvasPage | None) -> None:
        """Draw a page; None hides the sheet."""
        self.sheet.setVisible(view is not None)
        if view is not None:
            self.sheet.show_in_slices(view)
        else:
            self.sheet.stop()

    def show_line(self, number: str, name: str, how: str) -> None:
        """Say which page this is, what it is called, and how often it is shown."""
        self.line.show_page(number, name, how)
        self.setAccessibleName(harmless_line(" ".join(part for part in (number, name) if part) or _("Page")))
        self.setAccessibleDescription(harmless(how))

    def scroll_to(self, key: str, *, glows: bool = False) -> None:
        """Bring an entry into view, with its foot; with `glows` a ring glows around it once."""
        QTimer.singleShot(0, self, lambda: self._reveal(key, glows=glows))

    def scroll_to_top(self) -> None:
        """Show the head of the page."""
        self._scroll.verticalScrollBar().setValue(0)

    def focus_entry(self, key: str) -> None:
        """Give an item, a column or a row the keyboard; the page has it where the key is none of theirs."""
        widget = self.sheet.widget_of(key)
        if widget is None and self.sheet.is_growing:
            self._await(key, takes_keyboard=True)
        (widget or self).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def main_widget(self) -> QWidget:
        """The card that is selected, or the first one; the page where there is none, or none yet."""
        cards = [card for card in self.sheet.cards() if card.isVisibleTo(self)]
        return next((card for card in cards if card.is_selected), next(iter(cards), self))

    def focused_key(self) -> str | None:
        """The key of the entry that has the keyboard, itself or something on it."""
        return self.sheet.key_of(QApplication.focusWidget())

    def is_elsewhere(self, key: str | None) -> bool:
        """Whether an entry is on the page and something else has the keyboard."""
        return key is not None and key != self.focused_key() and self.sheet.widget_of(key) is not None

    def has_keyboard(self) -> bool:
        """Whether the keyboard is here."""
        focused = QApplication.focusWidget()
        return focused is not None and (focused is self or self.isAncestorOf(focused))

    def show_taken(self, keys: Sequence[str]) -> None:
        """Let entries be seen as being dragged; none means that the drag is over."""
        self.sheet.mark_taken(keys)
        if not keys:
            self.end_drop()

    # During a drag

    def begin_drop(self) -> None:
        """Measure the page as it rests; no scroll bar may come while rows open, and make it narrower."""
        self.sheet.mark_spot(None)
        if not self._scroll.verticalScrollBar().isVisible():
            self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._map = self.sheet.page_map()

    def _await(
        self, key: str, *, takes_keyboard: bool = False, scrolls: bool = False, glows: bool = False
    ) -> None:
        """Go on with an entry when it has been drawn."""
        had = self._awaited
        if had is not None and had.key == key:
            takes_keyboard, scrolls = takes_keyboard or had.takes_keyboard, scrolls or had.scrolls
            glows = glows or had.glows
        self._awaited = _DeferredReveal(key, takes_keyboard, scrolls, glows)

    def _sheet_grown(self) -> None:
        """Go to what could not be gone to before it was drawn, and measure again in a drag."""
        self._measure_again()
        awaited = self._awaited
        is_there = awaited is not None and self.sheet.widget_of(awaited.key) is not None
        if is_there or not self.sheet.is_growing:
            self._awaited = None
        if awaited is None or not is_there:
            return
        if awaited.takes_keyboard and self.hasFocus():
            self.focus_entry(awaited.key)
        if awaited.scrolls:
            self._reveal(awaited.key, glows=awaited.glows)

    def _measure_again(self) -> None:
        """The page has become another in the middle of a drag: what was marked on it is no more."""
        if self._map is not None:
            self.sheet.mark_spot(None)
            self._map = self.sheet.page_map()

    def show_landing(self, landing: DropPreview | None, at: QPoint) -> None:
        """Mark where a drag would land, or say why it would not; and scroll at the edges."""
        shows = landing is not None and not landing.refusal and landing.edit is not None
        covered = image_rect(self.sheet.mapFrom(self._field, at))
        words = landing.words if landing is not None else ""
        self.sheet.mark_spot(self._spot if shows else None, words, covered)
        self._edge.look()

    def end_drop(self) -> None:
        """The drag is gone."""
        self._edge.stop()
        self._map = self._spot = None
        self.sheet.mark_spot(None)
        self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def _gap_at(self, point: QPoint, cargo: DragPayload) -> InsertionPoint | None:
        if self._map is None or self.sheet.is_growing:
            return None
        spot = self._map.spot(
            self._at_rest(self.sheet.mapFrom(self._field, point)), cargo.level, theme().scale
        )
        self._spot = spot
        return spot.gap

    def _at_rest(self, point: QPoint) -> QPoint:
        """The point on the page as it was before rows opened for the landing line."""
        opened = self.sheet.opened()
        if opened is None or point.y() <= opened.top():
            return point
        return QPoint(point.x(), max(opened.top(), point.y() - opened.height()))

    def _scrolled(self, point: QPoint, copies: bool) -> None:
        at = self._field.mapFrom(self._scroll.viewport(), point)
        self.show_landing(self.drop.look(at, copies=copies), at)

    def _press_ground(self) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.ground_pressed.emit()

    def _reveal(self, key: str, *, glows: bool) -> None:
        """Scroll no further than needed; of what is too tall the head is shown, or the foot if that glows."""
        widget = self.sheet.widget_of(key)
        if widget is None:
            if self.sheet.is_growing:
                self._await(key, scrolls=True, glows=glows)
            return
        margin, bar, room = theme().px(24), self._scroll.verticalScrollBar(), self._scroll.viewport().height()
        top = widget.mapTo(self._field, QPoint()).y() - margin
        end = top + widget.height() + 2 * margin
        if end - top > room:
            bar.setValue(end - room if glows else top)
        else:
            bar.setValue(min(max(bar.value(), end - room), top))
        if glows:
            self.sheet.glow.start(key)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_page = self.hasFocus() and event.modifiers() == Qt.KeyboardModifier.NoModifier
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif is_page and event.key() in {Qt.Key.Key_Down, Qt.Key.Key_Up}:
            self.begun.emit(event.key() == Qt.Key.Key_Down)
        elif is_page and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.entered.emit()
        else:
            super().keyPressEvent(event)
