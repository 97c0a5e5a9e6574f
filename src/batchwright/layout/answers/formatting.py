"""An answer in one cell of the report: labels rather than values (wire.md 7.3)."""

from collections.abc import Mapping

from batchwright.base.json_values import Json, JsonObject, is_array
from batchwright.layout.answers.validation import option_of
from batchwright.layout.model import Choice, FreeTextWithUnit, Instruction
from batchwright.layout.option_values import as_text


def format_answer(item: Instruction, answer: Json) -> str:
    """The report cell of an answer, the array of wire.md 7.1.

    Several choices or files are joined by a comma and a space. A value that the item no longer
    offers is told as it was stored.
    """
    entries = answer if is_array(answer) else []
    return ", ".join(_entry_text(item, entry) for entry in entries if isinstance(entry, Mapping))


def _entry_text(item: Instruction, entry: JsonObject) -> str:
    if "file_name" in entry:
        return as_text(entry["file_name"])
    value = entry.get("value", "")
    if isinstance(item, FreeTextWithUnit):
        return _with_unit(item, as_text(value), entry.get("unit"))
    if not isinstance(item, Choice):
        return as_text(value)
    number = option_of(item.options, value)
    label = as_text(value if number is None else item.options[number].get("label", value))
    explanation = entry.get("explanation")
    return f"{label}: {as_text(explanation)}" if explanation else label


def _with_unit(item: FreeTextWithUnit, typed: str, unit: Json) -> str:
    if unit is None:
        return typed
    number = option_of(item.units, unit)
    label = as_text(unit if number is None else item.units[number].get("label", unit))
    return f"{label} {typed}" if item.text("unit_position") == "prefix" else f"{typed} {label}"
