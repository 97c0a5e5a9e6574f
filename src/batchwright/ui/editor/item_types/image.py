"""`image` in the editor."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject
from batchwright.layout.attributes import Attribute
from batchwright.layout.item_types.registry import Image
from batchwright.layout.pages.content_blocks import ImageBlock
from batchwright.schema.model import Schema
from batchwright.ui.editor.inspector.fields import TextField
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.editor.item_types.base import CardBody, ItemEditor, hint_label, labelled
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.answer_previews import ImagePlaceholder
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, column, row
from batchwright.ui.widgets.text import ElidedLabel, Label


def image_widget(block: ImageBlock) -> QWidget:
    """A placeholder for an image: the preview loads none, unlike the browser."""
    texts = column(Label(block.alt, TextRole.BODY, wraps=True), gap=4)
    texts.add(ElidedLabel(block.url, TextRole.CAPTION, "text3", in_middle=True))
    texts.add(Label(_("The picture is shown in the browser."), TextRole.CAPTION, "text3", wraps=True), None)
    container = QWidget()
    lines: ScaledBoxLayout = column(gap=6, parent=container)
    side_by_side = row(gap=14)
    side_by_side.addWidget(ImagePlaceholder(), 0, Qt.AlignmentFlag.AlignTop)
    side_by_side.addLayout(texts, 1)
    lines.add(side_by_side)
    if block.caption:
        lines.add(Label(block.caption, TextRole.BODY, "text2", wraps=True))
    return labelled(block.label, container)


def _card_body(item: Image, _schema: Schema | None, _record: JsonObject | None) -> CardBody:
    texts = column(gap=4)
    caption = item.text("caption") or item.text("alt_text")
    if caption:
        texts.add(Label(caption, TextRole.BODY, wraps=True))
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
    blocks={ImageBlock: image_widget},
)
