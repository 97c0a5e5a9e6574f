"""`dataset_field` in the editor. Its icon is that of the type of the dataset field, if the type is known."""

from collections.abc import Mapping

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.attributes import Attribute
from batchwright.layout.item_types.dataset_field import AudioBlock, LinkBlock, TextBlock, VideoBlock
from batchwright.layout.item_types.registry import DatasetField
from batchwright.schema.model import FieldType, Schema
from batchwright.ui.editor.collapsible_text import CollapsibleText
from batchwright.ui.editor.inspector.fields import MenuField, TextField
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.editor.item_types.base import CardBody, ItemEditor, hint_label, labelled
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.answer_previews import ImagePlaceholder
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.rich_text_view import RichTextView
from batchwright.ui.widgets.surfaces import SunkenSurface
from batchwright.ui.widgets.text import ElidedLabel, Label


def _text_widget(block: TextBlock) -> QWidget:
    view = RichTextView(block.text, TextRole.PAGE)
    view.show_text(block.text)
    return labelled(block.label, view)


def _audio_widget(block: AudioBlock) -> QWidget:
    return labelled(block.label, _recording("speaker-high", block.url))


def _video_widget(block: VideoBlock) -> QWidget:
    return labelled(block.label, _recording("film-strip", block.url))


def _link_widget(block: LinkBlock) -> QWidget:
    return labelled(block.label, Label(block.text, TextRole.PAGE, "accent_text", wraps=True))


def _recording(glyph: str, url: str) -> QWidget:
    """A row in place of the media player that the browser shows."""
    player = SunkenSurface()
    line = row(
        Glyph("play-circle", "text2", 22), Glyph(glyph, "text2", 18), gap=10, margins=12, parent=player
    )
    line.addWidget(ElidedLabel(url, TextRole.SMALL, "text2", in_middle=True), 1)
    line.add(Label(_("plays in the browser"), TextRole.CAPTION, "text3"))
    return player


def _card_body(item: DatasetField, schema: Schema | None, record: JsonObject | None) -> CardBody:
    if not item.field:
        return [hint_label(_("Choose a dataset field at the right."))]
    if record is None:
        return [hint_label(_("A record's value stands here once there is data."))]
    if item.field not in record:
        return [hint_label(_("No value: the field is not in the data."))]
    value = record[item.field]
    if value is None or value == "":
        return [hint_label(_("This record has no value here."))]
    field = schema.fields.get(item.field) if schema is not None else None
    return _value(field.type if field is not None else None, value)


def _value(kind: FieldType | None, value: Json) -> CardBody:
    text = value if isinstance(value, str) else str(value)
    match kind:
        case FieldType.IMAGE_URL:
            return [
                row(ImagePlaceholder(), ElidedLabel(text, TextRole.CAPTION, "text3", in_middle=True), gap=14)
            ]
        case FieldType.AUDIO_URL | FieldType.VIDEO_URL:
            address = ElidedLabel(text, TextRole.SMALL, "text2", in_middle=True)
            player = row(Glyph("play-circle", "field", 22), gap=10)
            player.addWidget(address, 1)
            return [player]
        case _:
            return [CollapsibleText(text)]


def _field_field(form: NodeForm, attribute: Attribute) -> QWidget:
    def titles() -> Mapping[str, str]:
        schema = form.study.schema
        if schema is None:
            return {}
        return {
            key: f"{key} ({field.label})" if field.label else key
            for key, field in schema.fields.items()
            if field.type.referable
        }

    if form.study.schema is None:
        return TextField(
            form,
            attribute,
            label=_("Dataset field"),
            hint=_(
                "Without a schema this cannot be checked yet: choose data first, or type the field's key."
            ),
        )
    return MenuField(
        form, attribute, titles, label=_("Dataset field"), hint=_("Shows this field of each record.")
    )


EDITOR = ItemEditor(
    DatasetField,
    N_("Dataset field"),
    glyph="text-t",
    family="field",
    card_body=_card_body,
    fields={"field": _field_field},
    blocks={
        TextBlock: _text_widget,
        AudioBlock: _audio_widget,
        VideoBlock: _video_widget,
        LinkBlock: _link_widget,
    },
)
