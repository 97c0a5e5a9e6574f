"""Rules on ids; an invalid id is a bad request (specification, Batches rule 2; wire reference, section 6)."""

from collections.abc import Iterator

from batchwright.base.i18n import N_, _
from batchwright.layout.rules.examples import CHOICE, FREE_TEXT, page, pages, with_attributes
from batchwright.layout.rules.page_index import LayoutIndex, PageIndex
from batchwright.layout.rules.problems import RejectionStatus
from batchwright.layout.rules.quick_fixes import unset_attribute_fix
from batchwright.layout.rules.registry import Finding, rule


@rule(
    "LY08",
    N_("An id is text"),
    RejectionStatus.SHAPE,
    passes=[pages(page(FREE_TEXT, id="p1")), pages(page(with_attributes(FREE_TEXT, id=None)))],
    fails=[
        pages(page(FREE_TEXT, id=1)),
        pages({"rows": [{"id": False, "columns": [{"items": [FREE_TEXT]}]}]}),
        pages({"rows": [{"columns": [{"id": ["c"], "items": [FREE_TEXT]}]}]}),
        pages(page(with_attributes(FREE_TEXT, id={}))),
    ],
)
def id_is_text(index: PageIndex) -> Iterator[Finding]:
    """An `id` is a string, or null or absent for a new node."""
    for path, node, node_id in index.node_ids:
        if not isinstance(node_id, str):
            message = _("The id must be text. Remove it to get a new one.")
            yield Finding(path, node, message, fix=unset_attribute_fix(node, _("Remove the id"), "id"))


@rule(
    "LY09",
    N_("An id belongs to the batch"),
    RejectionStatus.SHAPE,
    passes=[
        pages(page(FREE_TEXT, id="p1"), ids=frozenset({"p1", "p2"})),
        pages(page(FREE_TEXT, id="p9")),
        pages(page(FREE_TEXT), ids=frozenset()),
    ],
    fails=[
        pages(page(FREE_TEXT, id="p9"), ids=frozenset({"p1", "p2"})),
        pages(page(with_attributes(FREE_TEXT, id="i1")), ids=frozenset()),
    ],
)
def id_of_the_batch(index: PageIndex) -> Iterator[Finding]:
    """Each id belongs to the batch; not checked when the ids of the batch are unknown."""
    if index.batch_ids is None:
        return
    for path, node, node_id in index.node_ids:
        if isinstance(node_id, str) and node_id not in index.batch_ids:
            yield Finding(
                path,
                node,
                _("The id “{id}” does not belong to this batch. Remove it to get a new one."),
                {"id": node_id},
                unset_attribute_fix(node, _("Remove the id"), "id"),
            )


@rule(
    "LY10",
    N_("An id is used only once"),
    RejectionStatus.SHAPE,
    passes=[
        pages(
            page(with_attributes(FREE_TEXT, id="i1"), id="p1"),
            page(with_attributes(CHOICE, id="i2"), id="p2"),
        )
    ],
    fails=[
        pages(page(FREE_TEXT, id="p1"), page(CHOICE, id="p1")),
        pages(page(with_attributes(FREE_TEXT, id="same"), id="same")),
        pages(page(FREE_TEXT), page(with_attributes(FREE_TEXT, id="x"), with_attributes(CHOICE, id="x"))),
    ],
)
def id_once(layout_index: LayoutIndex) -> Iterator[Finding]:
    """No id is used twice in the layout; the first node keeps it."""
    ids = set[str]()
    for number, index in layout_index.duplicates:
        for path, node, node_id in index.node_ids:
            if isinstance(node_id, str) and node_id in ids:
                yield Finding(
                    path._replace(page=number),
                    node,
                    _("The id “{id}” is used twice. Remove it to get a new one."),
                    {"id": node_id},
                    unset_attribute_fix(node, _("Remove the id"), "id"),
                )
            elif isinstance(node_id, str):
                ids.add(node_id)


PAGE_RULES = (id_is_text, id_of_the_batch)
