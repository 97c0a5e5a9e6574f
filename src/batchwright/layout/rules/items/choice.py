"""The rules on questions with options: limits, values, exclusive options."""

from collections.abc import Hashable, Iterable, Iterator

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import JsonObject, is_array, is_object
from batchwright.layout.item_types.base import Item
from batchwright.layout.item_types.choice import Choice, is_exclusive
from batchwright.layout.option_values import FreeValues, as_text, comparison_key
from batchwright.layout.rules.examples import (
    CHOICE,
    CHOICE_WITH_TEXT,
    one_item_layouts,
    option,
    options,
    with_attributes,
)
from batchwright.layout.rules.page_index import ItemOptions, PageIndex, repeated
from batchwright.layout.rules.problems import Fix, RejectionStatus
from batchwright.layout.rules.quick_fixes import set_attribute_fix, unique_values_fix
from batchwright.layout.rules.registry import Finding, rule


@rule(
    "LY07",
    N_("The answer limit is at most the number of options"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(
        CHOICE,
        CHOICE_WITH_TEXT,
        with_attributes(CHOICE, answer_limit=2),
        with_attributes(CHOICE_WITH_TEXT, answer_limit=-1),
    ),
    fails=one_item_layouts(
        with_attributes(CHOICE, answer_limit=3), with_attributes(CHOICE_WITH_TEXT, answer_limit=100)
    ),
    attribute="answer_limit",
)
def limit_within_options(index: PageIndex) -> Iterator[Finding]:
    """`answer_limit` is not above the number of options (specification, batch_items rule 4)."""
    for path, item, _name, _options, count in index.options(Choice, "options"):
        limit = item.integer("answer_limit")
        if limit is not None and count and limit > count:
            yield Finding(
                path,
                item,
                _("{limit} answers are allowed of {count} options. Lower the limit, or add options."),
                {"limit": limit, "count": count},
                _allow(item, count),
            )


@rule(
    "LY20",
    N_("At least one answer is allowed"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(CHOICE, with_attributes(CHOICE, answer_limit=-1)),
    fails=one_item_layouts(
        with_attributes(CHOICE, answer_limit=0), with_attributes(CHOICE_WITH_TEXT, answer_limit=-2)
    ),
    attribute="answer_limit",
)
def limit_allows_something(index: PageIndex) -> Iterator[Finding]:
    """`answer_limit` is above 0, or -1 for any number."""
    for path, item in index.of(Choice):
        limit = item.answer_limit
        if limit is not None and limit < 1 and limit != -1:
            yield Finding(
                path,
                item,
                _("The number of answers allowed is {limit}. Use 1 or more, or -1 for any number."),
                {"limit": limit},
                _allow(item, 1 if limit == 0 else -1),
            )


@rule(
    "LY21",
    N_("No two options have the same value"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(
        options(option(1), option("1", "One"), option(True), option("true", "Yes"), option("True"))
    ),
    fails=one_item_layouts(
        options(option("a"), option("b"), option("a", "Again")),
        options(option(1), option(1.0)),
        options(option(True), option(True, "Again")),
        with_attributes(
            CHOICE_WITH_TEXT, options=[option(0, heading="Why?"), option(0, "Again", heading="Why?")]
        ),
    ),
)
def distinct_values(index: PageIndex) -> Iterator[Finding]:
    """Option values differ: 1 and 1.0 are the same, 1 and "1" are not. Empty ones are for LY12."""
    for item_options in index.options(Choice, "options"):
        first: dict[Hashable, str] = {}
        free_values: FreeValues | None = None
        for number, entry in enumerate(item_options.options):
            value = entry.get("value")
            previous_key = comparison_key(None if value == "" else value)
            label = as_text(entry.get("label", ""))
            if previous_key is not None and previous_key in first:
                free_values = free_values or FreeValues(item_options.options)
                yield Finding(
                    item_options.path,
                    item_options.item,
                    _("The options “{first}” and “{second}” have the same value, {value}. Change one."),
                    {"first": first[previous_key], "second": label, "value": as_text(value)},
                    unique_values_fix(item_options, free_values, (number,)),
                    item_options.value_path(number),
                )
            first.setdefault(previous_key, label)


@rule(
    "LY22",
    N_("An option rules out others only where several may be chosen"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(
        options(option("a"), option("none", exclusive=True), limit=-1),
        options(option("a"), option("b", exclusive=False), limit=1),
    ),
    fails=one_item_layouts(options(option("a"), option("b"), option("none", exclusive=True), limit=1)),
    attribute="options",
)
def exclusive_among_several(index: PageIndex) -> Iterator[Finding]:
    """No option is `exclusive` when `answer_limit` is 1."""
    for path, item, _name, listed, _count in index.options(Choice, "options"):
        if item.integer("answer_limit") == 1 and any(map(is_exclusive, listed)):
            yield Finding(
                path,
                item,
                _("Only one answer is allowed, so no option can be exclusive. Change one or the other."),
                fix=_clear_exclusive_fix(item),
            )


@rule(
    "LY23",
    N_("At least one option is not exclusive"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(
        options(option("a"), option("none", exclusive=True), option("all", exclusive=True), limit=2)
    ),
    fails=one_item_layouts(
        options(option("a", exclusive=True), option("b", exclusive=True), limit=2),
        options(option("a", exclusive=True), limit=-1),
    ),
    attribute="options",
)
def not_all_exclusive(index: PageIndex) -> Iterator[Finding]:
    """Not every option is `exclusive`."""
    for path, item, _name, listed, count in index.options(Choice, "options"):
        if count and sum(map(is_exclusive, listed)) == count:
            message = _(
                "Every option is exclusive, so no two can be combined. Leave at least one that is not."
            )
            yield Finding(path, item, message, fix=_clear_exclusive_fix(item))


@rule(
    "LY53",
    N_("No two option values read alike"),
    passes=one_item_layouts(CHOICE, options(option(1), option("one"))),
    fails=one_item_layouts(
        options(option(1), option("1", "One")), options(option(True), option("true", "Yes"))
    ),
)
def values_distinguishable(index: PageIndex) -> Iterator[Finding]:
    """`1` and `"1"` are two different values that a table of results shows alike."""
    for item_options in index.options(Choice, "options"):
        if len({type(entry.get("value")) for entry in item_options.options}) > 1:
            different = {comparison_key(entry.get("value")): entry for entry in item_options.options}.values()
            yield from indistinguishable_values(item_options, different)


RULES = (
    limit_within_options,
    limit_allows_something,
    distinct_values,
    exclusive_among_several,
    not_all_exclusive,
    values_distinguishable,
)


def indistinguishable_values(item_options: ItemOptions, different: Iterable[JsonObject]) -> Iterator[Finding]:
    """A finding for each text that several different values of options or units are written as."""
    values = [value for entry in different if comparison_key(value := entry.get("value")) is not None]
    alike_texts = repeated([as_text(value) for value in values if value != ""])
    if not alike_texts:
        return
    numbers: dict[str, list[int]] = {text: [] for text in alike_texts}
    for number, entry in enumerate(item_options.options):
        numbers.get(as_text(entry.get("value")), []).append(number)
    free_values = FreeValues(item_options.options)
    for text, (_first, *others) in numbers.items():
        message = _(
            "More than one value reads “{value}”, so results cannot be told apart. Change one of them."
        )
        fix = unique_values_fix(item_options, free_values, others)
        yield Finding(
            item_options.path,
            item_options.item,
            message,
            {"value": text},
            fix,
            item_options.value_path(others[0]),
        )


def _allow(item: Item, limit: int) -> Fix:
    """A fix that sets `answer_limit`. An exclusive option excludes a limit of 1, so -1 is set instead."""
    if limit < 0 or (limit == 1 and any(map(is_exclusive, item.objects("options")))):
        return set_attribute_fix(item, _("Allow any"), answer_limit=-1)
    return set_attribute_fix(item, _("Allow {count}").format(count=limit), answer_limit=limit)


def _clear_exclusive_fix(item: Item) -> Fix:
    entries = item.attributes.get("options")
    options = [
        {key: value for key, value in entry.items() if key != "exclusive"} if is_object(entry) else entry
        for entry in (entries if is_array(entries) else ())
    ]
    return set_attribute_fix(item, _("Make no option exclusive"), options=options)
