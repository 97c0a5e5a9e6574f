"""Painting of tooltips, which always show plain text.

Qt interprets a text with a tag as HTML and loads its images. Tooltips often contain text from files or
services, so the style sets the plain-text format on every label with an automatic format.
"""

import textwrap

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QPainter
from PySide6.QtWidgets import QLabel, QStyleOption, QWidget

from batchwright.ui.theme.foreign import sanitize
from batchwright.ui.theme.theme import Theme

_LINE_CHARS, _MAX_CHARS = 90, 2000
"""Maximum characters of a line and of a tooltip."""


def tooltip_text(text: str) -> str:
    """A text for a tooltip: sanitized, wrapped and truncated."""
    lines = sanitize(text[:_MAX_CHARS]).splitlines()
    cut = "…" if len(text) > _MAX_CHARS else ""
    wrapped = (textwrap.wrap(line, _LINE_CHARS, replace_whitespace=False) or [""] for line in lines)
    return "\n".join(wrapped_line for wrapped_lines in wrapped for wrapped_line in wrapped_lines) + cut


def shortcut_text(keys: str) -> str:
    """A shortcut as the menus write it: in the language of the program, on macOS in symbols."""
    portable = QKeySequence.fromString(keys, QKeySequence.SequenceFormat.PortableText)
    return portable.toString(QKeySequence.SequenceFormat.NativeText) or keys


def set_plain_text_format(label: QLabel) -> None:
    """Set the plain-text format; a tooltip's label is polished before it has a text."""
    if label.textFormat() is Qt.TextFormat.AutoText:
        label.setTextFormat(Qt.TextFormat.PlainText)


def paint_tooltip(theme: Theme, option: QStyleOption, painter: QPainter, _widget: QWidget | None) -> None:
    """Paint the background of a tooltip; square, as its window has no transparent corners."""
    painter.fillRect(option.rect, theme.tokens.border)
    painter.fillRect(option.rect.adjusted(1, 1, -1, -1), theme.tokens.surface)
