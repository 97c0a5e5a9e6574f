"""The `dataset_field` item type: shows the value of a dataset field."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import Json
from batchwright.layout.attributes import Attribute, AttributeType
from batchwright.layout.item_types.base import Item
from batchwright.layout.item_types.content_blocks import ContentBlock, ImageBlock, NoticeBlock, has_scheme
from batchwright.layout.option_values import as_text
from batchwright.schema.model import FieldType, Schema


@dataclass(frozen=True)
class FieldBlock(ContentBlock):
    """The value of a field; `kind` selects the HTML elements in the template."""

    template = "dataset_field"
    kind: ClassVar[str]
    label: str


@dataclass(frozen=True)
class TextBlock(FieldBlock):
    """Plain text with its line breaks."""

    kind = "text"
    text: str


@dataclass(frozen=True)
class AudioBlock(FieldBlock):
    """An audio recording with playback controls."""

    kind = "audio"
    url: str
    alt: str


@dataclass(frozen=True)
class VideoBlock(FieldBlock):
    """A video with playback controls."""

    kind = "video"
    url: str
    alt: str


@dataclass(frozen=True)
class LinkBlock(FieldBlock):
    """A link that opens a media file in a new tab, because the page may not load it."""

    kind = "link"
    url: str
    text: str


class DatasetField(Item):
    """Shows the value of one field of the record."""

    type = "dataset_field"
    title = N_("Dataset field")
    known_attributes = (
        Attribute(
            "field", AttributeType.TEXT, N_("dataset field"), required=True, start="", is_reference=True
        ),
    )

    @property
    def field(self) -> str:
        """The key of the field."""
        return self.text("field")

    def content_block(self, record: Mapping[str, Json], schema: Schema | None) -> ContentBlock:
        """The value in the form of the field's type; as text without a schema."""
        field = schema.fields.get(self.field) if schema else None
        label = field.label if field and field.label else self.field
        type = field.type if field else FieldType.TEXT
        if not type.referable:
            return NoticeBlock(label, _("A field of this type is never shown to participants."))
        value = record.get(self.field)
        text = "" if value is None else as_text(value)
        if not text:
            return NoticeBlock(label, _("This field is empty for this record."))
        return TextBlock(label, text) if type is FieldType.TEXT else _media_block(label, type, text)


def _media_block(label: str, type: FieldType, url: str) -> ContentBlock:
    if has_scheme(url, "https"):
        match type:
            case FieldType.IMAGE_URL:
                return ImageBlock(label, url, alt=label)
            case FieldType.AUDIO_URL:
                return AudioBlock(label, url, alt=label)
            case _:
                return VideoBlock(label, url, alt=label)
    if type is not FieldType.IMAGE_URL and has_scheme(url, "http"):
        text = (
            _("Play the recording in a new tab")
            if type is FieldType.AUDIO_URL
            else _("Play the video in a new tab")
        )
        return LinkBlock(label, url, text)
    return NoticeBlock(label, _("The address in this record cannot be opened: {address}").format(address=url))
