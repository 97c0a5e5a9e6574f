"""Constructors of quick fixes: edits with the label of a button. None of them causes another error."""

from collections.abc import Iterable, Sequence
from itertools import chain, count
from typing import TypeAlias

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.layout.attributes import Attribute
from batchwright.layout.edits import Remove, SetAttributes, SplitWideRow
from batchwright.layout.item_types.base import Item
from batchwright.layout.nodes import InvalidNode, Node
from batchwright.layout.option_values import as_text
from batchwright.layout.rules.attribute_errors import AttributeProblem
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


def split_wide_row_fix(row: Node) -> Fix:
    """A fix that splits a row with too many columns into several rows."""
    return Fix(_("Make rows of two"), SplitWideRow(row.key, seed=f"{row.key}.spread"))


def set_problem_attribute_fix(item: Item, problem: AttributeProblem, label: str, value: Json) -> Fix:
    """A fix that sets the invalid attribute, however deeply nested in the item; None unsets it."""
    name = problem.attribute.name
    if problem.entry is not None:
        entries = _listed(problem.holder.get(name))
        value = [
            *entries[: problem.entry],
            *([] if value is None else [value]),
            *entries[problem.entry + 1 :],
        ]
    return set_nested_attribute_fix(item, problem.within, name, value, label)


def set_nested_attribute_fix(item: Item, within: Steps, name: str, value: Json, label: str) -> Fix:
    """A fix that sets an attribute nested in an item at these steps; None unsets it."""
    top = within[0][0].name if within else name
    changed = _changed(item.attributes, within, name, value)
    return (
        set_attribute_fix(item, label, **{top: changed[top]})
        if top in changed
        else unset_attribute_fix(item, label, top)
    )


def unique_values_fix(item_options: ItemOptions, numbers: Iterable[int]) -> Fix | None:
    """A fix that gives some options or units unique values: their labels where possible."""
    entries = _listed(item_options.item.attributes.get(item_options.name))
    if len(entries) != len(item_options.options):
        return None
    free = ""
    for number in numbers:
        option = item_options.options[number]
        used_values = {as_text(entry.get("value")) for entry in entries if is_object(entry)}
        label, value = option.get("label"), as_text(option.get("value"))
        tried = chain([label.strip()] if isinstance(label, str) else (), (f"{value} {n}" for n in count(2)))
        free = next(text for text in tried if text and text not in used_values)
        entries[number] = {**option, "value": free}
    return set_attribute_fix(
        item_options.item, _("Use “{value}”").format(value=free), **{item_options.name: entries}
    )


def _changed(holder: Json, steps: Steps, name: str, value: Json) -> JsonObject:
    """A copy of an object with a nested attribute set."""
    attributes = holder if is_object(holder) else {}
    if not steps:
        rest = {key: remaining for key, remaining in attributes.items() if key != name}
        return rest if value is None else {**attributes, name: value}
    (attribute, number), *further = steps
    inner = attributes.get(attribute.name)
    if number is None:
        return {**attributes, attribute.name: _changed(inner, further, name, value)}
    entries = _listed(inner)
    entries[number] = _changed(entries[number], further, name, value)
    return {**attributes, attribute.name: entries}


def _listed(value: Json) -> list[Json]:
    return list(value) if is_array(value) else []
