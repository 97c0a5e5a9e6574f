"""The footer of a card: a problem and the button that fixes it."""

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
"""Corner radius of a card."""
_HEIGHT = 36
_MAX_BUTTON_SHARE = 0.36
"""Largest share of the width for the fix button beside the text; a wider one is placed below."""


class FooterSeverity(Enum):
    """The severity of a footer with its colour token and icon."""

    ERROR = ("err", "warning-circle-fill")
    ADVICE = ("warn", "warning-fill")
    UNFILLED = ("neutral", "circle-dashed")
    UNCHECKED = ("neutral", "info")

    @property
    def is_neutral(self) -> bool:
        """Whether the card keeps its normal border."""
        return self.tone == "neutral"

    @property
    def tone(self) -> str:
        """The colour token."""
        return str(self.value[0])

    @property
    def glyph(self) -> str:
        """The icon."""
        return str(self.value[1])


@dataclass(frozen=True)
class CardFooter:
    """The problem of a card and the text of the fix button; empty for none."""

    severity: FooterSeverity
    text: str
    fix: str = ""


class CardFooterWidget(QWidget):
    """Shows a `CardFooter`: icon, text and fix button."""

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
        """Show a problem."""
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
        """Place the fix button below the text if it is too wide to be beside it."""
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
    """The fix button, in the colour of the severity."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = Label("", TextRole.SMALL_STRONG)
        row(self._label, parent=self)
        self._label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_fix(self, text: str, tone: str) -> None:
        """Set the text of the fix; hidden if empty."""
        show_literal(self, text)
        self.setVisible(bool(text))
        self._label.setText(text)
        self._label.set_tone(tone)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints nothing: the label of the button does."""
