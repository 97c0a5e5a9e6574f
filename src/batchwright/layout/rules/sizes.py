"""Rules on how large a layout and its rich texts may be (wire.md 15)."""

from collections.abc import Iterator

from batchwright.base.i18n import N_, _
from batchwright.base.limits import (
    DEEPEST_RICH_TEXT,
    DEEPEST_TABLES,
    LONGEST_RICH_TEXT,
    MOST_CHARACTERS,
    MOST_ITEMS,
    MOST_VALUES,
)
from batchwright.layout.model import RichText
from batchwright.layout.nodes import NodePath
from batchwright.layout.rich_text import is_within_limits, rendered
from batchwright.layout.rules.examples import TEXT, WHY, layout_with, one_item_layouts, with_attributes
from batchwright.layout.rules.page_index import LayoutIndex, PageIndex
from batchwright.layout.rules.problems import Fix, RefusalStatus
from batchwright.layout.rules.quick_fixes import set_attribute_fix
from batchwright.layout.rules.registry import Finding, rule


@rule(
    "LY40",
    N_("A rich text is neither too long nor nested too deeply"),
    RefusalStatus.ITEM,
    passes=one_item_layouts(
        with_attributes(TEXT, content="<blockquote><p>Read the answer.</p></blockquote>"),
        with_attributes(TEXT, content="> > > Read the answer.", content_format="markdown"),
    ),
    fails=one_item_layouts(
        with_attributes(TEXT, content="> " * 6 + "Read the answer.", content_format="markdown"),
        with_attributes(TEXT, content="<blockquote>" * 6 + "Read the answer." + "</blockquote>" * 6),
        with_attributes(TEXT, content="<div>" * 51 + "Read the answer." + "</div>" * 51),
        with_attributes(TEXT, content="Read the answer. " * 3000),
    ),
)
def rich_text_within_limits(sheet: PageIndex) -> Iterator[Finding]:
    """The content of a rich text, as written and as HTML, stays below the limits of length and depth."""
    for place, item in sheet.of(RichText):
        content = item.text("content")
        if is_within_limits(content, item.format):
            continue
        if rendered(content, item.format).is_too_long:
            sentence = _("This text is longer than {most} characters, as written or as HTML. Shorten it.")
            yield Finding(place, item, sentence, {"most": LONGEST_RICH_TEXT})
        else:
            sentence = _(
                "Elements of this text are nested too deeply: at most {most} may be in each other,"
                " of tables and quotations {tables}. Nest fewer of them."
            )
            values = {"most": DEEPEST_RICH_TEXT, "tables": DEEPEST_TABLES}
            yield Finding(place, item, sentence, values, _flattened(item))


@rule(
    "LY41",
    N_("A layout fits into a request"),
    RefusalStatus.SHAPE,
    passes=[layout_with(TEXT, WHY)],
    fails=[
        layout_with(with_attributes(WHY, description="Why? " * (MOST_CHARACTERS // 5))),
    ],
)
def layout_fits_into_request(whole: LayoutIndex) -> Iterator[Finding]:
    """A layout has at most so many items, JSON values, and characters in texts and keys."""
    measured = (
        (whole.size.items, MOST_ITEMS, _("The layout has {count} items, and at most {most} are accepted.")),
        (whole.size.values, MOST_VALUES, _("The layout holds more than {most} JSON values.")),
        (
            whole.size.characters,
            MOST_CHARACTERS,
            _("The texts of the layout have more than {most} characters."),
        ),
    )
    for count, most, sentence in measured:
        if count > most:
            advice = _("Shorten it, or divide it between several batches.")
            yield Finding(NodePath(), None, f"{sentence} {advice}", {"count": count, "most": most})


def _flattened(item: RichText) -> Fix:
    """The text as participants would see it, with fewer levels."""
    html = rendered(item.text("content"), item.format).html
    return set_attribute_fix(
        item, _("Keep the text of the deeper levels only"), content=html, content_format="html"
    )
