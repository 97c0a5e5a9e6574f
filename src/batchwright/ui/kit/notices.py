"""Notices that slide in at the lower right: what finished or failed, with one button (look.md 11).

The newest are shown. How many earlier ones there are is said above them, on a button that shows them all in a
list that scrolls: no notice lies behind another, and none is lost.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QEasingCurve, QEvent, QObject, QPoint, QPropertyAnimation, QSize, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget
from typing_extensions import override

from batchwright.ui.kit.boxes import column, row
from batchwright.ui.kit.buttons import Button, Height, IconButton, Kind
from batchwright.ui.kit.scrolling import Scrolled
from batchwright.ui.kit.text import Text
from batchwright.ui.kit.tiles import Glyph
from batchwright.ui.theme import Role, theme
from batchwright.ui.theme.drawing import rounded
from batchwright.ui.theme.shadows import Depth, draw_shadow
from batchwright.words import _, ngettext

_WIDTH = 392
_EDGE = 16
_BETWEEN = 12
_MOST = 3
_STAYS = 8000
_IN, _OUT = 160, 120
_SLIDE = 16
_RADIUS = 10


class Mood(Enum):
    """What a notice tells, as the glyph and the token of its sign."""

    DONE = ("check-circle-fill", "ok")
    ADVICE = ("warning-fill", "warn")
    FAILED = ("warning-circle-fill", "err")
    INFO = ("info", "question")


@dataclass(frozen=True)
class Notice:
    """A title, one line, and up to two buttons with what they do. Failures stay until they are closed."""

    mood: Mood
    title: str
    line: str = ""
    button: str = ""
    press: Callable[[], object] | None = None
    other: str = ""
    """The text of a second, quiet button."""
    press_other: Callable[[], object] | None = None


class NoticeCard(QFrame):
    """One notice; it goes when it was shown for a while, but never under the pointer or with the keyboard."""

    gone = Signal()

    def __init__(self, notice: Notice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notice = notice
        self._has_ended = False
        glyph, tone = notice.mood.value
        self.setAccessibleName(notice.title)
        self.setAccessibleDescription(notice.line)
        words = column(Text(notice.title, Role.STRONG, wraps=True), gap=1)
        if notice.line:
            words.put(Text(notice.line, Role.SMALL, "text2", wraps=True))
        reach = Depth.LIFTED.reach
        line = row(gap=12, margins=(reach + 14, reach + 10, reach + 8, reach + 10), parent=self)
        line.addLayout(column(2, Glyph(glyph, tone, 20), None, gap=0))
        line.addLayout(words, 1)
        if notice.button:
            press = Button(notice.button, height=Height.NOTICE)
            press.clicked.connect(self._press)
            buttons = column(press, gap=4)
            if notice.other:
                other = Button(notice.other, Kind.QUIET, height=Height.NOTICE)
                other.clicked.connect(self._press_other)
                buttons.addWidget(other)
            line.addLayout(buttons)
        close = IconButton("x", _("Close"), glyph_size=14)
        close.clicked.connect(self.gone)
        line.addWidget(close)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_STAYS)
        self._wait.timeout.connect(self._leave)
        self._motion = QPropertyAnimation(self, b"pos", self)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)

    @property
    def notice(self) -> Notice:
        """What it tells."""
        return self._notice

    def move_to(self, place: QPoint, milliseconds: int = 0) -> None:
        """Go to a place, in so much time; wherever it was on its way to before."""
        self._motion.stop()
        if not theme().ms(milliseconds):
            self.move(place)
            return
        self._motion.setDuration(milliseconds)
        self._motion.setEndValue(place)
        self._motion.start()

    def _press(self) -> None:
        self._end(self._notice.press)

    def _press_other(self) -> None:
        self._end(self._notice.press_other)

    def _end(self, act: Callable[[], object] | None) -> None:
        """Go, and act once: while it slides out, a double click reaches its buttons again."""
        if not self._has_ended:
            self._has_ended = True
            self.gone.emit()
            if act is not None:
                act()

    def _leave(self) -> None:
        focused = QApplication.focusWidget()
        if self.underMouse() or (focused is not None and self.isAncestorOf(focused)):
            self._wait.start()
        else:
            self.gone.emit()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._notice.mood is not Mood.FAILED:
            self._wait.start()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._wait.stop()

    @override
    def sizeHint(self) -> QSize:
        width = theme().px(_WIDTH) + 2 * Depth.LIFTED.reach
        layout = self.layout()
        return QSize(width, layout.totalHeightForWidth(width) if layout is not None else 0)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, reach = QPainter(self), theme().tokens, Depth.LIFTED.reach
        box = self.rect().adjusted(reach, reach, -reach, -reach)
        draw_shadow(painter, box, Depth.LIFTED, tokens.shadow, is_dark=theme().is_dark)
        rounded(painter, box, theme().px(_RADIUS), tokens.surface, tokens.border)


class Notices(QObject):
    """The notices of one window, the newest lowest: as many as there is room for, three at most, or all."""

    told = Signal(object)
    """A `Notice` is told, whether there is room for it now or not."""

    def __init__(self, host: QWidget, *, above: int = 28, below: int = 0) -> None:
        """Show notices in the corner of `host`, `above` its lower edge and `below` its upper one."""
        super().__init__(host)
        self._host, self._above, self._below = host, above, below
        self._cards: list[NoticeCard] = []
        self._shows_all = False
        self._surface = QWidget()
        self._list = Scrolled(self._surface, host)
        self._list.setWidgetResizable(False)
        self._list.setAccessibleName(_("Notices"))
        self._list.hide()
        self._earlier = Button("", height=Height.SMALL, parent=host)
        self._earlier.clicked.connect(self._toggle)
        self._earlier.hide()
        theme().follow(self._arrange)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)
        host.installEventFilter(self)

    @property
    def cards(self) -> tuple[NoticeCard, ...]:
        """The notices that nobody has closed, from above; the earlier ones may not be shown just now."""
        return tuple(self._cards)

    def regions(self) -> Sequence[QWidget]:
        """The parts that F6 walks through: the newest notice first, and what shows the others last."""
        return (*reversed(self._cards), self._earlier)

    def tell(self, notice: Notice) -> None:
        """Show a notice above all others."""
        self.told.emit(notice)
        card = NoticeCard(notice, self._surface)
        card.gone.connect(self._drop)
        self._cards.append(card)
        self._arrange(newest=card)
        bar = self._list.verticalScrollBar()
        bar.setValue(bar.maximum())
        QAccessible.updateAccessibility(QAccessibleEvent(card, QAccessible.Event.Alert))

    def focus_next(self) -> bool:
        """Give the keyboard to the newest notice; False when there is none."""
        if not self._cards:
            return False
        buttons = self._cards[-1].findChildren(Button)
        if buttons:
            buttons[0].setFocus()
        return True

    def _toggle(self) -> None:
        self._shows_all = not self._shows_all
        self._earlier.setFocus()  # a notice that is put away must not have the keyboard
        self._arrange()
        bar = self._list.verticalScrollBar()
        bar.setValue(bar.maximum())

    def _drop(self) -> None:
        card = self.sender()
        if not isinstance(card, NoticeCard) or card not in self._cards:
            return
        self._cards.remove(card)
        card.lower()
        card.move_to(card.pos() + QPoint(theme().px(_SLIDE), 0), _OUT)
        QTimer.singleShot(theme().ms(_OUT), card, card.deleteLater)
        self._arrange()

    def _arrange(self, newest: NoticeCard | None = None) -> None:
        """Put the cards that are shown below each other into the corner, and the button above them."""
        px, reach = theme().px, Depth.LIFTED.reach
        for card in self._cards:
            card.resize(card.sizeHint())
        self._shows_all = self._shows_all or self._is_any_focused(self._earlier_cards())
        shown = self._cards if self._shows_all else self._newest_with_room()
        top, slide = 0, px(_SLIDE)
        for card in shown:
            if card is newest:
                card.move(slide, top)
            card.move_to(QPoint(0, top), _IN if card is newest else 0)
            top += card.height() + px(_BETWEEN) - 2 * reach
        height = max(0, top - px(_BETWEEN) + 2 * reach)
        for card in self._cards:
            card.setVisible(card in shown)
        width = max((card.width() for card in shown), default=0)
        self._surface.resize(width, height)
        visible = min(height, self._room())
        bar = self._list.verticalScrollBar().sizeHint().width() if visible < height else 0
        right = self._host.width() - (0 if bar else px(_EDGE) - reach)
        bottom = self._host.height() - px(self._above + _EDGE) + reach
        self._list.setGeometry(right - width - bar, bottom - visible, width + bar, visible)
        self._list.setVisible(bool(shown))
        self._list.raise_()
        self._show_earlier(right=right - reach - bar, bottom=bottom - visible + reach)

    def _show_earlier(self, *, right: int, bottom: int) -> None:
        count = len(self._earlier_cards())
        self._shows_all = self._shows_all and count > 0
        text = ngettext("{count} earlier notice", "{count} earlier notices", count).format(count=count)
        self._earlier.setText(_("Show fewer") if self._shows_all else text)
        self._earlier.setVisible(count > 0)
        self._earlier.resize(self._earlier.sizeHint())
        self._earlier.move(
            right - self._earlier.width(), bottom - theme().px(_BETWEEN) - self._earlier.height()
        )
        self._earlier.raise_()

    def _room(self) -> int:
        """How tall all cards together may be, so that the button above them is still to be seen."""
        px, reach = theme().px, Depth.LIFTED.reach
        button = self._earlier.sizeHint().height() + 2 * px(_BETWEEN)
        return max(0, self._host.height() - px(self._below + self._above + _EDGE) - button + reach)

    def _earlier_cards(self) -> list[NoticeCard]:
        """The cards that there is no room for beside the newest."""
        return self._cards[: len(self._cards) - len(self._newest_with_room())]

    def _newest_with_room(self) -> list[NoticeCard]:
        """The newest cards that fit, three at most, and always the newest one."""
        left, between = self._room(), theme().px(_BETWEEN) - 2 * Depth.LIFTED.reach
        fitting: list[NoticeCard] = []
        for card in reversed(self._cards[-_MOST:]):
            left -= card.height()
            if fitting and left < 0:
                break
            fitting.insert(0, card)
            left -= between
        return fitting

    def _is_any_focused(self, cards: Sequence[NoticeCard]) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and any(card.isAncestorOf(focused) for card in cards)

    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Scroll to the notice that has the keyboard."""
        for card in self._cards:
            if now is not None and card.isAncestorOf(now):
                self._list.ensureWidgetVisible(card, 0, 0)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._arrange()
        return False
