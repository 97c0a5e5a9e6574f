"""Notices: notices below the stage about finished and failed operations, with up to two buttons.

The newest ones are shown as long as the stage keeps its minimum height. A button above them shows the number
of hidden ones, or the title of the newest one if none is shown, and expands the list, which then scrolls.
Notices never overlap.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QEasingCurve, QEvent, QObject, QPoint, QPropertyAnimation, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QHideEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize, IconButton
from batchwright.ui.widgets.help_button import HelpButton, set_help_address
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.text import Label

_MARGIN = 16
_GAP = 8
_MAX_SHOWN = 3
_MAX_WINDOW_SHARE = 0.4
"""Largest share of the window height for notices."""
_MIN_STAGE_HEIGHT = 420
"""Minimum height of header, stage and status bar together, in pixels at 100 %."""
_SHOWN_MS = 8000
_SLIDE_IN_MS, _SLIDE_OUT_MS = 160, 120
_SLIDE_PX = 16
_RADIUS = 10


class NoticeSeverity(Enum):
    """The severity of a notice with its icon and colour token."""

    SUCCESS = ("check-circle-fill", "ok")
    WARNING = ("warning-fill", "warn")
    ERROR = ("warning-circle-fill", "err")
    INFO = ("info", "question")


@dataclass(frozen=True)
class Notice:
    """A notice with title, text and up to two buttons. Errors stay until they are closed."""

    severity: NoticeSeverity
    title: str
    text: str = ""
    action_label: str = ""
    action: Callable[[], object] | None = None
    second_label: str = ""
    """The text of the second button."""
    second_action: Callable[[], object] | None = None
    topic: str = ""
    """A newer notice about the same topic replaces this one; see `NoticeManager.dismiss`."""
    stays: bool = False
    """Whether it stays until it is closed although it is no error: what it has is shown nowhere else."""
    help_address: str = ""
    """Where the help explains it, such as `messages.md#not-found`: a button and F1 open it."""


class NoticeCard(QFrame):
    """The card of a notice. It closes after a while, unless it is hovered or has the focus."""

    dismissed = Signal()

    def __init__(self, notice: Notice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notice = notice
        self._is_dismissed = False
        glyph, tone = notice.severity.value
        self.setAccessibleName(sanitize_line(notice.title))
        self.setAccessibleDescription(sanitize(notice.text))
        texts = column(Label(notice.title, TextRole.STRONG, wraps=True), gap=1)
        if notice.text:
            texts.add(Label(notice.text, TextRole.SMALL, "text2", wraps=True))
        layout = row(gap=12, margins=(14, 8, 8, 8), parent=self)
        layout.addLayout(column(2, Glyph(glyph, tone, 20), None, gap=0))
        layout.addLayout(texts, 1)
        if notice.action_label:
            action_button = Button(notice.action_label, height=ButtonSize.NOTICE)
            action_button.clicked.connect(self._on_action_clicked)
            layout.addWidget(action_button)
        if notice.action_label and notice.second_label:
            second_button = Button(notice.second_label, ButtonKind.QUIET, height=ButtonSize.NOTICE)
            second_button.clicked.connect(self._on_second_action_clicked)
            layout.addWidget(second_button)
        close = IconButton("x", _("Close"), glyph_size=14)
        close.clicked.connect(self.dismissed)
        layout.addWidget(close)
        if notice.help_address:
            set_help_address(self, notice.help_address)
            layout.insertWidget(layout.count() - 1, HelpButton(notice.title))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SHOWN_MS)
        self._timer.timeout.connect(self._on_timeout)
        self._animation = QPropertyAnimation(self, b"pos", self)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)

    @property
    def notice(self) -> Notice:
        """The notice."""
        return self._notice

    def move_to(self, position: QPoint, milliseconds: int = 0) -> None:
        """Move to a position, animated if `milliseconds` is not 0; replaces a running animation."""
        self._animation.stop()
        if not theme().ms(milliseconds):
            self.move(position)
            return
        self._animation.setDuration(milliseconds)
        self._animation.setEndValue(position)
        self._animation.start()

    def _on_action_clicked(self) -> None:
        self._dismiss(self._notice.action)

    def _on_second_action_clicked(self) -> None:
        self._dismiss(self._notice.second_action)

    def _dismiss(self, action: Callable[[], object] | None) -> None:
        """Close and run the action once: during the animation a double click presses the button again."""
        if not self._is_dismissed:
            self._is_dismissed = True
            self.dismissed.emit()
            if action is not None:
                action()

    def _on_timeout(self) -> None:
        focused = QApplication.focusWidget()
        if self.underMouse() or (focused is not None and self.isAncestorOf(focused)):
            self._timer.start()
        else:
            self.dismissed.emit()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._notice.severity is not NoticeSeverity.ERROR and not self._notice.stays:
            self._timer.start()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def height_at(self, width: int) -> int:
        """The height for a width."""
        layout = self.layout()
        return layout.totalHeightForWidth(width) if layout is not None else 0

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = theme().tokens
        draw_rounded(QPainter(self), self.rect(), theme().px(_RADIUS), tokens.surface, tokens.border)


class NoticeManager(QWidget):
    """The notices of a window, the newest at the bottom: up to three if they fit, or all if expanded.

    They are below the stage, so that they cover nothing, and take at most two fifths of the window height.
    """

    shown = Signal(object)
    """Emits each `Notice`, whether it is visible or not."""

    focus_released = Signal()
    """The last notice was closed while it had the keyboard."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cards: list[NoticeCard] = []
        self._is_expanded = False
        self._surface = QWidget()
        self._list = VerticalScrollArea(self._surface, self)
        self._list.setWidgetResizable(False)
        self._list.setAccessibleName(_("Notices"))
        self._list.hide()
        self._earlier_button = Button("", height=ButtonSize.SMALL, parent=self)
        self._earlier_button.clicked.connect(self._toggle_all)
        self._earlier_button.hide()
        theme().on_changed(self._arrange)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)
        self._arrange()

    @property
    def cards(self) -> tuple[NoticeCard, ...]:
        """The open notices from top to bottom; the older ones may be hidden."""
        return tuple(self._cards)

    def regions(self) -> Sequence[QWidget]:
        """The focus regions for F6: the newest notice first, the expand button last."""
        return (*reversed(self._cards), self._earlier_button)

    def show_notice(self, notice: Notice) -> None:
        """Show a notice, in place of an earlier one about the same topic."""
        if notice.topic:
            self.dismiss((notice.topic,))
        self.shown.emit(notice)
        card = NoticeCard(notice, self._surface)
        card.dismissed.connect(self._on_dismissed)
        self._cards.insert(self._position_of(notice), card)
        self._arrange(newest=card)
        bar = self._list.verticalScrollBar()
        bar.setValue(bar.maximum())
        QAccessible.updateAccessibility(QAccessibleEvent(card, QAccessible.Event.Alert))

    def _position_of(self, notice: Notice) -> int:
        """The position of a new notice: the last one, but one that stays does not hide an error."""
        position = len(self._cards)
        if notice.stays:
            while position and self._cards[position - 1].notice.severity is NoticeSeverity.ERROR:
                position -= 1
        return position

    def dismiss(self, topics: Container[str]) -> None:
        """Close the notices about some topics: they are no longer true."""
        for card in tuple(self._cards):
            if card.notice.topic and card.notice.topic in topics:
                card.dismissed.emit()

    def focus_next(self) -> bool:
        """Focus the newest notice; False if there is none."""
        if not self._cards:
            return False
        if self._cards[-1].isHidden():
            self._toggle_all()
        buttons = self._cards[-1].findChildren(Button)
        if buttons:
            buttons[0].setFocus()
        return True

    def _toggle_all(self) -> None:
        self._is_expanded = not self._is_expanded
        self._earlier_button.setFocus()  # a hidden notice must not have the focus
        self._arrange()
        bar = self._list.verticalScrollBar()
        bar.setValue(bar.maximum())

    def _on_dismissed(self) -> None:
        card = self.sender()
        if not isinstance(card, NoticeCard) or card not in self._cards:
            return
        had_focus = self._is_any_focused([card])
        self._cards.remove(card)
        card.lower()
        card.move_to(card.pos() + QPoint(theme().px(_SLIDE_PX), 0), _SLIDE_OUT_MS)
        QTimer.singleShot(theme().ms(_SLIDE_OUT_MS), card, card.deleteLater)
        self._arrange()
        if had_focus and not self.focus_next():
            self.focus_released.emit()

    def _arrange(self, newest: NoticeCard | None = None) -> None:
        """Place the visible cards and the button above them, and set the height."""
        px = theme().px
        edge, width = px(_MARGIN), max(0, self.width() - 2 * px(_MARGIN))
        for card in self._cards:
            card.resize(width, card.height_at(width))
        self._is_expanded = self._is_expanded or self._is_any_focused(self._hidden_cards())
        shown = self._cards if self._is_expanded else self._visible_cards()
        top, slide = 0, px(_SLIDE_PX)
        for card in shown:
            if card is newest:
                card.move(slide, top)
            card.move_to(QPoint(0, top), _SLIDE_IN_MS if card is newest else 0)
            top += card.height() + px(_GAP)
        for card in self._cards:
            card.setVisible(card in shown)
        height = max(0, top - px(_GAP))
        self._surface.resize(width, height)
        visible = min(height, self._max_height()) if self._is_expanded else height
        upper = self._show_earlier(right=edge + width)
        bar = self._list.verticalScrollBar().sizeHint().width() if visible < height else 0
        self._list.setGeometry(edge, upper, width + bar, visible)
        self._list.setVisible(bool(shown))
        below = px(_GAP) if shown else 0
        self.setFixedHeight(upper + visible + below if self._cards else 0)

    def _show_earlier(self, *, right: int) -> int:
        """Place the expand button; returns the top of the cards below it."""
        between, count = theme().px(_GAP), len(self._hidden_cards())
        self._is_expanded = self._is_expanded and count > 0
        shows_newest = not self._is_expanded and 0 < count == len(self._cards)
        self._earlier_button.set_glyph(self._cards[-1].notice.severity.value[0] if shows_newest else "")
        text = ngettext("{count} earlier notice", "{count} earlier notices", count).format(count=count)
        if shows_newest:
            text = self._title_of_newest(right - theme().px(_MARGIN))
        self._earlier_button.setText(_("Show fewer") if self._is_expanded else text)
        self._earlier_button.setVisible(count > 0)
        self._earlier_button.resize(self._earlier_button.sizeHint())
        self._earlier_button.move(right - self._earlier_button.width(), between)
        return self._earlier_button.geometry().bottom() + 1 + between if count else between

    def _title_of_newest(self, width: int) -> str:
        """The title of the newest notice for the button, where no notice fits; it is elided to a width."""
        title, earlier = self._cards[-1].notice.title, len(self._cards) - 1
        text = ngettext(
            "{title}, and {count} earlier notice", "{title}, and {count} earlier notices", earlier
        )
        template = text if earlier else "{title}"
        metrics = self._earlier_button.fontMetrics()
        self._earlier_button.setText(template.format(title="…", count=earlier))  # padded only if not empty
        available = width - self._earlier_button.sizeHint().width() + metrics.horizontalAdvance("…")
        elided = metrics.elidedText(sanitize_line(title), Qt.TextElideMode.ElideRight, available)
        return template.format(title=elided, count=earlier)

    def _max_height(self) -> int:
        """Maximum height of the cards when expanded."""
        return max(0, round(self.window().height() * _MAX_WINDOW_SHARE) - self._button_height())

    def _max_collapsed_height(self) -> int:
        """Maximum height of the cards when not expanded."""
        available_height = self.window().height() - theme().px(_MIN_STAGE_HEIGHT) - self._button_height()
        return max(0, min(self._max_height(), available_height))

    def _button_height(self) -> int:
        return self._earlier_button.sizeHint().height() + 3 * theme().px(_GAP)

    def _hidden_cards(self) -> list[NoticeCard]:
        """The older cards that do not fit."""
        return self._cards[: len(self._cards) - len(self._visible_cards())]

    def _visible_cards(self) -> list[NoticeCard]:
        """The newest cards that fit, up to three."""
        available_height, between = self._max_collapsed_height(), theme().px(_GAP)
        visible: list[NoticeCard] = []
        for card in reversed(self._cards[-_MAX_SHOWN:]):
            available_height -= card.height()
            if available_height < 0:
                break
            visible.insert(0, card)
            available_height -= between
        return visible

    def _is_any_focused(self, cards: Sequence[NoticeCard]) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and any(card.isAncestorOf(focused) for card in cards)

    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Scroll to the focused notice."""
        for card in self._cards:
            if now is not None and card.isAncestorOf(now):
                self._list.ensureWidgetVisible(card, 0, 0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != self.width():
            self._arrange()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.window().installEventFilter(self)
        self._arrange()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and watched is self.window():
            self._arrange()
        return False
