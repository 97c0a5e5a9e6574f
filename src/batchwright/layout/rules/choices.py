"""Rules on the options of a choice, and on how many may be chosen (wire.md 6)."""

from collections.abc import Hashable, Iterator

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import is_array, is_object
from batchwright.layout.answer_constraints import is_exclusive
from batchwright.layout.model import Choice, Item
from batchwright.layout.option_values import as_text, comparison_key
from batchwright.layout.rules.examples import (
    BETTER,
    FAULTS,
    one_item_layouts,
    option,
    options,
    with_attributes,
)
from batchwright.layout.rules.page_index import PageIndex
from batchwright.layout.rules.problems import Fix, RefusalStatus
from batchwright.layout.rules.quick_fixes import set_attribute_fix, unique_values_fix
from batchwright.layout.rules.registry import Finding, rule


@rule(
    "LY07",
    N_("No more answers are asked for than there are options"),
    RefusalStatus.ITEM,
    passes=one_item_layouts(
        BETTER, FAULTS, with_attributes(BETTER, answer_limit=2), with_attributes(FAULTS, answer_limit=-1)
    ),
    fails=one_item_layouts(
        with_attributes(BETTER, answer_limit=3), with_attributes(FAULTS, answer_limit=100)
    ),
    attribute="answer_limit",
)
def limit_within_options(sheet: PageIndex) -> Iterator[Finding]:
    """`answer_limit` is not above the number of options (specification, batch_items rule 4)."""
    for place, item, _options, count in sheet.choices:
        limit = item.integer("answer_limit")
        if limit is not None and count and limit > count:
            yield Finding(
                place,
                item,
                _("{limit} answers are allowed of {count} options. Lower the limit, or add options."),
                {"limit": limit, "count": count},
                _allow(item, count),
            )


@rule(
    "LY20",
    N_("At least one answer is allowed"),
    RefusalStatus.ITEM,
    passes=one_item_layouts(BETTER, with_attributes(BETTER, answer_limit=-1)),
    fails=one_item_layouts(with_attributes(BETTER, answer_limit=0), with_attributes(FAULTS, answer_limit=-2)),
    attribute="answer_limit",
)
def limit_allows_something(sheet: PageIndex) -> Iterator[Finding]:
    """`answer_limit` is above 0, or -1 for any number."""
    for place, item in sheet.of(Choice):
        limit = item.answer_limit
        if limit is not None and limit < 1 and limit != -1:
            yield Finding(
                place,
                item,
                _("The number of answers allowed is {limit}. Use 1 or more, or -1 for any number."),
                {"limit": limit},
                _allow(item, 1 if limit == 0 else -1),
            )


@rule(
    "LY21",
    N_("No two options have the same value"),
    RefusalStatus.ITEM,
    passes=one_item_layouts(
        options(option(1), option("1", "One"), option(True), option("true", "Yes"), option("True"))
    ),
    fails=one_item_layouts(
        options(option("a"), option("b"), option("a", "Again")),
        options(option(1), option(1.0)),
        options(option(True), option(True, "Again")),
        with_attributes(FAULTS, options=[option(0, heading="Why?"), option(0, "Again", heading="Why?")]),
    ),
)
def distinct_values(sheet: PageIndex) -> Iterator[Finding]:
    """Option values differ: 1 and 1.0 are the same, 1 and "1" are not. Empty ones are for LY12."""
    for found in sheet.choices:
        first: dict[Hashable, str] = {}
        for number, one in enumerate(found.options):
            value = one.get("value")
            known = comparison_key(None if value == "" else value)
            label = as_text(one.get("label", ""))
            if known is not None and known in first:
                yield Finding(
                    found.place,
                    found.item,
                    _("The options “{first}” and “{second}” have the same value, {value}. Change one."),
                    {"first": first[known], "second": label, "value": as_text(value)},
                    unique_values_fix(found, "options", (number,)),
                    found.path("options", number),
                )
            first.setdefault(known, label)


@rule(
    "LY22",
    N_("An option rules out others only where several may be chosen"),
    RefusalStatus.ITEM,
    passes=one_item_layouts(
        options(option("a"), option("none", exclusive=True), limit=-1),
        options(option("a"), option("b", exclusive=False), limit=1),
    ),
    fails=one_item_layouts(options(option("a"), option("b"), option("none", exclusive=True), limit=1)),
    attribute="options",
)
def exclusive_among_several(sheet: PageIndex) -> Iterator[Finding]:
    """No option is `exclusive` when `answer_limit` is 1."""
    for place, item, given, _count in sheet.choices:
        if item.integer("answer_limit") == 1 and any(map(is_exclusive, given)):
            yield Finding(
                place,
                item,
                _("Only one answer is allowed, so no option can be exclusive. Change one or the other."),
                fix=_none_exclusive(item),
            )


@rule(
    "LY23",
    N_("At least one option is not exclusive"),
    RefusalStatus.ITEM,
    passes=one_item_layouts(
        options(option("a"), option("none", exclusive=True), option("all", exclusive=True), limit=2)
    ),
    fails=one_item_layouts(
        options(option("a", exclusive=True), option("b", exclusive=True), limit=2),
        options(option("a", exclusive=True), limit=-1),
    ),
    attribute="options",
)
def not_all_exclusive(sheet: PageIndex) -> Iterator[Finding]:
    """Not every option is `exclusive`."""
    for place, item, given, count in sheet.choices:
        if count and sum(map(is_exclusive, given)) == count:
            sentence = _(
                "Every option is exclusive, so no two can be combined. Leave at least one that is not."
            )
            yield Finding(place, item, sentence, fix=_none_exclusive(item))


def _allow(item: Item, limit: int) -> Fix:
    """Allow so many answers; any number where one is exclusive, which none of one can be."""
    if limit < 0 or (limit == 1 and any(map(is_exclusive, item.objects("options")))):
        return set_attribute_fix(item, _("Allow any"), answer_limit=-1)
    return set_attribute_fix(item, _("Allow {count}").format(count=limit), answer_limit=limit)


def _none_exclusive(item: Item) -> Fix:
    given = item.attributes.get("options")
    kept = [
        {key: value for key, value in one.items() if key != "exclusive"} if is_object(one) else one
        for one in (given if is_array(given) else ())
    ]
    return set_attribute_fix(item, _("Make no option exclusive"), options=kept)
