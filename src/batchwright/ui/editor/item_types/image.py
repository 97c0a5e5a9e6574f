"""`image` in the editor."""

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject
from batchwright.base.text import truncate
from batchwright.layout.attributes import Attribute
from batchwright.layout.item_types.content_blocks import ImageBlock
from batchwright.layout.item_types.registry import Image
from batchwright.schema.model import Schema
from batchwright.ui.content.answer_previews import ImagePlaceholder
from batchwright.ui.core.web_media import ImageView, PreviewMedia
from batchwright.ui.editor.inspector.fields import TextField
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.editor.item_types.base import (
    MAX_CARD_CHARACTERS,
    CardBody,
    ItemEditor,
    hint_label,
    labelled,
)
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.text import ElidedLabel, Label


def _image_widget(block: ImageBlock, media: PreviewMedia) -> QWidget:
    return labelled(block.label, ImageView(block, media))


def _card_body(item: Image, _schema: Schema | None, _record: JsonObject | None) -> CardBody:
    texts = column(gap=4)
    caption = item.text("caption") or item.text("alt_text")
    if caption:
        texts.add(Label(truncate(caption, MAX_CARD_CHARACTERS), TextRole.BODY, wraps=True))
    address = item.text("url").removeprefix("https://")
    if address:
        texts.add(ElidedLabel(address, TextRole.CAPTION, "text3", in_middle=True))
    else:
        texts.add(hint_label(_("Enter the address of the image at the right.")))
    layout = row(ImagePlaceholder(), gap=14)
    layout.addLayout(column(None, texts, None), 1)
    return [layout]


def _url_field(form: NodeForm, attribute: Attribute) -> QWidget:
    return TextField(form, attribute, example="https://", hint=_("An https address."))


def _alt_text_field(form: NodeForm, attribute: Attribute) -> QWidget:
    return TextField(
        form, attribute, lines=2, hint=_("Read aloud to participants who cannot see the image."), is_long=True
    )


def _caption_field(form: NodeForm, attribute: Attribute) -> QWidget:
    return TextField(form, attribute, hint=_("Shown below the image."), is_long=True)


EDITOR = ItemEditor(
    Image,
    glyph="image",
    family="content",
    card_body=_card_body,
    fields={"url": _url_field, "alt_text": _alt_text_field},
    more_fields={"caption": _caption_field},
    blocks={ImageBlock: _image_widget},
)
