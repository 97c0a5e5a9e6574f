"""The rule on rich text."""

from collections.abc import Iterator

from batchwright.base.i18n import N_, _
from batchwright.base.limits import DEEPEST_RICH_TEXT, DEEPEST_TABLES, LONGEST_RICH_TEXT
from batchwright.layout.item_types.rich_text import RichText
from batchwright.layout.rich_text import is_within_limits, rendered
from batchwright.layout.rules.examples import RICH_TEXT, one_item_layouts, with_attributes
from batchwright.layout.rules.page_index import PageIndex
from batchwright.layout.rules.problems import Fix, RejectionStatus
from batchwright.layout.rules.quick_fixes import set_attribute_fix
from batchwright.layout.rules.registry import Finding, rule


@rule(
    "LY40",
    N_("A rich text is neither too long nor nested too deeply"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(
        with_attributes(RICH_TEXT, content="<blockquote><p>Read the answer.</p></blockquote>"),
        with_attributes(RICH_TEXT, content="> > > Read the answer.", content_format="markdown"),
    ),
    fails=one_item_layouts(
        with_attributes(RICH_TEXT, content="> " * 6 + "Read the answer.", content_format="markdown"),
        with_attributes(RICH_TEXT, content="<blockquote>" * 6 + "Read the answer." + "</blockquote>" * 6),
        with_attributes(RICH_TEXT, content="<div>" * 51 + "Read the answer." + "</div>" * 51),
        with_attributes(RICH_TEXT, content="Read the answer. " * 3000),
    ),
)
def rich_text_within_limits(index: PageIndex) -> Iterator[Finding]:
    """The content of a rich text, as source and as HTML, is within the limits of length and depth."""
    for path, item in index.of(RichText):
        content = item.text("content")
        if is_within_limits(content, item.format):
            continue
        if rendered(content, item.format).is_too_long:
            message = _("This text is longer than {most} characters, as written or as HTML. Shorten it.")
            yield Finding(path, item, message, {"most": LONGEST_RICH_TEXT})
        else:
            message = _(
                "Elements of this text are nested too deeply: at most {most} may be in each other,"
                " of tables and quotations {tables}. Nest fewer of them."
            )
            values = {"most": DEEPEST_RICH_TEXT, "tables": DEEPEST_TABLES}
            yield Finding(path, item, message, values, _flatten_fix(item))


RULES = (rich_text_within_limits,)


def _flatten_fix(item: RichText) -> Fix:
    """A fix that replaces the content by its rendered HTML, which has fewer levels."""
    html = rendered(item.text("content"), item.format).html
    return set_attribute_fix(
        item, _("Keep the text of the deeper levels only"), content=html, content_format="html"
    )
