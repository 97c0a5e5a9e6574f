"""Rules on units, and on the validation of what is typed (wire.md 6, 6.1)."""

from collections.abc import Iterator
from typing import NamedTuple

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.layout.attributes import AttributeType
from batchwright.layout.model import FreeText, Item
from batchwright.layout.nodes import NodePath
from batchwright.layout.option_values import as_text
from batchwright.layout.rules.examples import DURATION, WHY, one_item_layouts, option, units, with_attributes
from batchwright.layout.rules.page_index import PageIndex
from batchwright.layout.rules.problems import AttributePath, RefusalStatus
from batchwright.layout.rules.quick_fixes import set_validation_fix, unset_attribute_fix
from batchwright.layout.rules.registry import Finding, rule


@rule(
    "LY24",
    N_("The unit chosen at first is one of the units"),
    RefusalStatus.ITEM,
    passes=one_item_layouts(
        DURATION,
        with_attributes(DURATION, default_unit="h"),
        units(option(5), option(True), default_unit="5"),
        units(option(5), option(True), default_unit="true"),
        units(option(0.5), default_unit="0.5"),
    ),
    fails=one_item_layouts(
        with_attributes(DURATION, default_unit="s"),
        with_attributes(DURATION, default_unit="H"),
        with_attributes(DURATION, default_unit=""),
        units(option(5.0), option(True), default_unit="5"),
        units(option(5), option(True), default_unit="True"),
    ),
    attribute="default_unit",
)
def default_among_units(sheet: PageIndex) -> Iterator[Finding]:
    """`default_unit` equals a unit's value, compared as text (specification, batch_items rule 5)."""
    for place, item, given, count in sheet.units:
        default = item.attributes.get("default_unit")
        if not count or not isinstance(default, str):
            continue
        values = [as_text(unit.get("value")) for unit in given]
        if default not in values:
            yield Finding(
                place,
                item,
                _("The unit chosen at first, “{unit}”, is none of the units ({units}). Choose one of them."),
                {"unit": default, "units": ", ".join(values)},
                unset_attribute_fix(item, _("Choose none at first"), "default_unit"),
            )


@rule(
    "LY25",
    N_("Lengths are whole numbers, 0 or more"),
    RefusalStatus.ITEM,
    passes=one_item_layouts(
        with_attributes(WHY, validation={"type": "string", "min": 0, "max": 200}),
        with_attributes(WHY, validation={"type": "number", "min": -1.5}),
    ),
    fails=one_item_layouts(
        with_attributes(WHY, validation={"type": "string", "min": -1}),
        with_attributes(WHY, validation={"type": "string", "min": 1, "max": 2.5}),
        with_attributes(WHY, validation={"type": "string", "max": 20.0}),
        units(option("min", validation={"type": "string", "min": 0.5})),
    ),
)
def integer_lengths(sheet: PageIndex) -> Iterator[Finding]:
    """The bounds of a `string` validation count characters."""
    for place, item, unit, given in _validations(sheet):
        wrong = [
            name for name in ("min", "max") if _is_number(given.get(name)) and not _is_length(given[name])
        ]
        if given.get("type") == "string" and wrong:
            better = {name: max(0, round(_value(given, name))) for name in wrong}
            yield Finding(
                place,
                item,
                _("A length counts characters. Use whole numbers, 0 or more, in place of {lengths}."),
                {"lengths": ", ".join(as_text(given[name]) for name in wrong)},
                set_validation_fix(item, unit, {**given, **better}, _("Round it")),
                _path(unit),
            )


@rule(
    "LY26",
    N_("The smallest answer allowed is not above the largest"),
    RefusalStatus.ITEM,
    passes=one_item_layouts(
        with_attributes(WHY, validation={"type": "number", "min": 1, "max": 1}),
        with_attributes(WHY, validation={"type": "number", "min": None, "max": -3}),
    ),
    fails=one_item_layouts(
        with_attributes(WHY, validation={"type": "number", "min": 10, "max": 1}),
        with_attributes(WHY, validation={"type": "string", "min": 2, "max": 1}),
        units(option("min", validation={"type": "number", "min": 0.2, "max": 0.1}), option("h")),
    ),
)
def min_not_above_max(sheet: PageIndex) -> Iterator[Finding]:
    """`min` is not above `max` in a validation."""
    for place, item, unit, given in _validations(sheet):
        least, most = given.get("min"), given.get("max")
        if _is_number(least) and _is_number(most) and _value(given, "min") > _value(given, "max"):
            yield Finding(
                place,
                item,
                _("The smallest allowed, {least}, is above the largest, {most}. Swap them."),
                {"least": as_text(least), "most": as_text(most)},
                set_validation_fix(item, unit, {**given, "min": most, "max": least}, _("Swap them")),
                _path(unit),
            )


class _Validation(NamedTuple):
    place: NodePath
    item: Item
    unit: int | None
    given: JsonObject


def _validations(sheet: PageIndex) -> Iterator[_Validation]:
    """Every validation of the page, of free texts and of units."""
    for place, item in sheet.of(FreeText):
        given = item.attributes.get("validation")
        if is_object(given):
            yield _Validation(place, item, None, given)
    for place, unit_item, _options, _count in sheet.units:
        entries = unit_item.attributes.get("unit_options")
        for number, unit in enumerate(entries if is_array(entries) else ()):
            given = unit.get("validation") if is_object(unit) else None
            if is_object(given):
                yield _Validation(place, unit_item, number, given)


def _path(unit: int | None) -> AttributePath:
    """Where a validation is: that of the item, or of one of its units."""
    return AttributePath("validation") if unit is None else AttributePath("unit_options", unit, "validation")


def _is_number(value: Json) -> bool:
    return AttributeType.NUMBER.holds(value)


def _is_length(value: Json) -> bool:
    return isinstance(value, int) and value >= 0


def _value(given: JsonObject, name: str) -> float:
    value = given[name]
    return value if isinstance(value, int | float) else 0
