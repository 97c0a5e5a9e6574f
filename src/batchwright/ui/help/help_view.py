"""Shows a page of the help, with its pictures as wide as the text."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QImage, QImageReader, QResizeEvent, QTextDocument
from PySide6.QtWidgets import QFrame, QTextBrowser
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.rich_text_style import show_styled

if TYPE_CHECKING:  # imported when something is printed
    from PySide6.QtPrintSupport import QPrinter

_MARGIN = 24
_CHARACTERS = 84
"""The largest width of the text, in letters of average width."""
_PRINTED = "table { border-collapse: collapse; } th, td { padding: 4px; border: 1px solid #888888; }"


class HelpView(QTextBrowser):
    """Shows HTML of the help; pictures are read from its folder, and nothing else is loaded.

    Links emit `anchorClicked`.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder, self._html = folder, ""
        self.setAccessibleName(_("Page of the help"))
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Always, so that the width does not depend on the height, which depends on it.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._resized = QTimer(self, singleShot=True, interval=0)
        """Waits for the last of several changes of the width: Qt may be within a layout at the first."""
        self._resized.timeout.connect(self._render)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        theme().on_changed(self._render)

    def show_page(self, html: str, anchor: str = "") -> None:
        """Show a page from an anchor on, or from its beginning."""
        if html != self._html:
            self._html = html
            self._render()
        self.verticalScrollBar().setValue(0)
        if anchor:
            self.scrollToAnchor(anchor)

    def print_page(self, printer: "QPrinter") -> None:
        """Print the page in black on white, whatever the theme is."""
        document = _PrintedPage(self)
        document.setDefaultFont(TextRole.BODY.font(1))
        document.setDefaultStyleSheet(_PRINTED)
        document.setHtml(self._html)
        document.print_(printer)

    def _render(self) -> None:
        """Show the page at the same place, after the theme or the width has changed."""
        bar = self.verticalScrollBar()
        fraction = bar.value() / max(1, bar.maximum())
        self.document().clear()  # with the pictures of the former size
        self.document().setDocumentMargin(theme().px(_MARGIN))
        show_styled(self, self._html, TextRole.PAGE)
        bar.setValue(round(fraction * bar.maximum()))

    @property
    def _width(self) -> int:
        """The width of text and pictures, in pixels."""
        width = self.viewport().width() - 2 * theme().px(_MARGIN)
        return max(1, min(width, _CHARACTERS * self.fontMetrics().averageCharWidth()))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width() and "<img" in self._html:
            self._resized.start()

    @override
    def loadResource(self, type: int, name: QUrl | str) -> Any:
        path = (self._folder / QUrl(name).toString()).resolve()
        if not path.is_relative_to(self._folder.parent.resolve()):
            return None
        reader, ratio = QImageReader(str(path)), self.devicePixelRatioF()
        size, largest = reader.size(), round(self._width * ratio)
        if size.width() > largest:
            reader.setScaledSize(QSize(largest, round(size.height() * largest / size.width())))
        picture: QImage = reader.read()
        picture.setDevicePixelRatio(ratio)
        return None if picture.isNull() else picture


class _PrintedPage(QTextDocument):
    """A page with the pictures of a view."""

    def __init__(self, view: HelpView) -> None:
        super().__init__()
        self._view = view

    @override
    def loadResource(self, type: int, name: QUrl | str) -> Any:
        return self._view.loadResource(type, name)
