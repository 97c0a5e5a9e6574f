"""The look of rich text in a `QTextDocument`: colours, distances, and sizes of headings."""

from collections.abc import Iterator

from PySide6.QtGui import (
    QFont,
    QPalette,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import QTextBrowser

from batchwright.ui.theme import TextRole, theme

_HEADINGS = {1: 1.25, 2: 1.125}
"""How much larger than the text a heading is; the lower levels are all alike."""
_LOWER_HEADINGS = 1.0625
_CODE = 0.9
_PICTURE = "\ufffc"
"""What Qt has in a text in place of a picture."""

_LEADING, _LEADING_OF_PAGE = 117, 124
"""Line heights in per cent of the font's own line height: 1.4 and 1.5."""

_STYLE_SHEET = """
p, li, td, th { line-height: %(leading)d%%; } a { color: %(link)s; }
code, pre { background-color: %(sunken)s; font-size: %(code)dpx; } pre { white-space: pre-wrap; }
th, td { padding: %(cell)dpx; border: 1px solid %(line)s; }
table { border-collapse: collapse; margin-top: %(gap)dpx; margin-bottom: %(gap)dpx; }
td.quote { border: none; border-left: 3px solid %(line)s; padding: 0px 0px 0px %(quote_gap)dpx;
           color: %(quote)s; }
hr { background-color: %(line)s; }
"""


def show_styled(browser: QTextBrowser, html: str, role: TextRole) -> None:
    """Show HTML in the colours and sizes of the theme."""
    tokens, px = theme().tokens, theme().px
    palette = browser.palette()
    palette.setColor(QPalette.ColorRole.Text, tokens.text)
    palette.setColor(QPalette.ColorRole.Base, tokens.surface)
    browser.setPalette(palette)
    document = browser.document()
    document.setDefaultFont(theme().font(role))
    document.setDefaultStyleSheet(
        _STYLE_SHEET
        % {
            "leading": _LEADING_OF_PAGE if role is TextRole.PAGE else _LEADING,
            "link": tokens.accent_text.name(),
            "sunken": tokens.sunken.name(),
            "quote": tokens.text2.name(),
            "line": tokens.border.name(),
            "cell": px(4),
            "code": px(role.pixels * _CODE),
            "quote_gap": px(11),
            "gap": px(10),
        }
    )
    document.setIndentWidth(px(22))
    document.setLayoutEnabled(False)  # a long one would not be laid out as a whole after these changes
    browser.setHtml(html)
    for block in _blocks(document):
        if level := block.blockFormat().headingLevel():
            _size_heading(block, theme().px(role.pixels * _HEADINGS.get(level, _LOWER_HEADINGS)))
        elif block.text() == _PICTURE:
            _remove_leading(block)
    document.setLayoutEnabled(True)


def _size_heading(block: QTextBlock, pixels: int) -> None:
    """Give a heading the size of the participant page; Qt ignores the style sheet."""
    for start, length, char_format in [*_fragments(block)]:
        # Qt ignores all other sizes while this property is set, even to 0.
        char_format.clearProperty(QTextFormat.Property.FontSizeAdjustment)
        char_format.setProperty(QTextFormat.Property.FontPixelSize, pixels)
        char_format.setFontWeight(QFont.Weight.DemiBold)
        cursor = QTextCursor(block)
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(char_format)


def _remove_leading(block: QTextBlock) -> None:
    """Make the line of a picture as tall as the picture: Qt adds the same percentage to it as to text."""
    single = QTextBlockFormat()
    single.setLineHeight(100, QTextBlockFormat.LineHeightTypes.SingleHeight.value)
    QTextCursor(block).mergeBlockFormat(single)


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    """Yield the paragraphs of a document."""
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def _fragments(block: QTextBlock) -> Iterator[tuple[int, int, QTextCharFormat]]:
    """Yield the fragments of a block: start, length and character format of each."""
    pieces = block.begin()
    while not pieces.atEnd():
        piece = pieces.fragment()
        yield piece.position(), piece.length(), piece.charFormat()
        pieces += 1
