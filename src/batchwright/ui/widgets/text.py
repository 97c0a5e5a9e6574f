"""Text in its roles: lines, wrapped sentences, and lines that are cut where there is no room."""

import re

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QLabel, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_text
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.theme.tips import tooltip_text

_LONG_WORD = re.compile(r"\S{24,}")
_BREAK_POINT = "\N{ZERO WIDTH SPACE}"
"""Where a line may end: a label that wraps is as wide as its longest word, and addresses have no end."""


class Label(QLabel):
    """Words in the font of a role and the colour of a token; in one that wraps, long words are broken."""

    def __init__(
        self,
        text: str = "",
        role: TextRole = TextRole.BODY,
        tone: str = "text",
        *,
        wraps: bool = False,
        tabular: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._role, self._tone, self._tabular = role, tone, tabular
        self._accessible_text = ""
        """What is read out in place of a text whose words were broken."""
        self.setForegroundRole(QPalette.ColorRole.WindowText)  # not the one of a button it may lie on
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wraps)
        self.setText(text)
        self._apply_style()
        theme().on_changed(self._apply_style)

    @override
    def setText(self, text: str) -> None:
        text = sanitize(text)
        is_copied = self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
        breakable = _LONG_WORD.sub(_with_break_points, text) if self.wordWrap() and not is_copied else text
        super().setText(breakable)
        accessible_text = text if breakable != text else ""
        if accessible_text or self._accessible_text:
            self.setAccessibleName(accessible_text)
        self._accessible_text = accessible_text

    @override
    def setTextInteractionFlags(self, flags: Qt.TextInteractionFlag) -> None:
        """Let it be copied, and so as it was given."""
        super().setTextInteractionFlags(flags)
        self.setText(self.text())

    @override
    def text(self) -> str:
        return super().text().replace(_BREAK_POINT, "")

    @property
    def tone(self) -> str:
        """The token of its colour."""
        return self._tone

    def set_tone(self, tone: str) -> None:
        """Take the colour of another token."""
        if tone != self._tone:
            self._tone = tone
            self._apply_style()

    def set_role(self, role: TextRole) -> None:
        """Take the font of another role."""
        if role is not self._role:
            self._role = role
            self._apply_style()

    def _apply_style(self) -> None:
        self.setFont(theme().font(self._role, tabular=self._tabular))
        palette = self.palette()
        colour = theme().tokens.get(self._tone)
        for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive):
            palette.setColor(group, QPalette.ColorRole.WindowText, colour)
        disabled = theme().tokens.disabled
        palette.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.WindowText, disabled)
        self.setPalette(palette)


class ElidedLabel(Label):
    """One line that gives way: cut with an ellipsis where there is no room, whole in the tooltip.

    Addresses and ids are cut in the middle, other text at its end.
    """

    def __init__(
        self,
        text: str = "",
        role: TextRole = TextRole.BODY,
        tone: str = "text",
        *,
        in_middle: bool = False,
        tabular: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, role, tone, tabular=tabular, parent=parent)
        self._elide = Qt.TextElideMode.ElideMiddle if in_middle else Qt.TextElideMode.ElideRight
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(24), super().minimumSizeHint().height())

    @override
    def setText(self, text: str) -> None:
        text = sanitize_line(text)
        if text != self.text():
            super().setText(text)
            self._update_tooltip()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_tooltip()

    def _update_tooltip(self) -> None:
        is_cut = self.fontMetrics().horizontalAdvance(self.text()) > self.width()
        self.setToolTip(tooltip_text(self.text()) if is_cut else "")

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colour = self.palette().color(self.foregroundRole())
        align = Qt.AlignmentFlag(self.alignment()) & Qt.AlignmentFlag.AlignHorizontal_Mask
        draw_text(painter, self.rect(), self.text(), self.font(), colour, align, self._elide)


def literal(text: str) -> str:
    """A text from a file or a service, for a menu, in which one `&` would mark a key and vanish."""
    return sanitize_line(text).replace("&", "&&")


def show_literal(button: QAbstractButton, text: str) -> None:
    """Let a button that paints its own text show one from a file or a service, whose `&` marks no key."""
    QAbstractButton.setText(button, sanitize_line(text))
    button.setShortcut(QKeySequence())
    button.setAccessibleName(button.text())


def _with_break_points(match: re.Match[str]) -> str:
    word = match.group()
    return _BREAK_POINT.join(word[at : at + 8] for at in range(0, len(word), 8))
