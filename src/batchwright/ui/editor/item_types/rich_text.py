"""`rich_text` in the editor."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import JsonObject
from batchwright.layout.item_types.registry import RichText
from batchwright.layout.item_types.rich_text import RichTextBlock
from batchwright.schema.model import Schema
from batchwright.ui.editor.inspector.rich_text import RichTextEditor
from batchwright.ui.editor.item_types.base import CardBody, ItemEditor, hint_label
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.rich_text_view import RichTextView


def _block_widget(block: RichTextBlock) -> QWidget:
    view = RichTextView(_("Text"), TextRole.PAGE)
    view.show_content(block.content, block.content_format)
    return view


def _card_body(item: RichText, _schema: Schema | None, _record: JsonObject | None) -> CardBody:
    content = item.text("content")
    if not content.strip():
        return [hint_label(_("Write the text at the right."))]
    shown = RichTextView(_("Rich text"))
    shown.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    shown.show_content(content, item.format)
    return [shown]


EDITOR = ItemEditor(
    RichText,
    N_("Rich text"),
    glyph="article",
    family="content",
    card_body=_card_body,
    fields={"content": RichTextEditor},
    blocks={RichTextBlock: _block_widget},
)
