"""The fix of an invalid attribute, where the intended value is obvious.

These fixes are not `is_safe`: the value may violate another rule, and then the fix is not offered.
"""

import re
from dataclasses import replace

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.attributes import AttributeType
from batchwright.layout.item_types.base import Item
from batchwright.layout.option_values import as_text, read_number
from batchwright.layout.rules.attribute_errors import AttributeProblem, AttributeProblemKind
from batchwright.layout.rules.problems import Fix
from batchwright.layout.rules.quick_fixes import set_nested_attribute_fix, set_problem_attribute_fix

_BOOLEANS: dict[str, Json] = {"true": True, "yes": True, "false": False, "no": False}


def suggest_fix(item: Item, problem: AttributeProblem) -> Fix | None:
    """The fix of an attribute problem, if there is one."""
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
    if problem.attribute.required:
        return None
    return set_problem_attribute_fix(item, problem, _remove_label(problem.attribute.title), None)


def _remove_label(title: str) -> str:
    return _("Remove the {what}").format(what=_(title))
