"""The rule on images."""

from collections.abc import Iterator

from batchwright.base.i18n import N_, _
from batchwright.base.urls import is_https_url
from batchwright.layout.item_types.base import Item
from batchwright.layout.item_types.image import Image
from batchwright.layout.rules.examples import IMAGE, one_item_layouts, with_attributes
from batchwright.layout.rules.page_index import PageIndex
from batchwright.layout.rules.problems import Fix, RejectionStatus
from batchwright.layout.rules.quick_fixes import set_attribute_fix
from batchwright.layout.rules.registry import Finding, rule


@rule(
    "LY15",
    N_("The address of an image is an https address"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(IMAGE, with_attributes(IMAGE, url="HTTPS://example.net/a%20b.png?size=2#top")),
    fails=one_item_layouts(
        with_attributes(IMAGE, url="http://example.net/a.png"),
        with_attributes(IMAGE, url="example.net/a.png"),
        with_attributes(IMAGE, url="https://"),
        with_attributes(IMAGE, url="https://example.net/a b.png"),
        with_attributes(IMAGE, url="data:image/png;base64,AAAA"),
    ),
    attribute="url",
)
def image_over_https(index: PageIndex) -> Iterator[Finding]:
    """The `url` of an image is an absolute https address."""
    for path, item in index.of(Image):
        address = item.text("url")
        if address and not is_https_url(address):
            message = _("“{address}” is not an https address. Enter one that begins with https://.")
            yield Finding(path, item, message, {"address": address}, _over_https(item, address))


RULES = (image_over_https,)


def _over_https(item: Item, address: str) -> Fix | None:
    scheme, separator, rest = address.strip().partition("://")
    better = f"https://{rest}"
    if not separator or scheme.lower() not in ("http", "https") or not is_https_url(better):
        return None
    return set_attribute_fix(item, _("Use https://"), url=better)
