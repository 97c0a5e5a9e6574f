"""The canvas: the page in view on its sheet, with the record it is filled with (look.md 7)."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCursor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
    QPalette,
)
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget
from typing_extensions import override

from batchwright.layout.edits import Gap
from batchwright.ui.kit.boxes import column, row
from batchwright.ui.kit.buttons import IconButton
from batchwright.ui.kit.text import CutText, Text
from batchwright.ui.layout.canvas_landing import RefusalHint
from batchwright.ui.layout.canvas_map import PageMap, Spot
from batchwright.ui.layout.canvas_sheet import PageView, Sheet
from batchwright.ui.layout.cargo import Cargo
from batchwright.ui.layout.drags import image_rect
from batchwright.ui.layout.drops import Drop, Subject
from batchwright.ui.layout.landing import Landing
from batchwright.ui.theme import Role, theme
from batchwright.words import _

_NEAR_EDGE = 48
_FASTEST = 18
_TICK = 16


class PageLine(QWidget):
    """Which page this is, and which record it is filled with."""

    record_wanted = Signal(int)
    """Another record, by so many further."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number = Text("", Role.SMALL_STRONG, tabular=True)
        self._name = CutText("", Role.SMALL, "text2")
        self._how = CutText("", Role.CAPTION, "text2")
        self._record = Text("", Role.SMALL, "text2", tabular=True)
        self._before = IconButton("caret-left", _("Previous record"), glyph_size=16)
        self._after = IconButton("caret-right", _("Next record"), glyph_size=16)
        self._before.clicked.connect(lambda: self.record_wanted.emit(-1))
        self._after.clicked.connect(lambda: self.record_wanted.emit(1))
        words = row(self._number, self._name, self._how, None, gap=10)
        line = row(gap=2, margins=(24, 0, 16, 0), parent=self)
        line.addLayout(words, 1)
        line.put(self._before, self._record, self._after)
        self.setFixedHeight(theme().px(40))

    def show_page(self, number: str, name: str, how: str) -> None:
        """Say which page this is, what it is called, and how often it is shown."""
        self._number.setText(number)
        self._name.setText(name)
        self._name.setVisible(bool(name))
        self._how.setText(how)

    def show_record(self, number: int, count: int) -> None:
        """Say which record is shown; nothing without data."""
        for part in (self._before, self._record, self._after):
            part.setVisible(count > 0)
        self._record.setText(_("Record {number} of {count}").format(number=number + 1, count=count))
        self._before.setEnabled(number > 0)
        self._after.setEnabled(number < count - 1)


class _Field(QWidget):
    """What scrolls: the sheet in the middle, and room around it where a drop is taken as well."""

    pressed = Signal()

    def __init__(self, sheet: Sheet, drop: Drop, canvas: "Canvas") -> None:
        super().__init__()
        self._sheet, self._drop, self._canvas = sheet, drop, canvas
        self.setAcceptDrops(True)
        middle = row(gap=0)
        middle.addStretch(1)
        middle.addWidget(sheet, 1000)
        middle.addStretch(1)
        whole = column(gap=0, margins=(16, 0, 16, 16), parent=self)
        whole.addLayout(middle, 1)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._canvas.begin_drop()
        self._drop.enter(event)

    @override
    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._canvas.show_landing(self._drop.move(event), event.position().toPoint())

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._drop.leave()
        self._canvas.end_drop()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        self._drop.release(event)
        self._canvas.end_drop()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()


class Canvas(QFrame):
    """Shows a page and takes drops on it."""

    ground_pressed = Signal()
    """A click beside all cards: nothing is to be selected."""
    escaped = Signal()

    def __init__(self, subject: Subject, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Page"))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.line = PageLine()
        self.sheet = Sheet()
        self.drop = Drop(subject, self._gap_at)
        self._map: PageMap | None = None
        self._spot: Spot | None = None
        self._field = _Field(self.sheet, self.drop, self)
        self._field.pressed.connect(self.ground_pressed)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._field)
        self._scroll.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self._refusal = RefusalHint(self)
        self._edge = QTimer(self)
        self._edge.setInterval(_TICK)
        self._edge.timeout.connect(self._scroll_on)
        whole = column(self.line, gap=0, parent=self)
        whole.addWidget(self._scroll, 1)

    def show_view(self, view: PageView | None) -> None:
        """Draw a page; None hides the sheet."""
        self.sheet.setVisible(view is not None)
        if view is not None:
            self.sheet.show_view(view)

    def scroll_to(self, key: str) -> None:
        """Bring an entry into view, with its foot."""
        widget = self.sheet.widget_of(key)
        if widget is not None:
            QTimer.singleShot(0, widget, lambda: self._reveal(widget))

    def scroll_to_top(self) -> None:
        """Show the head of the page."""
        self._scroll.verticalScrollBar().setValue(0)

    def focus_card(self, key: str) -> None:
        """Give an item the keyboard."""
        card = self.sheet.card(key)
        if card is not None:
            card.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def has_keyboard(self) -> bool:
        """Whether the keyboard is here."""
        focused = QApplication.focusWidget()
        return focused is not None and (focused is self or self.isAncestorOf(focused))

    def take(self, keys: Sequence[str], run: Callable[[], None]) -> None:
        """Show entries as being dragged while `run` lets them follow the pointer."""
        self.sheet.mark_taken(keys)
        try:
            run()
        finally:
            self.sheet.mark_taken(())
            self.end_drop()

    # During a drag

    def begin_drop(self) -> None:
        """Measure the page as it rests; no scroll bar may come while rows open, and make it narrower."""
        self.sheet.mark_spot(None)
        if not self._scroll.verticalScrollBar().isVisible():
            self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._map = self.sheet.page_map()

    def show_landing(self, landing: Landing | None, at: QPoint) -> None:
        """Mark where a drag would land, or say why it would not; and scroll at the edges."""
        shows = landing is not None and not landing.refusal and landing.edit is not None
        covered = image_rect(self.sheet.mapFrom(self._field, at))
        words = landing.words if landing is not None else ""
        self.sheet.mark_spot(self._spot if shows else None, words, covered)
        beside = self._field.mapTo(self, at)
        self._refusal.show_reason(landing.refusal if landing is not None else "", beside.toPointF())
        if self._speed():
            self._edge.start()

    def end_drop(self) -> None:
        """The drag is gone."""
        self._edge.stop()
        self._map = self._spot = None
        self.sheet.mark_spot(None)
        self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._refusal.show_reason("", QPoint().toPointF())

    def _gap_at(self, point: QPoint, cargo: Cargo) -> Gap | None:
        if self._map is None:
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

    def _speed(self) -> int:
        """How far to scroll now, because the pointer is near an edge."""
        view = self._scroll.viewport()
        y = view.mapFromGlobal(QCursor.pos()).y()
        near = theme().px(_NEAR_EDGE)
        if not QRect(QPoint(), view.size()).adjusted(0, -near, 0, near).contains(view.rect().center().x(), y):
            return 0
        if y < near:
            return -_FASTEST * (near - max(y, 0)) // near
        below = view.height() - y
        return _FASTEST * (near - max(below, 0)) // near if below < near else 0

    def _scroll_on(self) -> None:
        speed, bar = self._speed(), self._scroll.verticalScrollBar()
        before = bar.value()
        bar.setValue(before + speed)
        if not speed or bar.value() == before:
            self._edge.stop()
            return
        at = self._field.mapFromGlobal(QCursor.pos())
        held = QApplication.queryKeyboardModifiers() & Qt.KeyboardModifier.ControlModifier
        self.show_landing(self.drop.look(at, copies=bool(held)), at)

    def _reveal(self, widget: QWidget) -> None:
        self._scroll.ensureWidgetVisible(widget, 0, theme().px(24))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
            return
        super().keyPressEvent(event)
