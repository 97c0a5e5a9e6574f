"""The rules on the validation of typed text, with a unit or without."""

from collections.abc import Iterator
from typing import NamedTuple

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.base.local_formats import joined
from batchwright.layout.attributes import AttributeType
from batchwright.layout.item_types.base import Item
from batchwright.layout.item_types.typed_text import VALIDATION
from batchwright.layout.nodes import NodePath
from batchwright.layout.option_values import as_text
from batchwright.layout.rules.examples import FREE_TEXT, one_item_layouts, option, units, with_attributes
from batchwright.layout.rules.page_index import PageIndex
from batchwright.layout.rules.problems import AttributePath, RejectionStatus
from batchwright.layout.rules.quick_fixes import Steps, set_nested_attribute_fix
from batchwright.layout.rules.registry import Finding, rule


@rule(
    "LY25",
    N_("Lengths are whole numbers, 0 or more"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(
        with_attributes(FREE_TEXT, validation={"type": "string", "min": 0, "max": 200}),
        with_attributes(FREE_TEXT, validation={"type": "number", "min": -1.5}),
    ),
    fails=one_item_layouts(
        with_attributes(FREE_TEXT, validation={"type": "string", "min": -1}),
        with_attributes(FREE_TEXT, validation={"type": "string", "min": 1, "max": 2.5}),
        with_attributes(FREE_TEXT, validation={"type": "string", "max": 20.0}),
        units(option("min", validation={"type": "string", "min": 0.5})),
    ),
)
def integer_lengths(index: PageIndex) -> Iterator[Finding]:
    """The bounds of a `string` validation count characters."""
    for path, item, within, validation in _validations(index):
        invalid_names = [
            name
            for name in ("min", "max")
            if _is_number(validation.get(name)) and not _is_length(validation[name])
        ]
        if validation.get("type") == "string" and invalid_names:
            rounded = {name: max(0, round(_number(validation, name))) for name in invalid_names}
            yield Finding(
                path,
                item,
                _("A length counts characters. Use whole numbers, 0 or more, in place of {lengths}."),
                {"lengths": joined(as_text(validation[name]) for name in invalid_names)},
                set_nested_attribute_fix(
                    item, within, VALIDATION.name, {**validation, **rounded}, _("Round it")
                ),
                _path(within),
            )


@rule(
    "LY26",
    N_("The smallest answer allowed is not above the largest"),
    RejectionStatus.ITEM,
    passes=one_item_layouts(
        with_attributes(FREE_TEXT, validation={"type": "number", "min": 1, "max": 1}),
        with_attributes(FREE_TEXT, validation={"type": "number", "min": None, "max": -3}),
    ),
    fails=one_item_layouts(
        with_attributes(FREE_TEXT, validation={"type": "number", "min": 10, "max": 1}),
        with_attributes(FREE_TEXT, validation={"type": "string", "min": 2, "max": 1}),
        units(option("min", validation={"type": "number", "min": 0.2, "max": 0.1}), option("h")),
    ),
)
def min_not_above_max(index: PageIndex) -> Iterator[Finding]:
    """`min` is not above `max` in a validation."""
    for path, item, within, validation in _validations(index):
        minimum, maximum = validation.get("min"), validation.get("max")
        if not _is_number(minimum) or not _is_number(maximum):
            continue
        if _number(validation, "min") > _number(validation, "max"):
            swapped = {**validation, "min": maximum, "max": minimum}
            yield Finding(
                path,
                item,
                _("The smallest allowed, {least}, is above the largest, {most}. Swap them."),
                {"least": as_text(minimum), "most": as_text(maximum)},
                set_nested_attribute_fix(item, within, VALIDATION.name, swapped, _("Swap them")),
                _path(within),
            )


RULES = (integer_lengths, min_not_above_max)


class _Validation(NamedTuple):
    path: NodePath
    item: Item
    within: Steps
    validation: JsonObject


def _validations(index: PageIndex) -> Iterator[_Validation]:
    """Every validation of the page: of items, and of options or units in their lists."""
    for path, item, holder in index.holders(VALIDATION):
        value = item.attributes.get(holder.name)
        if holder is VALIDATION:
            if is_object(value):
                yield _Validation(path, item, (), value)
            continue
        for number, entry in enumerate(value if is_array(value) else ()):
            inner = entry.get(VALIDATION.name) if is_object(entry) else None
            if is_object(inner):
                yield _Validation(path, item, ((holder, number),), inner)


def _path(within: Steps) -> AttributePath:
    if not within:
        return AttributePath(VALIDATION.name)
    ((attribute, number),) = within
    return AttributePath(attribute.name, number, VALIDATION.name)


def _is_number(value: Json) -> bool:
    return AttributeType.NUMBER.accepts(value)


def _is_length(value: Json) -> bool:
    return isinstance(value, int) and value >= 0


def _number(validation: JsonObject, name: str) -> float:
    value = validation[name]
    return value if isinstance(value, int | float) else 0
