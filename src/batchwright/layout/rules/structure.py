"""Rules on the structure and the size of a layout, and on the types of its items.

A service responds with status 400 where no item can be named (specification, batch_items layout).
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import is_object
from batchwright.base.limits import MAX_CHARACTERS, MAX_ITEMS, MAX_VALUES
from batchwright.layout.item_types.registry import ITEM_TYPES, UNSUPPORTED_TYPES, Item
from batchwright.layout.model import Page, Row
from batchwright.layout.nodes import InvalidNode, NodePath
from batchwright.layout.rules.examples import (
    CHOICE,
    CHOICE_WITH_TEXT,
    DATASET_FIELD,
    FILE_UPLOAD,
    FREE_TEXT,
    IMAGE,
    RICH_TEXT,
    TEXT_WITH_UNIT,
    Example,
    layout_with,
    one_item_layouts,
    page,
    pages,
    with_attributes,
    without,
)
from batchwright.layout.rules.page_index import LayoutIndex, PageIndex
from batchwright.layout.rules.problems import RejectionStatus, SchemaUnavailable
from batchwright.layout.rules.quick_fixes import (
    merge_columns_fix,
    remove_fix,
    remove_from_page_fix,
    set_attribute_fix,
    split_wide_row_fix,
    unset_attribute_fix,
)
from batchwright.layout.rules.registry import Finding, rule
from batchwright.schema.similar_keys import SimilarKeys


@rule(
    "LY01",
    N_("A layout is a list of pages"),
    RejectionStatus.SHAPE,
    passes=[layout_with(FREE_TEXT)],
    fails=[Example(None), Example({"batch_items": []}), Example("pages"), Example(7)],
)
def list_of_pages(index: LayoutIndex) -> Iterator[Finding]:
    """`batch_items` is an array."""
    if index.layout is None:
        yield Finding(NodePath(), None, _("The layout must be a list of pages (a JSON array)."))


@rule(
    "LY02",
    N_("A layout has at least one page"),
    RejectionStatus.SHAPE,
    passes=[layout_with(FREE_TEXT)],
    fails=[Example([])],
)
def has_pages(index: LayoutIndex) -> Iterator[Finding]:
    """`batch_items` is not empty."""
    if index.layout is not None and not index.layout.pages:
        yield Finding(NodePath(), None, _("The layout has no page. Add one."))


@rule(
    "LY03",
    N_("A page has at least one row"),
    RejectionStatus.SHAPE,
    passes=[pages(page(FREE_TEXT), page(CHOICE))],
    fails=[
        pages(page(FREE_TEXT), {"rows": []}),
        pages(page(FREE_TEXT), {"id": "p1"}),
        pages({"rows": {}}, page(FREE_TEXT)),
        pages("page", page(FREE_TEXT)),
    ],
    is_unfilled=True,
)
def page_of_rows(index: PageIndex) -> Iterator[Finding]:
    """A page is an object whose `rows` is an array, not empty."""
    if isinstance(index.page, InvalidNode):
        if index.fields is SchemaUnavailable.COLLECTION:
            message = _misshapen(
                index.page,
                _("Not a page: a page must be a JSON object with “page_items”. Remove it."),
                _("This page lacks its list of items (“page_items”). Remove it, or create it again."),
            )
        else:
            message = _misshapen(
                index.page,
                _("Not a page: a page must be a JSON object with “rows”. Remove it."),
                _("This page lacks its list of rows (“rows”). Remove it, or create it again."),
            )
        yield Finding(NodePath(), index.page, message, fix=remove_fix(index.page))
    elif not index.page.rows:
        message = _("This page is empty. Add items to it, or remove it.")
        yield Finding(NodePath(), index.page, message, fix=remove_fix(index.page))


@rule(
    "LY04",
    N_("A row has one or two columns"),
    RejectionStatus.SHAPE,
    passes=[pages({"rows": [{"columns": [{"items": [FREE_TEXT]}, {"items": [CHOICE]}]}]})],
    fails=[
        pages({"rows": [{"columns": []}, {"columns": [{"items": [FREE_TEXT]}]}]}),
        pages({"rows": [{"columns": [{"items": [FREE_TEXT]}] * 3}]}),
        pages({"rows": [{"items": [FREE_TEXT]}, {"columns": [{"items": [FREE_TEXT]}]}]}),
        pages({"rows": [None, {"columns": [{"items": [FREE_TEXT]}]}]}),
    ],
)
def row_of_columns(index: PageIndex) -> Iterator[Finding]:
    """A row is an object whose `columns` is an array of one or two (specification, batch_items layout)."""
    for path, node in index.rows:
        if isinstance(node, InvalidNode):
            message = _misshapen(
                node,
                _("Not a row: a row must be a JSON object with “columns”. Remove it."),
                _("This row lacks its list of columns (“columns”). Remove it, or create it again."),
            )
            yield Finding(path, node, message, fix=remove_from_page_fix(index, node))
        elif not node.children:
            message = _("This row is empty. Add items to it, or remove it.")
            yield Finding(path, node, message, fix=remove_from_page_fix(index, node))
        elif len(node.children) > 2:
            yield Finding(
                path,
                node,
                _("This row has {count} columns, but the maximum is two. Move some to another row."),
                {"count": len(node.children)},
                split_wide_row_fix(node),
            )


@rule(
    "LY46",
    N_("A page of a collection has one column"),
    RejectionStatus.SHAPE,
    passes=[
        layout_with(FREE_TEXT, CHOICE, fields=SchemaUnavailable.COLLECTION),
        pages({"rows": [{"columns": [{"items": [FREE_TEXT]}, {"items": [CHOICE]}]}]}),
    ],
    fails=[
        Example(
            [{"rows": [{"columns": [{"items": [FREE_TEXT]}, {"items": [CHOICE]}]}]}],
            SchemaUnavailable.COLLECTION,
        ),
    ],
)
def single_column(index: PageIndex) -> Iterator[Finding]:
    """A page of a collection is a list of items (wire reference, section 10.2)."""
    if index.fields is not SchemaUnavailable.COLLECTION:
        return
    for path, node in index.rows:
        if isinstance(node, Row) and len(node.columns) > 1:
            message = _("A collection shows its items below each other. Merge the columns of this row.")
            yield Finding(path, node, message, fix=merge_columns_fix(node))


@rule(
    "LY05",
    N_("A column has at least one item"),
    RejectionStatus.SHAPE,
    passes=[layout_with(FREE_TEXT)],
    fails=[
        pages({"rows": [{"columns": [{"items": []}, {"items": [FREE_TEXT]}]}]}),
        pages({"rows": [{"columns": [{}, {"items": [FREE_TEXT]}]}]}),
        pages({"rows": [{"columns": [[FREE_TEXT], {"items": [FREE_TEXT]}]}]}),
    ],
)
def column_of_items(index: PageIndex) -> Iterator[Finding]:
    """A column is an object whose `items` is an array, not empty."""
    for path, node in index.columns:
        if isinstance(node, InvalidNode):
            message = _misshapen(
                node,
                _("Not a column: a column must be a JSON object with “items”. Remove it."),
                _("This column lacks its list of items (“items”). Remove it, or create it again."),
            )
            yield Finding(path, node, message, fix=remove_from_page_fix(index, node))
        elif not node.children:
            message = _("This column is empty. Add items to it, or remove it.")
            yield Finding(path, node, message, fix=remove_from_page_fix(index, node))


@rule(
    "LY06",
    N_("An item has a type"),
    RejectionStatus.SHAPE,
    passes=[
        layout_with(FREE_TEXT),
        layout_with(FREE_TEXT, {"type": "video_narration", "description": "Tell us."}),
    ],
    fails=[
        layout_with(FREE_TEXT, "free_text"),
        layout_with(FREE_TEXT, None),
        layout_with(FREE_TEXT, without(CHOICE, "type")),
        layout_with(FREE_TEXT, {"type": 5}),
        layout_with(FREE_TEXT, {"type": None}),
    ],
)
def item_with_type(index: PageIndex) -> Iterator[Finding]:
    """An item is an object whose `type` is a string."""
    for path, node in index.slots:
        if isinstance(node, InvalidNode):
            message = _("Not an item: an item must be a JSON object with a type. Remove it.")
            yield Finding(path, node, message, fix=remove_from_page_fix(index, node))
        elif type(node) is Item and node.kind is None:
            message = _("This item has no type, or its type is not text. Set its type, or remove it.")
            yield Finding(path, node, message, fix=remove_from_page_fix(index, node))


@rule(
    "LY32",
    N_("The type of an item is a known one"),
    RejectionStatus.ITEM,
    passes=[
        *one_item_layouts(
            DATASET_FIELD, IMAGE, RICH_TEXT, FREE_TEXT, TEXT_WITH_UNIT, CHOICE, CHOICE_WITH_TEXT, FILE_UPLOAD
        ),
        *one_item_layouts({"type": "video_narration", "description": "Tell us."}),
    ],
    fails=one_item_layouts(
        with_attributes(CHOICE, type="multiple_choise"),
        with_attributes(FREE_TEXT, type="Free_Text"),
        {"type": "hologram", "depth": 3.0},
        {"type": ""},
    ),
)
def known_type(index: PageIndex) -> Iterator[Finding]:
    """A type is one of the specification's, or a newer one that services are known to accept."""
    for path, item in index.untyped_items:
        if item.kind is None or item.kind in UNSUPPORTED_TYPES:
            continue
        similar = _similar_keys(tuple(ITEM_TYPES)).find(item.kind)
        if similar:
            message = _("There is no item type “{type}”. Did you mean “{similar}”?")
            fix = set_attribute_fix(item, _("Change it to “{type}”").format(type=similar[0]), type=similar[0])
            values = {"type": item.kind, "similar": similar[0]}
            yield Finding(path, item, message, values, replace(fix, is_safe=False))
        else:
            message = _(
                "There is no item type “{type}”, so participants would not see this item. Correct the"
                " type in the file, or remove the item."
            )
            yield Finding(path, item, message, {"type": item.kind})


@rule(
    "LY31",
    N_("Intro and outro pages contain only images and rich text"),
    RejectionStatus.ITEM,
    passes=[
        pages(
            page(RICH_TEXT, IMAGE, display_position="intro"),
            page(FREE_TEXT),
            page(RICH_TEXT, display_position="outro"),
        ),
        pages(page(DATASET_FIELD, CHOICE, display_position="body")),
        pages(page(FREE_TEXT, display_position="middle")),
    ],
    fails=[
        pages(page(RICH_TEXT, FREE_TEXT, display_position="intro"), page(FREE_TEXT)),
        pages(page(FREE_TEXT), page(DATASET_FIELD, display_position="outro")),
        pages(page(FREE_TEXT), page({"type": "video_narration"}, display_position="outro")),
    ],
)
def intro_outro_content_only(index: PageIndex) -> Iterator[Finding]:
    """Pages with `display_position` `intro` or `outro` have no questions and no dataset fields.

    In a collection the attribute has no meaning.
    """
    page = index.page
    if not isinstance(page, Page) or page.position == "body":
        return
    if index.fields is SchemaUnavailable.COLLECTION:
        return
    for path, item in index.items:
        if item.kind is not None and not item.is_static:
            yield Finding(
                path,
                item,
                _("An {position} page can contain only images and rich text. Move this item elsewhere."),
                {"position": page.position},
                unset_attribute_fix(page, _("Repeat the page for each record"), "display_position"),
            )


@rule(
    "LY41",
    N_("A layout fits into a request"),
    RejectionStatus.SHAPE,
    passes=[layout_with(RICH_TEXT, FREE_TEXT)],
    fails=[
        layout_with(with_attributes(FREE_TEXT, description="Why? " * (MAX_CHARACTERS // 5))),
    ],
)
def layout_fits_into_request(index: LayoutIndex) -> Iterator[Finding]:
    """The limits for items, JSON values, and characters in texts and keys."""
    measured = (
        (index.size.items, MAX_ITEMS, _("The layout has {count} items, and at most {most} are accepted.")),
        (index.size.values, MAX_VALUES, _("The layout contains more than {most} JSON values.")),
        (
            index.size.characters,
            MAX_CHARACTERS,
            _("The texts of the layout have more than {most} characters."),
        ),
    )
    for count, most, message in measured:
        if count > most:
            advice = _("Shorten it, or divide it between several batches.")
            yield Finding(NodePath(), None, f"{message} {advice}", {"count": count, "most": most})


LAYOUT_RULES = (list_of_pages, has_pages, layout_fits_into_request)

STRUCTURE_RULES = (page_of_rows, row_of_columns, column_of_items, item_with_type, known_type)
"""Checked before all other rules: where these fail, little else can be checked."""
PAGE_RULES = (*STRUCTURE_RULES, single_column, intro_outro_content_only)


@cache
def _similar_keys(types: tuple[str, ...]) -> SimilarKeys:
    """Item types by their spellings, created once."""
    return SimilarKeys(types)


def _misshapen(node: InvalidNode, no_object: str, no_list: str) -> str:
    return no_list if is_object(node.value) else no_object
