"""What is obviously meant where a single attribute is wrong: the fix that a flaw has, if it has one.

A fix made here is not `sure`: what is meant may break another rule, and is not offered then.
"""

import re
from dataclasses import replace

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.attributes import AttributeType
from batchwright.layout.item_types.base import Item
from batchwright.layout.option_values import as_text, read_number
from batchwright.layout.rules.attribute_errors import AttributeProblem, FaultKind
from batchwright.layout.rules.problems import Fix
from batchwright.layout.rules.quick_fixes import set_faulty_attribute_fix, set_nested_attribute_fix

_WORDS: dict[str, Json] = {"true": True, "yes": True, "false": False, "no": False}


def suggest_fix(item: Item, flaw: AttributeProblem) -> Fix | None:
    """The fix of a flaw."""
    fix = _found(item, flaw)
    return None if fix is None else replace(fix, is_safe=False)


def _found(item: Item, flaw: AttributeProblem) -> Fix | None:
    match flaw.kind:
        case FaultKind.MISSING | FaultKind.EMPTY | FaultKind.BLANK:
            return _filled(item, flaw)
        case FaultKind.WRONG_TYPE:
            return _converted(item, flaw) or _taken_away(item, flaw) or _use(item, flaw, flaw.attribute.start)
        case FaultKind.NOT_ALLOWED:
            start = flaw.attribute.start if flaw.attribute.required else None
            return _use(item, flaw, _respelt(flaw) or start) or _taken_away(item, flaw)
        case FaultKind.LONE_SURROGATE:
            return _mended(item, flaw)


def _filled(item: Item, flaw: AttributeProblem) -> Fix | None:
    attribute, holder = flaw.attribute, flaw.holder
    if _is_readable(holder, attribute.filled_from):
        value = holder[attribute.filled_from]
        filled = as_text(value) if attribute.kind is AttributeType.TEXT else value
        return set_faulty_attribute_fix(item, flaw, _(attribute.fill_title), filled)
    if attribute.name == "type" and flaw.within and holder.get("min") is None and holder.get("max") is None:
        # A validation that requires nothing.
        *outer, (validation, _number) = flaw.within
        return set_nested_attribute_fix(item, outer, validation.name, None, _taking_away(validation.title))
    return _use(item, flaw, item.suggested_value(attribute))


def _is_readable(holder: JsonObject, name: str) -> bool:
    """Whether there is something under a name that can be read."""
    value = holder.get(name)
    return AttributeType.VALUE.holds(value) and bool(as_text(value).strip())


def _converted(item: Item, flaw: AttributeProblem) -> Fix | None:
    """The value of the right kind that one of the wrong kind stands for: `5` for `"5"`."""
    same = None if flaw.entry is not None else _said_by(flaw)
    if same is None:
        return None
    words = _("Make it {kind}: {value}").format(kind=_(flaw.attribute.kind.title), value=as_text(same))
    return set_faulty_attribute_fix(item, flaw, words, same)


def _said_by(flaw: AttributeProblem) -> Json:
    """A value of the right kind that says the same; None when there is none."""
    value = flaw.holder.get(flaw.attribute.name)
    match flaw.attribute.kind, value:
        case AttributeType.TEXT, bool() | int() | float() if not flaw.attribute.is_reference:
            return as_text(value)
        case AttributeType.INTEGER, float() if value.is_integer():
            return int(value)
        case ((AttributeType.INTEGER | AttributeType.NUMBER), str()):
            number = read_number(value)
            return number if number is not None and flaw.attribute.kind.holds(number) else None
        case AttributeType.BOOLEAN, str():
            return _WORDS.get(value.strip().lower())
        case AttributeType.BOOLEAN, int() if value in (0, 1):
            return bool(value)
        case AttributeType.TEXTS, str():
            return [word for word in re.split(r"[\s,;]+", value) if word]
    return None


def _respelt(flaw: AttributeProblem) -> str | None:
    """The allowed word that is meant."""
    given = as_text(flaw.holder.get(flaw.attribute.name)).strip().casefold()
    others = {"integer": "number", "float": "number", "text": "string", "md": "markdown"}
    word = others.get(given, given)
    return word if word in flaw.attribute.allowed else None


def _mended(item: Item, flaw: AttributeProblem) -> Fix | None:
    """The text without its half characters, where it names nothing."""
    text = flaw.holder.get(flaw.attribute.name)
    if not isinstance(text, str) or flaw.attribute.is_reference or flaw.attribute.kind is AttributeType.VALUE:
        return None
    whole = "".join(sign for sign in text if not "\ud800" <= sign <= "\udfff")
    return set_faulty_attribute_fix(item, flaw, _("Remove the broken character"), whole)


def _use(item: Item, flaw: AttributeProblem, value: Json) -> Fix | None:
    if value is None or value == "":
        return None
    return set_faulty_attribute_fix(item, flaw, _("Use “{value}”").format(value=as_text(value)), value)


def _taken_away(item: Item, flaw: AttributeProblem) -> Fix | None:
    """What need not be given may simply go; so may an entry of a list of texts."""
    if flaw.attribute.required:
        return None
    return set_faulty_attribute_fix(item, flaw, _taking_away(flaw.attribute.title), None)


def _taking_away(title: str) -> str:
    return _("Remove the {what}").format(what=_(title))
