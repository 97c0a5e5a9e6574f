"""What stands below a card: what is wrong with it, and the words that mend it."""

from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QWidget
from typing_extensions import override

from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import rounded_path
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.text import Label, show_literal

RADIUS = 8
"""Of the corners of a card."""
_HEIGHT = 36
_MAX_BUTTON_SHARE = 0.36
"""The share of a foot that the words of its mend may take beside the sentence."""


class FooterSeverity(Enum):
    """What the foot of a card tells, as its tone and glyph."""

    ERROR = ("err", "warning-circle-fill")
    ADVICE = ("warn", "warning-fill")
    UNFILLED = ("neutral", "circle-dashed")
    UNCHECKED = ("neutral", "info")

    @property
    def is_neutral(self) -> bool:
        """Whether nothing is wrong: the card keeps its plain border."""
        return self.tone == "neutral"

    @property
    def tone(self) -> str:
        """The token of its colour."""
        return str(self.value[0])

    @property
    def glyph(self) -> str:
        """The glyph before its sentence."""
        return str(self.value[1])


@dataclass(frozen=True)
class CardFooter:
    """What is wrong with a card, in one sentence, and the word on the button that mends it."""

    severity: FooterSeverity
    text: str
    fix: str = ""


class CardFooterWidget(QWidget):
    """The foot of a card: sign, sentence, and the words that mend it."""

    fix_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._severity = FooterSeverity.ERROR
        self._icon = Glyph("info", "neutral", 16)
        self._text = Label("", TextRole.SMALL, wraps=True)
        self.fix_button = _FixButton(self)
        self.fix_button.clicked.connect(self.fix_requested)
        text = row(self._icon)
        text.addWidget(self._text, 1)
        self._layout = row(margins=(14, 9, 14, 9), parent=self)
        self._layout.addLayout(text, 1)
        self._layout.addWidget(self.fix_button, 0, Qt.AlignmentFlag.AlignRight)
        theme().on_changed(self._update_geometry)

    def show_footer(self, footer: CardFooter) -> None:
        """Tell another thing."""
        self._severity = footer.severity
        self._icon.show_glyph(footer.severity.glyph, footer.severity.tone)
        self._text.setText(footer.text)
        self._text.set_tone(footer.severity.tone)
        self.fix_button.show_fix(footer.fix, footer.severity.tone)
        self._update_geometry()
        self.update()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._update_geometry()

    def _update_geometry(self) -> None:
        """Where the mend would leave little room for the sentence it stands below it."""
        self.setMinimumHeight(theme().px(_HEIGHT))
        direction = QBoxLayout.Direction
        is_below = self.fix_button.sizeHint().width() > _MAX_BUTTON_SHARE * self.width()
        self._layout.setDirection(direction.TopToBottom if is_below else direction.LeftToRight)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        radius = theme().px(RADIUS) - 1
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inside = QRectF(self.rect()).adjusted(1.5, -radius, -1.5, -1.5)
        painter.setClipRect(self.rect())
        painter.fillPath(rounded_path(inside, radius), theme().tokens.get(f"{self._severity.tone}_soft"))


class _FixButton(QAbstractButton):
    """The words of a mend, in the tone of what is wrong."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = Label("", TextRole.SMALL_STRONG)
        row(self._label, parent=self)
        self._label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_fix(self, text: str, tone: str) -> None:
        """Offer another mend, or none."""
        show_literal(self, text)
        self.setVisible(bool(text))
        self._label.setText(text)
        self._label.set_tone(tone)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        """The words paint themselves."""
