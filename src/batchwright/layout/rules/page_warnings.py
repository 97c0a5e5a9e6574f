"""Hints on pages and on the layout: accepted by the service, but probably not intended."""

from collections.abc import Iterator
from operator import attrgetter

from batchwright.base.i18n import N_, _
from batchwright.base.local_formats import joined
from batchwright.layout.item_types.base import Instruction, Item
from batchwright.layout.model import Page
from batchwright.layout.nodes import InvalidNode, NodePath
from batchwright.layout.option_values import as_text
from batchwright.layout.rules.examples import (
    CHOICE,
    DATASET_FIELD,
    FREE_TEXT,
    IMAGE,
    RICH_TEXT,
    layout_with,
    page,
    pages,
    with_attributes,
)
from batchwright.layout.rules.page_index import LayoutIndex, PageIndex
from batchwright.layout.rules.problems import SchemaUnavailable
from batchwright.layout.rules.quick_fixes import unset_attribute_fix
from batchwright.layout.rules.registry import Finding, rule

_POSITIONS = ("intro", "body", "outro")
_POSITION = attrgetter("position")


@rule(
    "LY51",
    N_("A page has a question"),
    passes=[
        layout_with(DATASET_FIELD, FREE_TEXT),
        layout_with(RICH_TEXT, {"type": "video_narration"}),
        pages(page(RICH_TEXT, display_position="intro"), page(CHOICE)),
        layout_with(RICH_TEXT, fields=SchemaUnavailable.COLLECTION),
    ],
    fails=[layout_with(DATASET_FIELD), pages(page(CHOICE), page(RICH_TEXT, IMAGE))],
)
def page_has_question(index: PageIndex) -> Iterator[Finding]:
    """Participants would click through a repeated page without an instruction for each record.

    The pages of a collection are not repeated.
    """
    if not isinstance(index.page, Page) or index.page.position != "body" or not index.items:
        return
    if index.fields is SchemaUnavailable.COLLECTION:
        return
    if not any(isinstance(item, Instruction) or type(item) is Item for _path, item in index.items):
        message = _("This page has no question. Add one, or move its items to another page.")
        yield Finding(NodePath(), index.page, message)


@rule(
    "LY58",
    N_("The position of a page is a known one"),
    passes=[
        pages(page(RICH_TEXT, display_position="outro"), page(FREE_TEXT, display_position="body")),
        pages(page(FREE_TEXT, display_position=None)),
    ],
    fails=[pages(page(FREE_TEXT, display_position="middle")), pages(page(FREE_TEXT, display_position=1))],
    attribute="display_position",
)
def known_position(index: PageIndex) -> Iterator[Finding]:
    """Any `display_position` except `intro` and `outro` is shown as body (wire reference, section 12)."""
    if not isinstance(index.page, Page) or index.fields is SchemaUnavailable.COLLECTION:
        return
    position = index.page.attributes.get("display_position")
    if position is not None and position not in _POSITIONS:
        yield Finding(
            NodePath(),
            index.page,
            _("The page position “{given}” is not known, so the page is shown as body. Use {known}."),
            {"given": as_text(position), "known": joined(_POSITIONS)},
            unset_attribute_fix(index.page, _("Remove the position"), "display_position"),
        )


@rule(
    "LY60",
    N_("Position in the list is the only order"),
    passes=[layout_with(FREE_TEXT, CHOICE)],
    fails=[
        layout_with(with_attributes(FREE_TEXT, order=1), with_attributes(CHOICE, order=0)),
        pages(page(FREE_TEXT, order=2)),
    ],
)
def no_order_key(index: PageIndex) -> Iterator[Finding]:
    """An `order` key has no meaning in `batch_items` (wire reference, sections 6 and 12)."""
    for path, node in index.objects:
        if "order" in node.attributes:
            message = _("“order” has no effect: items are shown in the order of the list. Remove it.")
            yield Finding(path, node, message, fix=unset_attribute_fix(node, _("Remove “order”"), "order"))


@rule(
    "LY61",
    N_("Some page is shown for each record"),
    passes=[pages(page(RICH_TEXT, display_position="intro"), page(FREE_TEXT)), layout_with(FREE_TEXT)],
    fails=[pages(page(RICH_TEXT, display_position="intro"), page(IMAGE, display_position="outro"))],
)
def has_body_page(index: LayoutIndex) -> Iterator[Finding]:
    """A layout with only intro and outro pages shows no dataset fields and has no questions."""
    pages = index.layout.pages if index.layout else ()
    if pages and not any(isinstance(node, InvalidNode) or node.position == "body" for node in pages):
        yield Finding(NodePath(), None, _("No page is shown for each record. Add a page with a question."))


@rule(
    "LY66",
    N_("Pages are listed in the order in which they are shown"),
    passes=[
        pages(
            page(RICH_TEXT, display_position="intro"),
            page(FREE_TEXT),
            page(RICH_TEXT, display_position="outro"),
        ),
        pages(page(FREE_TEXT), page(CHOICE)),
    ],
    fails=[
        pages(page(FREE_TEXT), page(RICH_TEXT, display_position="intro")),
        pages(page(RICH_TEXT, display_position="outro"), page(FREE_TEXT)),
    ],
    attribute="display_position",
)
def shown_order(index: LayoutIndex) -> Iterator[Finding]:
    """Intro pages are shown before all records, and outro pages after them, wherever they are in the list."""
    pages = index.layout.pages if index.layout else ()
    ranks = list(map(_POSITIONS.index, map(_POSITION, pages)))
    if ranks == sorted(ranks):  # without a loop in Python, because this follows each edit
        return
    last = 0
    for number, (node, rank) in enumerate(zip(pages, ranks, strict=True)):
        if rank < last and isinstance(node, Page):
            message = _("This page is listed after pages that participants see later. Move it before them.")
            yield Finding(NodePath(number), node, message)
        last = max(last, rank)


@rule(
    "LY64",
    N_("The questions of a page differ"),
    passes=[layout_with(FREE_TEXT, CHOICE), pages(page(FREE_TEXT), page(FREE_TEXT))],
    fails=[
        layout_with(FREE_TEXT, DATASET_FIELD, FREE_TEXT),
        layout_with(FREE_TEXT, with_attributes(CHOICE, description=" Why? ")),
    ],
    attribute="description",
)
def distinct_questions(index: PageIndex) -> Iterator[Finding]:
    """The report identifies the instructions of a page by their question (wire reference, section 7.3)."""
    questions = set[str]()
    for path, item in index.of(Instruction):
        question = item.description.strip()
        if question and question in questions:
            message = _(
                "“{question}” is asked on this page already, and the report cannot tell the two apart."
            )
            yield Finding(path, item, message, {"question": question})
        questions.add(question)


PAGE_RULES = (page_has_question, known_position, no_order_key, distinct_questions)
