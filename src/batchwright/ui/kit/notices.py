"""Notices that slide in at the lower right: what finished or failed, with one button (look.md 11)."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QEasingCurve, QEvent, QObject, QPoint, QPropertyAnimation, QSize, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget
from typing_extensions import override

from batchwright.ui.kit.boxes import column, row
from batchwright.ui.kit.buttons import Button, Height, IconButton
from batchwright.ui.kit.text import Text
from batchwright.ui.kit.tiles import Glyph
from batchwright.ui.theme import Role, theme
from batchwright.ui.theme.drawing import rounded
from batchwright.ui.theme.shadows import Depth, draw_shadow
from batchwright.words import _

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
    """A title, one line, and one button with what it does. Failures stay until they are closed."""

    mood: Mood
    title: str
    line: str = ""
    button: str = ""
    press: Callable[[], object] | None = None


class NoticeCard(QFrame):
    """One notice; it goes after a while, but never under the pointer or while it has the keyboard."""

    gone = Signal()

    def __init__(self, notice: Notice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notice = notice
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
            line.addWidget(press)
        close = IconButton("x", _("Close"), glyph_size=14)
        close.clicked.connect(self.gone)
        line.addWidget(close)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_STAYS)
        self._wait.timeout.connect(self._leave)
        if notice.mood is not Mood.FAILED:
            self._wait.start()

    @property
    def notice(self) -> Notice:
        """What it tells."""
        return self._notice

    def _press(self) -> None:
        self.gone.emit()
        if self._notice.press is not None:
            self._notice.press()

    def _leave(self) -> None:
        focused = QApplication.focusWidget()
        if self.underMouse() or (focused is not None and self.isAncestorOf(focused)):
            self._wait.start()
        else:
            self.gone.emit()

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
    """The notices of one window, the newest lowest, three at most; the others wait."""

    told = Signal(object)
    """A `Notice` is told, whether there is room for it now or not."""

    def __init__(self, host: QWidget, *, above: int = 28) -> None:
        """Show notices in the corner of `host`, `above` its lower edge."""
        super().__init__(host)
        self._host, self._above = host, above
        self._cards: list[NoticeCard] = []
        self._waiting: list[Notice] = []
        host.installEventFilter(self)

    @property
    def cards(self) -> tuple[NoticeCard, ...]:
        """What is shown, from above."""
        return tuple(self._cards)

    def tell(self, notice: Notice) -> None:
        """Show a notice, or keep it until there is room."""
        self.told.emit(notice)
        self._show(notice)

    def focus_next(self) -> bool:
        """Give the keyboard to the newest notice; False when there is none."""
        if not self._cards:
            return False
        buttons = self._cards[-1].findChildren(Button)
        if buttons:
            buttons[0].setFocus()
        return True

    def _show(self, notice: Notice) -> None:
        if len(self._cards) >= _MOST:
            self._waiting.append(notice)
            return
        card = NoticeCard(notice, self._host)
        card.gone.connect(self._drop)
        self._cards.append(card)
        card.resize(card.sizeHint())
        card.show()
        self._arrange(newest=card)
        QAccessible.updateAccessibility(QAccessibleEvent(card, QAccessible.Event.Alert))

    def _drop(self) -> None:
        card = self.sender()
        if not isinstance(card, NoticeCard) or card not in self._cards:
            return
        self._cards.remove(card)
        self._slide(card, card.pos() + QPoint(theme().px(_SLIDE), 0), _OUT)
        QTimer.singleShot(theme().ms(_OUT), card, card.deleteLater)
        self._arrange()
        if self._waiting:
            self._show(self._waiting.pop(0))

    def _arrange(self, newest: NoticeCard | None = None) -> None:
        px, reach = theme().px, Depth.LIFTED.reach
        bottom = self._host.height() - px(self._above + _EDGE) + reach
        for card in reversed(self._cards):
            at = QPoint(self._host.width() - px(_EDGE) - card.width() + reach, bottom - card.height())
            if card is newest:
                card.move(at + QPoint(px(_SLIDE), 0))
                self._slide(card, at, _IN)
            else:
                card.move(at)
            card.raise_()
            bottom = at.y() - px(_BETWEEN) + 2 * reach

    def _slide(self, card: NoticeCard, to: QPoint, milliseconds: int) -> None:
        if not theme().ms(milliseconds):
            card.move(to)
            return
        motion = QPropertyAnimation(card, b"pos", card)
        motion.setDuration(milliseconds)
        motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        motion.setEndValue(to)
        motion.start(QPropertyAnimation.DeletionPolicy.DeleteWhenStopped)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._arrange()
        return False
