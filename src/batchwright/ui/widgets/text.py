"""Labels: plain, wrapped, and elided ones."""

import re

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QLabel, QSizePolicy, QStyle, QWidget
from typing_extensions import override

from batchwright.base.text import runs_right_to_left, truncate
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_text
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.theme.tips import tooltip_text

_LONGEST_ENTRY = 400
"""Characters of an entry of a menu."""
_LONG_TEXT = 1_000
"""Characters of a text of which only the beginning of a line is measured."""
_PREFERRED_CHARACTERS, _LEAST_CHARACTERS = 80, 12
"""The preferred and the minimum width of such a text, in average characters."""
_LEADING = Qt.AlignmentFlag.AlignLeft
_MIRRORED = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute
_LONG_WORD = re.compile(r"\S{24,}")
_RIGHT_TO_LEFT = "\N{RIGHT-TO-LEFT MARK}"
"""Before a text, has Qt write it from right to left; otherwise its first letter decides."""
_BREAK_POINT = "\N{ZERO WIDTH SPACE}"
"""Allows line breaks in long words: otherwise a wrapping label is at least as wide as its longest word."""


class Label(QLabel):
    """A label with the font of a role and a token's colour. If it wraps, long words are broken.

    A text that is too long to be laid out quickly is cut (`theme.foreign`).
    """

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
        self._text = self._accessible_text = ""
        """The accessible text, without break points."""
        self._heights: dict[int, int] = {}
        """The height for each width: layouts ask many times, and each time Qt would lay out the text. Qt
        lays it out in at least the minimum width, so that is the least width here."""
        self.setForegroundRole(QPalette.ColorRole.WindowText)  # not that of a button that contains it
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wraps)
        self.setText(text)
        self._apply_style()
        theme().on_changed(self._apply_style)

    @override
    def setText(self, text: str) -> None:
        self._text = sanitize(text).replace(_BREAK_POINT, "")
        self._show_text()

    def _show_text(self) -> None:
        """Show the text with break points, and with a mark where Qt would not know its direction."""
        text = self._text
        is_copied = self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
        shown = breakable(text) if self.wordWrap() and not is_copied else text
        is_mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        if is_mirrored and not is_copied and runs_right_to_left(text, in_mirrored_layout=True):
            shown = _RIGHT_TO_LEFT + shown
        self._heights.clear()
        super().setText(shown)
        accessible_text = text if shown != text else ""
        has_other_name = self.accessibleName() != self._accessible_text
        if accessible_text != self._accessible_text and not has_other_name:
            self.setAccessibleName(accessible_text)
            self._accessible_text = accessible_text

    @override
    def setTextInteractionFlags(self, flags: Qt.TextInteractionFlag) -> None:
        """Set the flags; a selectable text has no break points, as they would be copied."""
        super().setTextInteractionFlags(flags)
        self._show_text()

    @override
    def heightForWidth(self, width: int) -> int:
        width = max(width, self.minimumWidth())
        height = self._heights.get(width)
        if height is None:
            height = self._heights[width] = super().heightForWidth(width)
        return height

    @override
    def sizeHint(self) -> QSize:
        if not self._is_long():
            return super().sizeHint()
        text, metrics = QLabel.text(self), self.fontMetrics()
        lines = len(text) // _PREFERRED_CHARACTERS + text.count("\n") + 1
        return QSize(_PREFERRED_CHARACTERS * metrics.averageCharWidth(), lines * metrics.lineSpacing())

    @override
    def minimumSizeHint(self) -> QSize:
        if not self._is_long():
            return super().minimumSizeHint()
        metrics = self.fontMetrics()
        return QSize(_LEAST_CHARACTERS * metrics.averageCharWidth(), metrics.height())

    def _is_long(self) -> bool:
        """Whether the text wraps, and is so long that its size is estimated: Qt lays it out three times."""
        return self.wordWrap() and len(QLabel.text(self)) > _LONG_TEXT

    @override
    def text(self) -> str:
        return self._text

    @property
    def tone(self) -> str:
        """The colour token."""
        return self._tone

    def set_tone(self, tone: str) -> None:
        """Set the colour token."""
        if tone != self._tone:
            self._tone = tone
            self._apply_style()

    def set_role(self, role: TextRole) -> None:
        """Set the text role."""
        if role is not self._role:
            self._role = role
            self._apply_style()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._heights.clear()
        if event.type() is QEvent.Type.LayoutDirectionChange:
            self._align_to_layout()
            self._show_text()

    def _align_to_layout(self) -> None:
        """Align a text at the side where its layout begins; Qt would align it by the text's first letter."""
        is_mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        before, after = (_LEADING, _MIRRORED) if is_mirrored else (_MIRRORED, _LEADING)
        horizontal = self.alignment() & (Qt.AlignmentFlag.AlignHorizontal_Mask | _MIRRORED)
        if horizontal == before:
            self.setAlignment((self.alignment() & Qt.AlignmentFlag.AlignVertical_Mask) | after)

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
    """A single line that is elided if it does not fit; the full text is then in the tooltip.

    Use `in_middle` for URLs and ids. superqt's `QElidingLabel` is not used: it neither sanitizes text nor
    sets the tooltip only while elided.
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
        align = QStyle.visualAlignment(self.layoutDirection(), self.alignment())
        align &= Qt.AlignmentFlag.AlignHorizontal_Mask
        around = self.layoutDirection()
        draw_text(painter, self.rect(), self.text(), self.font(), colour, align, self._elide, around)


def literal(text: str) -> str:
    """A text from a file or service for a menu, with `&` escaped, and cut at the width of a screen."""
    return sanitize_line(truncate(text, _LONGEST_ENTRY)).replace("&", "&&")


def show_literal(button: QAbstractButton, text: str) -> None:
    """Set a text from a file or service on a button that paints its text: `&` is literal."""
    QAbstractButton.setText(button, sanitize_line(text))
    button.setShortcut(QKeySequence())
    button.setAccessibleName(button.text())


def breakable(text: str) -> str:
    """The text with invisible break points in long words, so that it can be wrapped everywhere."""
    return _LONG_WORD.sub(_with_break_points, text)


def _with_break_points(match: re.Match[str]) -> str:
    match_text = match.group()
    return _BREAK_POINT.join(match_text[at : at + 8] for at in range(0, len(match_text), 8))
