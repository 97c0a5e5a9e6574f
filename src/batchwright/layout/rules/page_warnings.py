"""Advice on pages and on the layout: what the service takes, and is probably not meant."""

from collections.abc import Iterator

from batchwright.base.i18n import N_, _
from batchwright.layout.item_types.base import Instruction, Item
from batchwright.layout.model import Page
from batchwright.layout.nodes import InvalidNode, NodePath, ObjectNode
from batchwright.layout.option_values import as_text
from batchwright.layout.rules.examples import (
    BETTER,
    IMAGE,
    PROMPT,
    TEXT,
    WHY,
    layout_with,
    page,
    pages,
    with_attributes,
)
from batchwright.layout.rules.page_index import LayoutIndex, PageIndex
from batchwright.layout.rules.quick_fixes import unset_attribute_fix
from batchwright.layout.rules.registry import Finding, rule

_POSITIONS = ("intro", "body", "outro")


@rule(
    "LY51",
    N_("A page asks something"),
    passes=[
        layout_with(PROMPT, WHY),
        layout_with(TEXT, {"type": "video_narration"}),
        pages(page(TEXT, display_position="intro"), page(BETTER)),
    ],
    fails=[layout_with(PROMPT), pages(page(BETTER), page(TEXT, IMAGE))],
)
def page_has_question(index: PageIndex) -> Iterator[Finding]:
    """A repeated page without an instruction is clicked through for each record."""
    if not isinstance(index.page, Page) or index.page.position != "body" or not index.items:
        return
    if not any(isinstance(item, Instruction) or type(item) is Item for _place, item in index.items):
        sentence = _("This page asks nothing. Add a question, or put what it shows on another page.")
        yield Finding(NodePath(), index.page, sentence)


@rule(
    "LY58",
    N_("The position of a page is a known one"),
    passes=[
        pages(page(TEXT, display_position="outro"), page(WHY, display_position="body")),
        pages(page(WHY, display_position=None)),
    ],
    fails=[pages(page(WHY, display_position="middle")), pages(page(WHY, display_position=1))],
    attribute="display_position",
)
def known_position(index: PageIndex) -> Iterator[Finding]:
    """`display_position` is `intro`, `body` or `outro`; anything else is shown as body (wire.md 12)."""
    if not isinstance(index.page, Page):
        return
    given = index.page.attributes.get("display_position")
    if given is not None and given not in _POSITIONS:
        yield Finding(
            NodePath(),
            index.page,
            _("The page position “{given}” is not known, so the page is shown as body. Use {known}."),
            {"given": as_text(given), "known": ", ".join(_POSITIONS)},
            unset_attribute_fix(index.page, _("Remove the position"), "display_position"),
        )


@rule(
    "LY60",
    N_("Position in the list is the only order"),
    passes=[layout_with(WHY, BETTER)],
    fails=[
        layout_with(with_attributes(WHY, order=1), with_attributes(BETTER, order=0)),
        pages(page(WHY, order=2)),
    ],
)
def no_order_key(index: PageIndex) -> Iterator[Finding]:
    """An `order` key has no meaning in `batch_items` (wire.md 6, 12)."""
    for place, entry in index.nodes:
        if isinstance(entry, ObjectNode) and "order" in entry.attributes:
            sentence = _("“order” has no effect: items are shown in the order of the list. Remove it.")
            yield Finding(
                place, entry, sentence, fix=unset_attribute_fix(entry, _("Remove “order”"), "order")
            )


@rule(
    "LY61",
    N_("Some page is shown for each record"),
    passes=[pages(page(TEXT, display_position="intro"), page(WHY)), layout_with(WHY)],
    fails=[pages(page(TEXT, display_position="intro"), page(IMAGE, display_position="outro"))],
)
def has_body_page(whole: LayoutIndex) -> Iterator[Finding]:
    """A layout of intro and outro pages alone shows nothing of the dataset, and asks nothing."""
    pages = whole.layout.pages if whole.layout else ()
    if pages and not any(isinstance(one, InvalidNode) or one.position == "body" for one in pages):
        yield Finding(NodePath(), None, _("No page is shown for each record. Add a page with a question."))


@rule(
    "LY64",
    N_("The questions of a page differ"),
    passes=[layout_with(WHY, BETTER), pages(page(WHY), page(WHY))],
    fails=[layout_with(WHY, PROMPT, WHY), layout_with(WHY, with_attributes(BETTER, description=" Why? "))],
    attribute="description",
)
def distinct_questions(index: PageIndex) -> Iterator[Finding]:
    """The report tells the instructions of a page apart by their question (wire.md 7.3)."""
    met = set[str]()
    for place, item in index.of(Instruction):
        question = item.description.strip()
        if question and question in met:
            sentence = _("“{question}” is asked on this page already, and the report would show both alike.")
            yield Finding(place, item, sentence, {"question": question})
        met.add(question)


PAGE_RULES = (page_has_question, known_position, no_order_key, distinct_questions)
