"""The `rich_text` item type: formatted text, written as HTML or Markdown."""

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from batchwright.base.i18n import N_
from batchwright.base.json_values import Json
from batchwright.layout.attributes import Attribute, AttributeType
from batchwright.layout.item_types.base import Item
from batchwright.layout.item_types.content_blocks import ContentBlock
from batchwright.layout.rich_text import sanitized_html
from batchwright.schema.model import Schema


@dataclass(frozen=True)
class RichTextBlock(ContentBlock):
    """A content block of formatted text; `html` renders it."""

    template = "rich_text"
    content: str
    content_format: str

    @property
    def html(self) -> Markup:
        """The text as sanitized HTML. Rendering a long text takes up to a second the first time."""
        return sanitized_html(self.content, self.content_format)


class RichText(Item):
    """Shows formatted text. New items are Markdown, which keeps paragraphs as they were typed."""

    type = "rich_text"
    title = N_("Rich text")
    is_static = True
    known_attributes = (
        Attribute("content", AttributeType.TEXT, N_("content"), required=True, start="", is_rich_text=True),
        Attribute(
            "content_format",
            AttributeType.TEXT,
            N_("format"),
            default="html",
            start="markdown",
            allowed=("html", "markdown"),
        ),
    )

    @property
    def format(self) -> str:
        """`html` or `markdown`."""
        return self.text("content_format") or "html"

    def content_block(self, record: Mapping[str, Json], schema: Schema | None) -> ContentBlock:
        """The content block with the text."""
        return RichTextBlock(self.text("content"), self.format)
