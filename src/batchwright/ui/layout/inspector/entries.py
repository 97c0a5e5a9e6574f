"""Options and units as plain lists: what typing, moving, pasting and presets make of them.

Every function gives a new list. Entries that are no objects, and keys that nobody knows, are kept.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import count

from batchwright.layout.attributes import Attribute, new_entry
from batchwright.layout.option_values import as_text, identity
from batchwright.records.json_values import Json, JsonObject, NotJson, is_object, parse
from batchwright.words import _

Entries = Sequence[Json]

_LONGEST_VALUE = 40
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_BOOLEANS: Mapping[str, bool] = {"true": True, "false": False}


class ValueKind(Enum):
    """What an option stands for in the data: `1`, `"1"` and `true` are three different values."""

    TEXT = "text"
    NUMBER = "number"
    BOOLEAN = "boolean"

    @classmethod
    def of(cls, value: Json) -> "ValueKind":
        """The kind of a value; anything that is no option value counts as text."""
        if isinstance(value, bool):
            return cls.BOOLEAN
        return cls.NUMBER if isinstance(value, int | float) else cls.TEXT


def read_number(text: str) -> int | float | None:
    """The number that a text is, whole or not; None when it is none."""
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        return None
    try:
        number = parse(text)
    except NotJson:
        return None
    return number if isinstance(number, int | float) else None


def typed_value(text: str, kind: ValueKind) -> Json:
    """What a text typed for a value means where the value was of a kind; else it is text."""
    if kind is ValueKind.NUMBER:
        number = read_number(text)
        return text if number is None else number
    if kind is ValueKind.BOOLEAN:
        return _BOOLEANS.get(text.strip().casefold(), text)
    return text


def as_kind(value: Json, kind: ValueKind, number: int) -> Json:
    """A value as one of another kind; what cannot be one becomes `number`, or false."""
    text = as_text(value)
    match kind:
        case ValueKind.TEXT:
            return text
        case ValueKind.NUMBER:
            read = read_number(text)
            return number if read is None else read
        case ValueKind.BOOLEAN:
            return text.strip().casefold() in {"true", "yes", "1"}


def derived(label: str) -> str:
    """The value that a label suggests: its letters and digits, small, joined by underscores."""
    words = "".join(letter if letter.isalnum() else " " for letter in label.casefold()).split()
    return "_".join(words)[:_LONGEST_VALUE].rstrip("_")


def with_label(entries: Entries, row: int, label: str) -> list[Json]:
    """Another label; a value that nobody has touched follows it."""
    entry = _entry(entries, row)
    before, value = as_text(entry.get("label", "")), entry.get("value", "")
    changed: dict[str, Json] = {**entry, "label": label}
    if value == "" or _follows(value, before):
        changed["value"] = _free(derived(label), [_value(one) for one in _others(entries, row)])
    return _put(entries, row, changed)


def with_inner(entries: Entries, row: int, name: str, value: Json) -> list[Json]:
    """Another attribute of one entry; None takes it away."""
    kept = {key: inner for key, inner in _entry(entries, row).items() if key != name or value is not None}
    return _put(entries, row, kept if value is None and name not in kept else {**kept, name: value})


def moved(entries: Entries, row: int, to: int) -> list[Json]:
    """One entry at another place, counted with the entry lifted out."""
    rest = [*entries[:row], *entries[row + 1 :]]
    return [*rest[:to], entries[row], *rest[to:]]


def removed(entries: Entries, row: int) -> list[Json]:
    """One entry less."""
    return [*entries[:row], *entries[row + 1 :]]


def added(entries: Entries, attribute: Attribute) -> list[Json]:
    """One more entry, still to be filled in."""
    return [*entries, new_entry(attribute)]


def pasted(entries: Entries, row: int, text: str, attribute: Attribute) -> list[Json]:
    """Lines of a spreadsheet, label and value, put in from a row on; more lines make more entries."""
    result = list(entries)
    lines = [line for line in text.splitlines() if line.strip()]
    for at, line in enumerate(lines, row):
        if at == len(result):
            result = added(result, attribute)
        label, _tab, value = line.partition("\t")
        result = with_label(result, at, label.strip())
        if value.strip():
            result = with_inner(result, at, "value", value.split("\t")[0].strip())
    return result


@dataclass(frozen=True)
class Preset:
    """Options that are asked for again and again."""

    title: str
    options: tuple[tuple[str, Json], ...]


def _scale(*labels: str) -> tuple[tuple[str, Json], ...]:
    return tuple((label, number) for number, label in enumerate(labels, 1))


def presets() -> tuple[Preset, ...]:
    """The presets, in the words of the language in use."""
    disagree, agree, neither = _("Disagree"), _("Agree"), _("Neither agree nor disagree")
    strongly_not, strongly = _("Strongly disagree"), _("Strongly agree")
    five = _scale(strongly_not, disagree, neither, agree, strongly)
    seven = _scale(
        strongly_not, disagree, _("Somewhat disagree"), neither, _("Somewhat agree"), agree, strongly
    )
    return (
        Preset(_("Agree or disagree, 5 steps"), five),
        Preset(_("Agree or disagree, 7 steps"), seven),
        Preset(_("Yes or no"), ((_("Yes"), True), (_("No"), False))),
        Preset(_("A, B or the same"), ((_("A"), "a"), (_("B"), "b"), (_("About the same"), "same"))),
    )


def from_preset(entries: Entries, preset: Preset, attribute: Attribute) -> list[Json]:
    """The options of a preset; what else stood in the entries at these places stays."""
    return [
        {**new_entry(attribute), **(_entry(entries, row)), "label": label, "value": value}
        for row, (label, value) in enumerate(preset.options)
    ]


def _follows(value: Json, label: str) -> bool:
    """Whether a value is what its label suggested, with or without a number to tell it from others."""
    base = derived(label)
    return (
        isinstance(value, str)
        and bool(base)
        and re.fullmatch(re.escape(base) + r"(_\d+)?", value) is not None
    )


def _free(base: str, taken: Sequence[Json]) -> str:
    """A value that no other entry has."""
    known = {identity(value) for value in taken}
    names: Iterator[str] = iter([base]) if not base else (f"{base}_{n}" if n > 1 else base for n in count(1))
    return next((name for name in names if identity(name) not in known), base)


def _others(entries: Entries, row: int) -> list[Json]:
    return removed(entries, row)


def _value(entry: Json) -> Json:
    return entry.get("value") if is_object(entry) else None


def _entry(entries: Entries, row: int) -> JsonObject:
    entry = entries[row] if row < len(entries) else None
    return entry if is_object(entry) else {}


def _put(entries: Entries, row: int, entry: JsonObject) -> list[Json]:
    return [*entries[:row], entry, *entries[row + 1 :]]
