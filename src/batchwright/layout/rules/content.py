"""Rules on images, and on pages before and after the repeated part (wire.md 6, 12)."""

from collections.abc import Iterator

from batchwright.base.i18n import N_, _
from batchwright.base.urls import is_https_address
from batchwright.layout.model import Image, Item, Page, RichText
from batchwright.layout.rules.examples import (
    BETTER,
    IMAGE,
    PROMPT,
    TEXT,
    WHY,
    one_item_layouts,
    page,
    pages,
    with_attributes,
)
from batchwright.layout.rules.page_index import PageIndex
from batchwright.layout.rules.problems import Fix, RefusalStatus
from batchwright.layout.rules.quick_fixes import set_attribute_fix, unset_attribute_fix
from batchwright.layout.rules.registry import Finding, rule

_SHOWN_AT_THE_EDGE: frozenset[str] = frozenset({Image.type, RichText.type})


@rule(
    "LY15",
    N_("An image comes from an https address"),
    RefusalStatus.ITEM,
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
def image_over_https(sheet: PageIndex) -> Iterator[Finding]:
    """The `url` of an image is an absolute https address."""
    for place, item in sheet.of(Image):
        address = item.text("url")
        if address and not is_https_address(address):
            sentence = _("“{address}” is no https address. Give one that begins with https://.")
            yield Finding(place, item, sentence, {"address": address}, _over_https(item, address))


@rule(
    "LY31",
    N_("A page before or after the repeated part holds only images and rich text"),
    RefusalStatus.ITEM,
    passes=[
        pages(page(TEXT, IMAGE, display_position="intro"), page(WHY), page(TEXT, display_position="outro")),
        pages(page(PROMPT, BETTER, display_position="body")),
        pages(page(WHY, display_position="middle")),
    ],
    fails=[
        pages(page(TEXT, WHY, display_position="intro"), page(WHY)),
        pages(page(WHY), page(PROMPT, display_position="outro")),
        pages(page(WHY), page({"type": "video_narration"}, display_position="outro")),
    ],
)
def intro_outro_content_only(sheet: PageIndex) -> Iterator[Finding]:
    """With `display_position` `intro` or `outro` a page asks nothing and shows nothing of the dataset."""
    page = sheet.page
    if not isinstance(page, Page) or page.position == "body":
        return
    for place, item in sheet.items:
        if item.kind is not None and item.kind not in _SHOWN_AT_THE_EDGE:
            yield Finding(
                place,
                item,
                _("A page shown only once ({position}) holds images and rich text. Move this elsewhere."),
                {"position": page.position},
                unset_attribute_fix(page, _("Repeat the page for each record"), "display_position"),
            )


def _over_https(item: Item, address: str) -> Fix | None:
    scheme, mark, rest = address.strip().partition("://")
    better = f"https://{rest}"
    if not mark or scheme.lower() not in ("http", "https") or not is_https_address(better):
        return None
    return set_attribute_fix(item, _("Use https://"), url=better)
