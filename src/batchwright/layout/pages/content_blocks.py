"""What a page shows beside its questions: texts, images, recordings, and notes in their place.

Values come from a stored record or, in a preview, from anybody's JSON: whatever cannot be shown
becomes a note that says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from markupsafe import Markup

from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.layout import rich_text
from batchwright.layout.model import DatasetField, Image, Item, RichText
from batchwright.layout.option_values import as_text
from batchwright.schema.model import Field, FieldType, Schema


@dataclass(frozen=True)
class ContentBlock:
    """Anything that asks nothing; `kind` chooses its markup in `content.html`."""

    kind: ClassVar[str]
    asks: ClassVar[bool] = False


@dataclass(frozen=True)
class Text(ContentBlock):
    """Plain text, its line breaks kept."""

    kind = "text"
    label: str
    text: str


@dataclass(frozen=True)
class ImageBlock(ContentBlock):
    """An image from an https address."""

    kind = "image"
    label: str
    url: str
    alt: str
    caption: str = ""


@dataclass(frozen=True)
class AudioBlock(ContentBlock):
    """A recording with controls to play it."""

    kind = "audio"
    label: str
    url: str
    alt: str


@dataclass(frozen=True)
class VideoBlock(ContentBlock):
    """A video with controls to play it."""

    kind = "video"
    label: str
    url: str
    alt: str


@dataclass(frozen=True)
class Link(ContentBlock):
    """Something that the page may not load itself, to be opened beside it."""

    kind = "link"
    label: str
    url: str
    text: str


@dataclass(frozen=True)
class RichTextBlock(ContentBlock):
    """Formatted text in one of the formats of rich text."""

    kind = "rich_text"
    content: str
    content_format: str

    @property
    def html(self) -> Markup:
        """The text as HTML that is safe to show; a long text takes up to a second the first time."""
        return sanitized_html(self.content, self.content_format)


@dataclass(frozen=True)
class NoticeBlock(ContentBlock):
    """A sentence of ours in place of something that cannot be shown."""

    kind = "note"
    label: str
    text: str
    locked: bool = False


def content_block(item: Item, record: Mapping[str, Json], schema: Schema | None) -> ContentBlock:
    """What a content item, a dataset field or an item of an unknown type looks like."""
    match item:
        case DatasetField():
            field = schema.fields.get(item.field) if schema else None
            return _value(item.field, field, record.get(item.field))
        case Image():
            return _image(item)
        case RichText():
            return RichTextBlock(item.text("content"), item.format)
    return NoticeBlock(
        item.kind or "",
        _("Batchwright does not know this item type; the item is kept as it is."),
        locked=True,
    )


@lru_cache(maxsize=256)
def sanitized_html(content: str, written_as: str) -> Markup:
    """Formatted text as HTML that is safe to show."""
    return Markup(rich_text.render(content, written_as))  # noqa: S704 - cleaned by nh3


def _image(item: Image) -> ContentBlock:
    url = item.text("url")
    if not _begins(url, "https"):
        return NoticeBlock("", _("This image has no https address, so it cannot be shown."))
    return ImageBlock("", url, item.text("alt_text"), item.text("caption"))


def _value(key: str, field: Field | None, value: Json) -> ContentBlock:
    label = field.label if field and field.label else key
    type = field.type if field else FieldType.TEXT
    if not type.referable:
        return NoticeBlock(label, _("A field of this type is never shown to participants."))
    text = "" if value is None else as_text(value)
    if not text:
        return NoticeBlock(label, _("This field is empty for this record."))
    if type is FieldType.TEXT:
        return Text(label, text)
    return _media(label, type, text)


def _media(label: str, type: FieldType, url: str) -> ContentBlock:
    if _begins(url, "https"):
        match type:
            case FieldType.IMAGE_URL:
                return ImageBlock(label, url, alt=label)
            case FieldType.AUDIO_URL:
                return AudioBlock(label, url, alt=label)
            case _:
                return VideoBlock(label, url, alt=label)
    if type is not FieldType.IMAGE_URL and _begins(url, "http"):
        words = (
            _("Play the recording in a new tab")
            if type is FieldType.AUDIO_URL
            else _("Play the video in a new tab")
        )
        return Link(label, url, words)
    return NoticeBlock(label, _("The address in this record cannot be opened: {address}").format(address=url))


def _begins(url: str, scheme: str) -> bool:
    return url[: len(scheme) + 3].lower() == f"{scheme}://"
