"""What a page shows beside its questions, one widget for each kind of block."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.layout.item_types.dataset_field import AudioBlock, LinkBlock, TextBlock, VideoBlock
from batchwright.layout.item_types.rich_text import RichTextBlock
from batchwright.layout.pages.content_blocks import ContentBlock, ImageBlock, NoticeBlock
from batchwright.ui.editor.rich_text_view import RichTextView
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.answer_previews import ImagePlaceholder
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, column, row
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.surfaces import SunkenSurface
from batchwright.ui.widgets.text import ElidedLabel
from batchwright.ui.widgets.text import Label as Words


def block_widget(block: ContentBlock) -> QWidget:
    """The widget of a block that asks nothing."""
    match block:
        case RichTextBlock():
            text = RichTextView(_("Text"), TextRole.PAGE)
            text.show_content(block.content, block.content_format)
            return text
        case TextBlock():
            return _labelled(block.label, _text(block.text))
        case ImageBlock():
            return _labelled(block.label, _picture(block))
        case AudioBlock():
            return _labelled(block.label, _recording("speaker-high", block.url))
        case VideoBlock():
            return _labelled(block.label, _recording("film-strip", block.url))
        case LinkBlock():
            return _labelled(block.label, Words(block.text, TextRole.PAGE, "accent_text", wraps=True))
        case NoticeBlock():
            return _labelled(block.label, _note(block))
    raise TypeError(f"{type(block).__name__} has no widget")


def _labelled(label: str, inside: QWidget) -> QWidget:
    whole = QWidget()
    lines = column(gap=4, parent=whole)
    if label:
        lines.put(Words(label, TextRole.SMALL_STRONG, "text2", wraps=True))
    lines.put(inside)
    return whole


def _text(text: str) -> QWidget:
    words = RichTextView(text, TextRole.PAGE)
    words.show_text(text)
    return words


def _picture(picture: ImageBlock) -> QWidget:
    """The place of a picture: the window loads none, the browser does."""
    beside = column(Words(picture.alt, TextRole.BODY, wraps=True), gap=4)
    beside.put(ElidedLabel(picture.url, TextRole.CAPTION, "text3", in_middle=True))
    beside.put(
        Words(_("The picture itself shows in the browser."), TextRole.CAPTION, "text3", wraps=True), None
    )
    whole = QWidget()
    lines: ScaledBoxLayout = column(gap=6, parent=whole)
    side_by_side = row(gap=14)
    side_by_side.addWidget(ImagePlaceholder(), 0, Qt.AlignmentFlag.AlignTop)
    side_by_side.addLayout(beside, 1)
    lines.put(side_by_side)
    if picture.caption:
        lines.put(Words(picture.caption, TextRole.BODY, "text2", wraps=True))
    return whole


def _recording(glyph: str, url: str) -> QWidget:
    """A row that stands for the player of the browser."""
    player = SunkenSurface()
    line = row(
        Glyph("play-circle", "text2", 22), Glyph(glyph, "text2", 18), gap=10, margins=12, parent=player
    )
    line.addWidget(ElidedLabel(url, TextRole.SMALL, "text2", in_middle=True), 1)
    line.put(Words(_("plays in the browser"), TextRole.CAPTION, "text3"))
    return player


def _note(note: NoticeBlock) -> QWidget:
    words = Words(note.text, TextRole.PAGE, "text3", wraps=True)
    font = words.font()
    font.setItalic(True)
    words.setFont(font)
    if not note.locked:
        return words
    whole = QWidget()
    line = row(Glyph("lock-simple", "text3", 16), gap=8, parent=whole)
    line.addWidget(words, 1)
    return whole
