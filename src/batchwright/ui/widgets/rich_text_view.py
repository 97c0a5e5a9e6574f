"""Rich text as participants see it: cleaned by `layout.rich_text`, and never loading anything."""

import html
import re
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, QUrl
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout import rich_text
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.rich_text_style import show_styled
from batchwright.ui.widgets.text_direction import update_direction

_MAX_CHARACTERS = 10_000
_MAX_ELEMENTS = 300
"""How much of a text is shown: about what Qt lays out in 50 ms."""

_QUOTE = '<table width="100%" cellspacing="0"><tr><td class="quote">'
"""Qt draws no border around anything but cells."""
_BLOCKQUOTE = re.compile(r"<blockquote[^>]*>")
_NO_IMAGE = re.compile(r"<img(?![^>]*\ssrc=)[^>]*>")


class RichTextView(QTextBrowser):
    """Shows rich text at its full height; links and images lead nowhere.

    Of a very long text it shows the beginning, and says so.
    """

    def __init__(self, name: str, role: TextRole = TextRole.BODY, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._role, self._content = role, ("", "html")
        self.setAccessibleName(sanitize_line(name))
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.document().setDocumentMargin(0)
        self.document().documentLayout().documentSizeChanged.connect(self._update_height)
        theme().on_changed(self._render)

    def show_content(self, content: str, content_format: str) -> None:
        """Show content in one of the two formats of rich text."""
        if (content, content_format) != self._content:
            self._content = (content, content_format)
            self._render()

    def show_text(self, text: str) -> None:
        """Show plain text with its line breaks kept."""
        shown = text[: _MAX_CHARACTERS + 1]
        lines = "<br>".join(html.escape(line).replace("  ", "\u00a0 ") for line in shown.splitlines())
        self.show_content(f"<p>{lines}</p>", "html")

    def _render(self) -> None:
        show_styled(self, _for_qt(_bounded_html(*self._content)), self._role)
        update_direction(self.document(), self.toPlainText(), self.layoutDirection())
        self._update_height()

    def _update_height(self) -> None:
        height = max(self.fontMetrics().lineSpacing(), round(self.document().size().height()))
        if height != self.height():
            self.setFixedHeight(height)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LayoutDirectionChange:
            self._render()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_height()

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(60), self.fontMetrics().lineSpacing())

    @override
    def loadResource(self, type: int, name: QUrl | str) -> Any:
        """Load nothing: an image would be fetched again at each change of the layout."""
        return None


def _bounded_html(content: str, content_format: str) -> str:
    """HTML that Qt can lay out quickly, ending in a sentence where it is not the whole."""
    cleaned = rich_text.render(content[:_MAX_CHARACTERS], content_format)
    shown = rich_text.truncate_html(cleaned, _MAX_CHARACTERS, _MAX_ELEMENTS)
    if len(content) <= _MAX_CHARACTERS and len(shown) >= len(cleaned):
        return cleaned
    note = _("The window shows only the beginning of this text.")
    return f"{shown}<p><i>{html.escape(note)}</i></p>"


def _for_qt(cleaned: str) -> str:
    """HTML as Qt draws it like a browser: no empty line below code, quotes with a line at their left.

    Images whose URL was removed are dropped: Qt would search for them among files.
    """
    html = _NO_IMAGE.sub("", cleaned.replace("\n</code></pre>", "</code></pre>"))
    return _BLOCKQUOTE.sub(_QUOTE, html).replace("</blockquote>", "</td></tr></table>")
