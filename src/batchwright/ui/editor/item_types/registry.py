"""The item types in the order of the palette, and functions that depend on the type of an item."""

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject
from batchwright.layout.item_types.content_blocks import ContentBlock, NoticeBlock
from batchwright.layout.item_types.questions import Question
from batchwright.layout.item_types.registry import Item
from batchwright.layout.nodes import Node
from batchwright.schema.model import Schema
from batchwright.ui.core.web_media import PreviewMedia
from batchwright.ui.editor.item_types.base import CardBody, ItemEditor, hint_label, labelled
from batchwright.ui.editor.item_types.dataset_field import EDITOR as DATASET_FIELD
from batchwright.ui.editor.item_types.file_upload import EDITOR as FILE_UPLOAD
from batchwright.ui.editor.item_types.free_text import EDITOR as FREE_TEXT
from batchwright.ui.editor.item_types.free_text_with_unit import EDITOR as FREE_TEXT_WITH_UNIT
from batchwright.ui.editor.item_types.image import EDITOR as IMAGE
from batchwright.ui.editor.item_types.multiple_choice import EDITOR as MULTIPLE_CHOICE
from batchwright.ui.editor.item_types.multiple_choice_with_free_text import (
    EDITOR as MULTIPLE_CHOICE_WITH_FREE_TEXT,
)
from batchwright.ui.editor.item_types.rich_text import EDITOR as RICH_TEXT
from batchwright.ui.editor.preview.answer_inputs import Control
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.text import Label

ITEM_EDITORS: dict[type[Item], ItemEditor] = {
    editor.item_type: editor
    for editor in (
        DATASET_FIELD,
        RICH_TEXT,
        IMAGE,
        MULTIPLE_CHOICE,
        MULTIPLE_CHOICE_WITH_FREE_TEXT,
        FREE_TEXT,
        FREE_TEXT_WITH_UNIT,
        FILE_UPLOAD,
    )
}


def item_editor(node: Node) -> ItemEditor | None:
    """The editor description of an item; None for other nodes and items of unknown types."""
    return ITEM_EDITORS.get(type(node)) if isinstance(node, Item) else None


def card_body(node: Node, schema: Schema | None, record: JsonObject | None) -> CardBody:
    """What the card of an item shows below its header."""
    editor = item_editor(node)
    if editor is None:
        return [hint_label(_("Batchwright does not know this item type; the item is kept unchanged."))]
    return editor.card_body(node, schema, record)


def question_control(state: PreviewState, question: Question, *, is_narrow: bool) -> Control:
    """The control that answers a question in the preview."""
    control = next(
        editor.controls[type(question)]
        for editor in ITEM_EDITORS.values()
        if type(question) in editor.controls
    )
    return control(state, question, is_narrow=is_narrow)


def block_widget(block: ContentBlock, media: PreviewMedia) -> QWidget:
    """The preview widget of a content block."""
    if isinstance(block, NoticeBlock):
        return labelled(block.label, _notice(block))
    widget = next(
        editor.blocks[type(block)] for editor in ITEM_EDITORS.values() if type(block) in editor.blocks
    )
    return widget(block, media)


def _notice(notice: NoticeBlock) -> QWidget:
    text = Label(notice.text, TextRole.PAGE, "text3", wraps=True)
    font = text.font()
    font.setItalic(True)
    text.setFont(font)
    if not notice.locked:
        return text
    container = QWidget()
    layout = row(Glyph("lock-simple", "text3", 16), gap=8, parent=container)
    layout.addWidget(text, 1)
    return container
