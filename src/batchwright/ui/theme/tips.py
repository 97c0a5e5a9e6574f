"""How the small words at the pointer look, and that they are words and nothing else.

Qt takes a text with a tag in it for HTML, and loads the images that it names. What stands in a tooltip often
comes from a file or a service, so the style lets every label that was not told otherwise show plain text.
"""

import textwrap

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLabel, QStyleOption, QWidget

from batchwright.ui.theme.foreign import sanitize
from batchwright.ui.theme.theme import Theme

_LINE_CHARS, _MAX_CHARS = 90, 2000
"""Characters of a line, and of a whole tooltip."""


def tooltip_text(text: str) -> str:
    """A text as a tooltip shows it: in lines that are not too long, and not without end."""
    lines = sanitize(text[:_MAX_CHARS]).splitlines()
    cut = "…" if len(text) > _MAX_CHARS else ""
    wrapped = (textwrap.wrap(line, _LINE_CHARS, replace_whitespace=False) or [""] for line in lines)
    return "\n".join(wrapped_line for wrapped_lines in wrapped for wrapped_line in wrapped_lines) + cut


def set_plain_text_format(label: QLabel) -> None:
    """Let a label show its text as it is; that of a tooltip is polished before it has one."""
    if label.textFormat() is Qt.TextFormat.AutoText:
        label.setTextFormat(Qt.TextFormat.PlainText)


def paint_tooltip(theme: Theme, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """Paint the ground of a tooltip, square: its window has no transparent corners."""
    painter.fillRect(option.rect, theme.tokens.border)
    painter.fillRect(option.rect.adjusted(1, 1, -1, -1), theme.tokens.surface)
