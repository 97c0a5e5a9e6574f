"""What a page shows beside its questions, one widget for each kind of block."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.layout.pages.content_blocks import Film, Link, Note, Picture, Rich, Shown, Sound, Text
from batchwright.ui.editor.rich_text_view import ShownRichText
from batchwright.ui.theme import Role
from batchwright.ui.widgets.answer_previews import PictureSpecimen
from batchwright.ui.widgets.box_layouts import Box, column, row
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.surfaces import Well
from batchwright.ui.widgets.text import CutText
from batchwright.ui.widgets.text import Text as Words


def shown_block(block: Shown) -> QWidget:
    """The widget of a block that asks nothing."""
    match block:
        case Rich():
            text = ShownRichText(_("Text"), Role.PAGE)
            text.show_content(str(block.html), "html")
            return text
        case Text():
            return _labelled(block.label, _text(block.text))
        case Picture():
            return _labelled(block.label, _picture(block))
        case Sound():
            return _labelled(block.label, _recording("speaker-high", block.url))
        case Film():
            return _labelled(block.label, _recording("film-strip", block.url))
        case Link():
            return _labelled(block.label, Words(block.text, Role.PAGE, "accent_text", wraps=True))
        case Note():
            return _labelled(block.label, _note(block))
    raise TypeError(f"{type(block).__name__} has no widget")


def _labelled(label: str, inside: QWidget) -> QWidget:
    whole = QWidget()
    lines = column(gap=4, parent=whole)
    if label:
        lines.put(Words(label, Role.SMALL_STRONG, "text2", wraps=True))
    lines.put(inside)
    return whole


def _text(text: str) -> QWidget:
    words = ShownRichText(text, Role.PAGE)
    words.show_text(text)
    return words


def _picture(picture: Picture) -> QWidget:
    """The place of a picture: the window loads none, the browser does."""
    beside = column(Words(picture.alt, Role.BODY, wraps=True), gap=4)
    beside.put(CutText(picture.url, Role.CAPTION, "text3", in_middle=True))
    beside.put(Words(_("The picture itself shows in the browser."), Role.CAPTION, "text3", wraps=True), None)
    whole = QWidget()
    lines: Box = column(gap=6, parent=whole)
    side_by_side = row(gap=14)
    side_by_side.addWidget(PictureSpecimen(), 0, Qt.AlignmentFlag.AlignTop)
    side_by_side.addLayout(beside, 1)
    lines.put(side_by_side)
    if picture.caption:
        lines.put(Words(picture.caption, Role.BODY, "text2", wraps=True))
    return whole


def _recording(glyph: str, url: str) -> QWidget:
    """A row that stands for the player of the browser."""
    player = Well()
    line = row(
        Glyph("play-circle", "text2", 22), Glyph(glyph, "text2", 18), gap=10, margins=12, parent=player
    )
    line.addWidget(CutText(url, Role.SMALL, "text2", in_middle=True), 1)
    line.put(Words(_("plays in the browser"), Role.CAPTION, "text3"))
    return player


def _note(note: Note) -> QWidget:
    words = Words(note.text, Role.PAGE, "text3", wraps=True)
    font = words.font()
    font.setItalic(True)
    words.setFont(font)
    if not note.locked:
        return words
    whole = QWidget()
    line = row(Glyph("lock-simple", "text3", 16), gap=8, parent=whole)
    line.addWidget(words, 1)
    return whole
