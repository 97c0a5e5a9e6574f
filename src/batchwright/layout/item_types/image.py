"""The `image` item type: an image from the web."""

from collections.abc import Mapping

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import Json
from batchwright.layout.attributes import Attribute, AttributeType
from batchwright.layout.item_types.base import Item
from batchwright.layout.item_types.content_blocks import ContentBlock, ImageBlock, NoticeBlock, has_scheme
from batchwright.schema.model import Schema


class Image(Item):
    """Shows an image from an https URL."""

    type = "image"
    title = N_("Image")
    is_static = True
    known_attributes = (
        Attribute("url", AttributeType.TEXT, N_("address"), required=True, start="", is_reference=True),
        Attribute(
            "alt_text",
            AttributeType.TEXT,
            N_("text in place of the image"),
            required=True,
            start="",
            filled_from="caption",
            fill_title=N_("Use the caption"),
        ),
        Attribute("caption", AttributeType.TEXT, N_("caption")),
    )

    def content_block(self, record: Mapping[str, Json], schema: Schema | None) -> ContentBlock:
        """The content block with the image and its caption."""
        url = self.text("url")
        if not has_scheme(url, "https"):
            return NoticeBlock("", _("This image has no https address, so it cannot be shown."))
        return ImageBlock("", url, self.text("alt_text"), self.text("caption"))
