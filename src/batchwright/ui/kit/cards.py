"""The card of an item, and its states (look.md 7); also cards that are one large button."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QEvent, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QFrame, QMenu, QWidget
from typing_extensions import override

from batchwright.ui.icons import draw_glyph, icon
from batchwright.ui.kit.boxes import Box, Part, column, row
from batchwright.ui.kit.buttons import IconButton
from batchwright.ui.kit.text import CutText, Text
from batchwright.ui.kit.tiles import Glyph, Tile
from batchwright.ui.theme import Role, theme
from batchwright.ui.theme.drawing import dashed, rounded, rounded_path
from batchwright.ui.theme.focus import RING
from batchwright.words import _

_RADIUS = 8
_FOOT = 36
_MOST_OF_FOOT = 0.36
"""The share of a foot that the words of its mend may take beside the sentence."""
_NO_LIMIT = 16777215
"""Qt's own widest."""
_NARROW = 280
"""A card narrower than this shows its title without a note, and its actions in one menu."""
_LEAST_TITLE = 130
"""How much of a title is shown at least, before its note."""


class Severity(Enum):
    """What the foot of a card tells, as its tone and glyph."""

    ERROR = ("err", "warning-circle-fill")
    ADVICE = ("warn", "warning-fill")
    UNCHECKED = ("neutral", "info")

    @property
    def tone(self) -> str:
        """The token of its colour."""
        return str(self.value[0])

    @property
    def glyph(self) -> str:
        """The glyph before its sentence."""
        return str(self.value[1])


@dataclass(frozen=True)
class Foot:
    """What is wrong with a card, in one sentence, and the word on the button that mends it."""

    severity: Severity
    sentence: str
    fix: str = ""


class CardState(Enum):
    """How a card stands out; hovering and the keyboard's ring come by themselves."""

    RESTING = auto()
    SELECTED = auto()
    DRAGGED = auto()


class Card(QFrame):
    """A head with tile, title and handle, a body, and a foot when something is wrong with it.

    It takes the keyboard; its accessible name is to be set by whoever knows what it says.
    """

    chosen = Signal()
    """It was clicked, or Space was pressed on it."""
    opened = Signal()
    """It was double-clicked, or Enter was pressed on it."""
    fix_pressed = Signal()

    def __init__(
        self, glyph: str, family: str, title: str, note: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._state, self._under = CardState.RESTING, False
        self._foot: Foot | None = None
        self.setProperty(RING, _RADIUS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(title)
        self._tile = Tile(glyph, family)
        self._title = CutText(title, Role.SMALL_NAME, "text2")
        self._note: CutText | None = None
        self._actions = row(gap=0)
        self._offered: list[tuple[str, str, Callable[[], object]]] = []
        self._buttons: list[IconButton] = []
        self._more: IconButton | None = None
        self._head = row(self._tile, self._title, None, self._actions, margins=(10, 7, 36, 0))
        self._head.addStrut(theme().px(28))  # as tall as the actions, so that nothing moves when they appear
        self.body: Box = column(gap=8, margins=(12, 5, 12, 12))
        self._foot_line: _FootLine | None = None
        self._whole = column(self._head, gap=0, parent=self)
        self._whole.addLayout(self.body, 1)
        self._show_note(note)

    def put(self, *parts: Part) -> None:
        """Add parts to the body."""
        self.body.put(*parts)

    def offer(self, glyph: str, name: str, do: Callable[[], object]) -> None:
        """A button in the head, there while the card is hovered or selected; on a narrow card, in a menu.

        It is made when it is first seen: most cards of a long page never show theirs.
        """
        self._offered.append((glyph, name, do))
        self._refresh()

    def show_title(self, title: str, note: str = "", *, is_name: bool = False) -> None:
        """Show another title; the name of a field is set in bold."""
        self._title.setText(title)
        self._title.set_role(Role.SMALL_STRONG if is_name else Role.SMALL_NAME)
        self._title.set_tone("text" if is_name else "text2")
        self._show_note(note)

    def show_state(self, state: CardState) -> None:
        """Stand out in another way."""
        self._state = state
        self._refresh()

    def show_foot(self, foot: Foot | None) -> None:
        """Tell what is wrong, or nothing."""
        self._foot = foot
        if foot is not None and self._foot_line is None:
            self._foot_line = _FootLine(self)
            self._foot_line.fix_pressed.connect(self.fix_pressed)
            self._whole.addWidget(self._foot_line)
        if self._foot_line is not None:
            self._foot_line.setVisible(foot is not None)
            if foot is not None:
                self._foot_line.show_foot(foot)
        self.update()

    def lay_out(self) -> None:
        """Lay out what is on it at once."""
        self._whole.activate()

    @property
    def stops(self) -> list[QWidget]:
        """What Tab comes to on it, in its order."""
        foot = self._foot_line
        more = (self._more,) if self._more is not None else ()
        return [self, *self._buttons, *more, *((foot.fix,) if foot is not None else ())]

    @property
    def _is_narrow(self) -> bool:
        return self.width() < theme().px(_NARROW)

    @property
    def _shows_actions(self) -> bool:
        return self._under or self._state is CardState.SELECTED

    def _show_note(self, note: str) -> None:
        if note and self._note is None:
            self._note = CutText("", Role.CAPTION, "text3")
            self._head.insertWidget(2, self._note)
        if self._note is not None:
            self._note.setText(note)
            self._note.setVisible(bool(note))
        self._fit_head()

    def _fit_head(self) -> None:
        """Give the title what it needs before the note, which goes where there is little room."""
        if self._note is not None:
            self._note.setMaximumWidth(0 if self._is_narrow else _NO_LIMIT)
            whole = self._title.fontMetrics().horizontalAdvance(self._title.text())
            self._title.setMinimumWidth(min(whole, theme().px(_LEAST_TITLE)))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit_head()
        self._refresh()

    def _refresh(self) -> None:
        shows, is_narrow = self._shows_actions, self._is_narrow
        if shows and is_narrow and self._more is None:
            self._more = IconButton("dots-three-bold", _("More for this"))
            self._more.clicked.connect(self._open_menu)
            self._actions.put(self._more)
        if shows and not is_narrow and not self._buttons:
            for glyph, name, do in self._offered:
                button = IconButton(glyph, name)
                button.clicked.connect(do)
                self._buttons.append(button)
            self._actions.put(*self._buttons)
        for button in self._buttons:
            button.setVisible(shows and not is_narrow)
        if self._more is not None:
            self._more.setVisible(shows and is_narrow)
        self.update()

    def _open_menu(self) -> None:
        """Offer the actions that have no room in the head."""
        if self._more is None:
            return
        menu = QMenu(self._more)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for glyph, name, do in self._offered:
            menu.addAction(icon(glyph), name).triggered.connect(do)
        menu.popup(self._more.mapToGlobal(self._more.rect().bottomLeft()))

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        self._under = True
        self._refresh()

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._under = False
        self._refresh()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.chosen.emit()
        super().mousePressEvent(event)

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.opened.emit()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self.chosen.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, radius = QPainter(self), theme().tokens, theme().px(_RADIUS)
        if self._state is CardState.DRAGGED:
            painter.setOpacity(0.35)
            dashed(painter, self.rect(), radius, tokens.border_strong, 1.0, [4, 3])
            return
        line, width = tokens.border_strong if self._under else tokens.border, 1.0
        if self._state is CardState.SELECTED:
            line, width = tokens.accent_text, 2.0
        elif self._foot is not None and self._foot.severity is not Severity.UNCHECKED:
            line, width = tokens.get(self._foot.severity.tone), 1.5
        rounded(painter, self.rect(), radius, tokens.page, line, width)
        px = theme().px
        middle = self._tile.geometry().center().y()
        handle = QRect(self.width() - px(30), middle - px(7), px(16), px(16))
        draw_glyph(painter, "dots-six-vertical-bold", handle, tokens.text2, px(16))


class _FootLine(QWidget):
    """The foot of a card: sign, sentence, and the words that mend it."""

    fix_pressed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._severity = Severity.ERROR
        self._sign = Glyph("info", "neutral", 16)
        self._sentence = Text("", Role.SMALL, wraps=True)
        self.fix = _FixButton(self)
        self.fix.clicked.connect(self.fix_pressed)
        words = row(self._sign)
        words.addWidget(self._sentence, 1)
        self._line = row(margins=(14, 9, 14, 9), parent=self)
        self._line.addLayout(words, 1)
        self._line.addWidget(self.fix, 0, Qt.AlignmentFlag.AlignRight)
        self.setMinimumHeight(theme().px(_FOOT))

    def show_foot(self, foot: Foot) -> None:
        """Tell another thing."""
        self._severity = foot.severity
        self._sign.show_glyph(foot.severity.glyph, foot.severity.tone)
        self._sentence.setText(foot.sentence)
        self._sentence.set_tone(foot.severity.tone)
        self.fix.show_fix(foot.fix, foot.severity.tone)
        self._fit()
        self.update()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()

    def _fit(self) -> None:
        """Where the mend would leave little room for the sentence it stands below it."""
        ways = QBoxLayout.Direction
        is_below = self.fix.sizeHint().width() > _MOST_OF_FOOT * self.width()
        self._line.setDirection(ways.TopToBottom if is_below else ways.LeftToRight)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        radius = theme().px(_RADIUS) - 1
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inside = QRectF(self.rect()).adjusted(1.5, -radius, -1.5, -1.5)
        painter.setClipRect(self.rect())
        painter.fillPath(rounded_path(inside, radius), theme().tokens.get(f"{self._severity.tone}_soft"))


class _FixButton(QAbstractButton):
    """The words of a mend, in the tone of what is wrong."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = Text("", Role.SMALL_STRONG)
        row(self._words, parent=self)
        self._words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_fix(self, words: str, tone: str) -> None:
        """Offer another mend, or none."""
        self.setText(words)
        self.setVisible(bool(words))
        self._words.setText(words)
        self._words.set_tone(tone)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        """The words paint themselves."""


class CardButton(QAbstractButton):
    """A card that is one button: a template, a recent thing, a connection."""

    def __init__(self, glyph: str, family: str, title: str, note: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(title)
        self.setAccessibleName(title)
        self.setAccessibleDescription(note)
        self.setProperty(RING, _RADIUS)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        words = column(CutText(title, Role.NAME), CutText(note, Role.SMALL, "text2"), gap=1, margins=0)
        line = row(gap=12, margins=12, parent=self)
        line.addWidget(Tile(glyph, family, 36))
        line.addLayout(words, 1)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = theme().tokens
        over = self.underMouse() and self.isEnabled()
        fill = tokens.row_hover if self.isDown() else tokens.page
        line = tokens.border_strong if over else tokens.border
        rounded(QPainter(self), self.rect(), theme().px(_RADIUS), fill, line)
