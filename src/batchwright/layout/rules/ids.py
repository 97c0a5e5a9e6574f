"""Rules on ids: a wrong one is answered with 400 (specification, Batches rule 2; wire.md 6)."""

from collections.abc import Iterator

from batchwright.base.i18n import N_, _
from batchwright.layout.rules.examples import BETTER, WHY, page, pages, with_attributes
from batchwright.layout.rules.page_index import LayoutIndex, PageIndex
from batchwright.layout.rules.problems import RefusalStatus
from batchwright.layout.rules.quick_fixes import unset_attribute_fix
from batchwright.layout.rules.registry import Finding, rule


@rule(
    "LY08",
    N_("An id is text"),
    RefusalStatus.SHAPE,
    passes=[pages(page(WHY, id="p1")), pages(page(with_attributes(WHY, id=None)))],
    fails=[
        pages(page(WHY, id=1)),
        pages({"rows": [{"id": False, "columns": [{"items": [WHY]}]}]}),
        pages({"rows": [{"columns": [{"id": ["c"], "items": [WHY]}]}]}),
        pages(page(with_attributes(WHY, id={}))),
    ],
)
def id_is_text(index: PageIndex) -> Iterator[Finding]:
    """An `id` is a string, or null or absent for something new."""
    for place, entry, given in index.given_ids:
        if not isinstance(given, str):
            sentence = _("The id must be text. Remove it to get a new one.")
            yield Finding(place, entry, sentence, fix=unset_attribute_fix(entry, _("Remove the id"), "id"))


@rule(
    "LY09",
    N_("An id belongs to the batch"),
    RefusalStatus.SHAPE,
    passes=[
        pages(page(WHY, id="p1"), ids=frozenset({"p1", "p2"})),
        pages(page(WHY, id="p9")),
        pages(page(WHY), ids=frozenset()),
    ],
    fails=[
        pages(page(WHY, id="p9"), ids=frozenset({"p1", "p2"})),
        pages(page(with_attributes(WHY, id="i1")), ids=frozenset()),
    ],
)
def id_of_the_batch(index: PageIndex) -> Iterator[Finding]:
    """Each id is one of the batch's; unchecked when those are not known."""
    if index.known_ids is None:
        return
    for place, entry, given in index.given_ids:
        if isinstance(given, str) and given not in index.known_ids:
            yield Finding(
                place,
                entry,
                _("The id “{id}” does not belong to this batch. Remove it to get a new one."),
                {"id": given},
                unset_attribute_fix(entry, _("Remove the id"), "id"),
            )


@rule(
    "LY10",
    N_("An id is used only once"),
    RefusalStatus.SHAPE,
    passes=[
        pages(page(with_attributes(WHY, id="i1"), id="p1"), page(with_attributes(BETTER, id="i2"), id="p2"))
    ],
    fails=[
        pages(page(WHY, id="p1"), page(BETTER, id="p1")),
        pages(page(with_attributes(WHY, id="same"), id="same")),
        pages(page(WHY), page(with_attributes(WHY, id="x"), with_attributes(BETTER, id="x"))),
    ],
)
def id_once(whole: LayoutIndex) -> Iterator[Finding]:
    """No id stands twice in the layout; the first one may stay."""
    met = set[str]()
    for number, index in whole.duplicates:
        for place, entry, given in index.given_ids:
            if isinstance(given, str) and given in met:
                yield Finding(
                    place._replace(page=number),
                    entry,
                    _("The id “{id}” is used twice. Remove it to get a new one."),
                    {"id": given},
                    unset_attribute_fix(entry, _("Remove the id"), "id"),
                )
            elif isinstance(given, str):
                met.add(given)


PAGE_RULES = (id_is_text, id_of_the_batch)
