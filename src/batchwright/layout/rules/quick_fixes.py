"""Constructors of quick fixes: edits with the label of a button.

None of them causes another error, except those of `suggest_fix`: they are not `is_safe`, because the value
may violate another rule. In that case the fix is not offered.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, is_array
from batchwright.layout.attributes import Attribute, AttributeType
from batchwright.layout.editing.edits import MergeColumns, Remove, SetAttributes, SplitWideRow
from batchwright.layout.editing.nested_edits import MakeValuesUnique, RemoveEntry, SetNestedAttribute
from batchwright.layout.item_types.base import Item
from batchwright.layout.model import Column, Row
from batchwright.layout.nodes import InvalidNode, Node
from batchwright.layout.option_values import FreeValues, as_text, read_number
from batchwright.layout.rules.attribute_errors import AttributeProblem, AttributeProblemKind
from batchwright.layout.rules.page_index import ItemOptions, PageIndex
from batchwright.layout.rules.problems import Fix

Steps: TypeAlias = Sequence[tuple[Attribute, int | None]]
"""The attributes on the path into an item, each with the index of the entry if it is a list."""


def set_attribute_fix(node: Node, label: str, **values: Json) -> Fix:
    """A fix that sets attributes of a node."""
    return Fix(label, SetAttributes(node.key, values))


def unset_attribute_fix(node: Node, label: str, *names: str) -> Fix:
    """A fix that unsets attributes of a node."""
    return Fix(label, SetAttributes(node.key, {}, names))


def remove_fix(node: Node) -> Fix:
    """A fix that removes a node."""
    return Fix(_("Remove it"), Remove((node.key,)))


def remove_from_page_fix(index: PageIndex, node: Node) -> Fix:
    """A fix that removes a node from its page, or the page if it would be empty."""
    if isinstance(index.page, InvalidNode):
        return remove_fix(index.page)
    holder: Node = index.page
    while holder is not node:
        if len(holder.children) != 1:
            return remove_fix(node)
        (holder,) = holder.children
    return Fix(_("Remove it with its page"), Remove((index.page.key,)))


def merge_columns_fix(row: Row) -> Fix | None:
    """A fix that puts the columns of a row below each other; None if one of them is invalid."""
    if not all(isinstance(column, Column) for column in row.columns):
        return None
    return Fix(_("Merge the columns"), MergeColumns(row.key))


def split_wide_row_fix(row: Node) -> Fix:
    """A fix that splits a row with too many columns into several rows."""
    return Fix(_("Make rows of two"), SplitWideRow(row.key, seed=f"{row.key}.spread"))


def set_problem_attribute_fix(item: Item, problem: AttributeProblem, label: str, value: Json) -> Fix:
    """A fix that sets the invalid attribute, however deeply nested in the item; None unsets it."""
    return set_nested_attribute_fix(item, problem.within, problem.attribute.name, value, label)


def set_nested_attribute_fix(item: Item, within: Steps, name: str, value: Json, label: str) -> Fix:
    """A fix that sets an attribute nested in an item at these steps; None unsets it."""
    return Fix(label, SetNestedAttribute(item.key, (*_steps(within), (name, None)), value))


def unique_values_fix(
    item_options: ItemOptions, free_values: FreeValues, numbers: Sequence[int]
) -> Fix | None:
    """A fix that gives some options or units unique values: their labels where possible."""
    if item_options.size != len(item_options.options):
        return None
    free = free_values.free_for(item_options.options[numbers[0]])
    edit = MakeValuesUnique(item_options.item.key, item_options.name, tuple(numbers))
    return Fix(_("Use “{value}”").format(value=free), edit)


def _steps(within: Steps) -> tuple[tuple[str, int | None], ...]:
    return tuple((attribute.name, number) for attribute, number in within)


_BOOLEANS: dict[str, Json] = {"true": True, "yes": True, "false": False, "no": False}


def suggest_fix(item: Item, problem: AttributeProblem) -> Fix | None:
    """The fix of an invalid attribute if the intended value is obvious, otherwise None."""
    fix = _best_fix(item, problem)
    return None if fix is None else replace(fix, is_safe=False)


def _best_fix(item: Item, problem: AttributeProblem) -> Fix | None:
    match problem.kind:
        case AttributeProblemKind.MISSING | AttributeProblemKind.EMPTY | AttributeProblemKind.BLANK:
            return _fill_in_fix(item, problem)
        case AttributeProblemKind.WRONG_TYPE:
            return (
                _convert_fix(item, problem)
                or _remove_fix(item, problem)
                or _use_value_fix(item, problem, problem.attribute.start)
            )
        case AttributeProblemKind.NOT_ALLOWED:
            start = problem.attribute.start if problem.attribute.required else None
            return _use_value_fix(item, problem, _allowed_spelling(problem) or start) or _remove_fix(
                item, problem
            )
        case AttributeProblemKind.LONE_SURROGATE:
            return _remove_surrogates_fix(item, problem)


def _fill_in_fix(item: Item, problem: AttributeProblem) -> Fix | None:
    attribute, holder = problem.attribute, problem.holder
    if _is_readable(holder, attribute.filled_from):
        value = holder[attribute.filled_from]
        filled = as_text(value) if attribute.kind is AttributeType.TEXT else value
        return set_problem_attribute_fix(item, problem, _(attribute.fill_title), filled)
    if (
        attribute.name == "type"
        and problem.within
        and holder.get("min") is None
        and holder.get("max") is None
    ):
        # A validation that requires nothing.
        *outer, (validation, _number) = problem.within
        return set_nested_attribute_fix(item, outer, validation.name, None, _remove_label(validation.title))
    return _use_value_fix(item, problem, item.suggested_value(attribute))


def _is_readable(holder: JsonObject, name: str) -> bool:
    """Whether an attribute is an option value that is not blank."""
    value = holder.get(name)
    return AttributeType.VALUE.accepts(value) and bool(as_text(value).strip())


def _convert_fix(item: Item, problem: AttributeProblem) -> Fix | None:
    """The fix that converts a value of the wrong type: `"5"` to `5`."""
    converted = None if problem.entry is not None else _equivalent_value(problem)
    if converted is None:
        return None
    label = _("Make it {kind}: {value}").format(
        kind=_(problem.attribute.kind.title), value=as_text(converted)
    )
    return set_problem_attribute_fix(item, problem, label, converted)


def _equivalent_value(problem: AttributeProblem) -> Json:
    """The equivalent value of the right type; None when there is none."""
    value = problem.holder.get(problem.attribute.name)
    match problem.attribute.kind, value:
        case AttributeType.TEXT, bool() | int() | float() if not problem.attribute.is_reference:
            return as_text(value)
        case AttributeType.INTEGER, float() if value.is_integer():
            return int(value)
        case ((AttributeType.INTEGER | AttributeType.NUMBER), str()):
            number = read_number(value)
            return number if number is not None and problem.attribute.kind.accepts(number) else None
        case AttributeType.BOOLEAN, str():
            return _BOOLEANS.get(value.strip().lower())
        case AttributeType.BOOLEAN, int() if value in (0, 1):
            return bool(value)
        case AttributeType.TEXTS, str():
            return [part for part in re.split(r"[\s,;]+", value) if part]
    return None


def _allowed_spelling(problem: AttributeProblem) -> str | None:
    """The allowed value for a misspelled or synonymous one."""
    text = as_text(problem.holder.get(problem.attribute.name)).strip().casefold()
    synonyms = {"integer": "number", "float": "number", "text": "string", "md": "markdown"}
    spelling = synonyms.get(text, text)
    return spelling if spelling in problem.attribute.allowed else None


def _remove_surrogates_fix(item: Item, problem: AttributeProblem) -> Fix | None:
    """The text without lone surrogates, unless it is a reference."""
    text = problem.holder.get(problem.attribute.name)
    if (
        not isinstance(text, str)
        or problem.attribute.is_reference
        or problem.attribute.kind is AttributeType.VALUE
    ):
        return None
    cleaned = "".join(character for character in text if not "\ud800" <= character <= "\udfff")
    return set_problem_attribute_fix(item, problem, _("Remove the broken character"), cleaned)


def _use_value_fix(item: Item, problem: AttributeProblem, value: Json) -> Fix | None:
    if value is None or value == "":
        return None
    return set_problem_attribute_fix(item, problem, _("Use “{value}”").format(value=as_text(value)), value)


def _remove_fix(item: Item, problem: AttributeProblem) -> Fix | None:
    """The fix that removes an optional attribute, or an entry of a list of texts."""
    attribute = problem.attribute
    if attribute.required:
        return None
    value = problem.holder.get(attribute.name)
    if is_array(value) and problem.entry is not None:
        edit = RemoveEntry(item.key, attribute.name, value[problem.entry])
        return Fix(_remove_label(attribute.entry_title), edit)
    return set_problem_attribute_fix(item, problem, _remove_label(attribute.title), None)


def _remove_label(title: str) -> str:
    return _("Remove the {what}").format(what=_(title))
