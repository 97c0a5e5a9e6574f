"""Rules on the shape of a layout: what has no item to point at is answered with 400 (wire.md 2.3, 6)."""

from collections.abc import Iterator

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import is_object
from batchwright.layout.model import Item
from batchwright.layout.nodes import InvalidNode, NodePath
from batchwright.layout.rules.examples import BETTER, WHY, Example, layout_with, page, pages, without
from batchwright.layout.rules.page_index import LayoutIndex, PageIndex
from batchwright.layout.rules.problems import RefusalStatus
from batchwright.layout.rules.quick_fixes import remove, remove_from, split_wide_row_fix
from batchwright.layout.rules.registry import Finding, rule


@rule(
    "LY01",
    N_("A layout is a list of pages"),
    RefusalStatus.SHAPE,
    passes=[layout_with(WHY)],
    fails=[Example(None), Example({"batch_items": []}), Example("pages"), Example(7)],
)
def list_of_pages(whole: LayoutIndex) -> Iterator[Finding]:
    """`batch_items` is an array."""
    if whole.layout is None:
        yield Finding(NodePath(), None, _("The layout has to be a list of pages (a JSON array)."))


@rule(
    "LY02",
    N_("A layout has at least one page"),
    RefusalStatus.SHAPE,
    passes=[layout_with(WHY)],
    fails=[Example([])],
)
def has_pages(whole: LayoutIndex) -> Iterator[Finding]:
    """`batch_items` is not empty."""
    if whole.layout is not None and not whole.layout.pages:
        yield Finding(NodePath(), None, _("The layout has no page. Add one."))


@rule(
    "LY03",
    N_("A page has at least one row"),
    RefusalStatus.SHAPE,
    passes=[pages(page(WHY), page(BETTER))],
    fails=[
        pages(page(WHY), {"rows": []}),
        pages(page(WHY), {"id": "p1"}),
        pages({"rows": {}}, page(WHY)),
        pages("page", page(WHY)),
    ],
    is_unfilled=True,
)
def page_of_rows(sheet: PageIndex) -> Iterator[Finding]:
    """A page is an object whose `rows` is an array, not empty."""
    if isinstance(sheet.page, InvalidNode):
        sentence = _misshapen(
            sheet.page,
            _("This is no page: a page is a JSON object with rows. Remove it."),
            _("This page lacks its list of rows (“rows”). Remove it, or make it anew."),
        )
        yield Finding(NodePath(), sheet.page, sentence, fix=remove(sheet.page))
    elif not sheet.page.rows:
        sentence = _("This page is empty. Put something on it, or remove it.")
        yield Finding(NodePath(), sheet.page, sentence, fix=remove(sheet.page))


@rule(
    "LY04",
    N_("A row has one or two columns"),
    RefusalStatus.SHAPE,
    passes=[pages({"rows": [{"columns": [{"items": [WHY]}, {"items": [BETTER]}]}]})],
    fails=[
        pages({"rows": [{"columns": []}, {"columns": [{"items": [WHY]}]}]}),
        pages({"rows": [{"columns": [{"items": [WHY]}] * 3}]}),
        pages({"rows": [{"items": [WHY]}, {"columns": [{"items": [WHY]}]}]}),
        pages({"rows": [None, {"columns": [{"items": [WHY]}]}]}),
    ],
)
def row_of_columns(sheet: PageIndex) -> Iterator[Finding]:
    """A row is an object whose `columns` is an array of one or two (specification, batch_items layout)."""
    for place, entry in sheet.rows:
        if isinstance(entry, InvalidNode):
            sentence = _misshapen(
                entry,
                _("This is no row: a row is a JSON object with columns. Remove it."),
                _("This row lacks its list of columns (“columns”). Remove it, or make it anew."),
            )
            yield Finding(place, entry, sentence, fix=remove_from(sheet, entry))
        elif not entry.inside:
            sentence = _("This row is empty. Put something in it, or remove it.")
            yield Finding(place, entry, sentence, fix=remove_from(sheet, entry))
        elif len(entry.inside) > 2:
            yield Finding(
                place,
                entry,
                _("This row has {count} columns, and two is the most. Move some to another row."),
                {"count": len(entry.inside)},
                split_wide_row_fix(entry),
            )


@rule(
    "LY05",
    N_("A column has at least one item"),
    RefusalStatus.SHAPE,
    passes=[layout_with(WHY)],
    fails=[
        pages({"rows": [{"columns": [{"items": []}, {"items": [WHY]}]}]}),
        pages({"rows": [{"columns": [{}, {"items": [WHY]}]}]}),
        pages({"rows": [{"columns": [[WHY], {"items": [WHY]}]}]}),
    ],
)
def column_of_items(sheet: PageIndex) -> Iterator[Finding]:
    """A column is an object whose `items` is an array, not empty."""
    for place, entry in sheet.columns:
        if isinstance(entry, InvalidNode):
            sentence = _misshapen(
                entry,
                _("This is no column: a column is a JSON object with items. Remove it."),
                _("This column lacks its list of items (“items”). Remove it, or make it anew."),
            )
            yield Finding(place, entry, sentence, fix=remove_from(sheet, entry))
        elif not entry.inside:
            sentence = _("This column is empty. Put something in it, or remove it.")
            yield Finding(place, entry, sentence, fix=remove_from(sheet, entry))


@rule(
    "LY06",
    N_("An item has a type"),
    RefusalStatus.SHAPE,
    passes=[layout_with(WHY), layout_with(WHY, {"type": "video_narration", "description": "Tell us."})],
    fails=[
        layout_with(WHY, "free_text"),
        layout_with(WHY, None),
        layout_with(WHY, without(BETTER, "type")),
        layout_with(WHY, {"type": 5}),
        layout_with(WHY, {"type": None}),
    ],
)
def item_with_type(sheet: PageIndex) -> Iterator[Finding]:
    """An item is an object whose `type` is a string."""
    for place, entry in sheet.slots:
        if isinstance(entry, InvalidNode):
            sentence = _("This is no item: an item is a JSON object with a type. Remove it.")
            yield Finding(place, entry, sentence, fix=remove_from(sheet, entry))
        elif isinstance(entry, Item) and entry.kind is None:
            sentence = _("This item has no type, or one that is no text. Say what it is, or remove it.")
            yield Finding(place, entry, sentence, fix=remove_from(sheet, entry))


def _misshapen(entry: InvalidNode, no_object: str, no_list: str) -> str:
    return no_list if is_object(entry.given) else no_object
