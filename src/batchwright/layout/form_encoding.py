"""The fields of a participant page, and answers to and from them.

For the n-th instruction of a page, counted from 0 over its instructions:

| item | fields |
|---|---|
| choice | `i{n}` once for each chosen option, holding the option's number |
| choice with free text | also `i{n}.e{k}`, the explanation of option k |
| free text | `i{n}` |
| free text with unit | `i{n}` and `i{n}.u`, holding the unit's number |
| file upload | file fields `i{n}` |

Options and units are numbered from 0 in the order of the item.
"""

from collections.abc import Mapping, Sequence

from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.answers.files import Answer, FileEntry, GeneratedFile
from batchwright.layout.answers.validation import option_of
from batchwright.layout.model import (
    Choice,
    FileUpload,
    FreeTextWithUnit,
    Instruction,
)
from batchwright.layout.option_values import as_text


def field_name(n: int) -> str:
    """The field of the n-th instruction."""
    return f"i{n}"


def number_of(name: str) -> int:
    """The instruction that a field of this module belongs to."""
    return int(name.removeprefix("i").partition(".")[0])


def explanation_name(n: int, option: int) -> str:
    """The field that explains an option of the n-th instruction."""
    return f"i{n}.e{option}"


def unit_name(n: int) -> str:
    """The field of the unit of the n-th instruction."""
    return f"i{n}.u"


def to_form(n: int, item: Instruction, answer: "Answer | Json") -> list[tuple[str, str]]:
    """The fields that a page sends for an answer; files travel beside them (`files_of`)."""
    entries = (
        [entry for entry in answer if isinstance(entry, Mapping)] if isinstance(answer, list | tuple) else []
    )
    match item:
        case FileUpload():
            return []
        case Choice():
            return [field for entry in entries for field in _choice_fields(n, item, entry)]
        case FreeTextWithUnit():
            return [field for entry in entries for field in _unit_fields(n, item, entry)]
    return [(field_name(n), as_text(entry.get("value", ""))) for entry in entries]


def files_of(n: int, answer: Answer) -> list[tuple[str, GeneratedFile]]:
    """The file fields that a page sends for a drawn answer."""
    return [(field_name(n), entry) for entry in answer if isinstance(entry, GeneratedFile)]


def from_form(
    n: int, item: Instruction, fields: Mapping[str, list[str]], files: Sequence[FileEntry]
) -> list[JsonObject]:
    """The answer (wire.md 7.1) that a page sent, right or wrong: that is for `faults` to say.

    `files` are those of this instruction. A number that names no option becomes the value null,
    which is no option's value.
    """
    match item:
        case FileUpload():
            return [file.as_json() for file in files]
        case Choice():
            return _choice_answer(n, item, fields)
        case FreeTextWithUnit():
            return _unit_answer(n, item, fields)
    typed = _typed(fields, field_name(n))
    return [{"value": typed}] if typed.strip() else []


def _choice_fields(n: int, item: Choice, entry: JsonObject) -> list[tuple[str, str]]:
    option = option_of(item.options, entry.get("value"))
    if option is None:
        return []
    chosen = (field_name(n), str(option))
    explanation = entry.get("explanation")
    if not isinstance(explanation, str):
        return [chosen]
    return [chosen, (explanation_name(n, option), explanation)]


def _unit_fields(n: int, item: FreeTextWithUnit, entry: JsonObject) -> list[tuple[str, str]]:
    typed = (field_name(n), as_text(entry.get("value", "")))
    unit = option_of(item.units, entry.get("unit"))
    return [typed] if unit is None else [typed, (unit_name(n), str(unit))]


def _choice_answer(n: int, item: Choice, fields: Mapping[str, list[str]]) -> list[JsonObject]:
    answer: list[JsonObject] = []
    # A menu in which nothing is chosen sends an empty text.
    chosen = [sent for sent in fields.get(field_name(n), ()) if sent]
    for sent in sorted(chosen, key=lambda number: (len(number), number)):
        option = _numbered(item.options, sent)
        entry: dict[str, Json] = {"value": None if option is None else item.options[option].get("value")}
        if option is not None and explanation_name(n, option) in fields:
            entry["explanation"] = _typed(fields, explanation_name(n, option))
        answer.append(entry)
    return answer


def _unit_answer(n: int, item: FreeTextWithUnit, fields: Mapping[str, list[str]]) -> list[JsonObject]:
    typed = _typed(fields, field_name(n))
    unit = _numbered(item.units, "".join(fields.get(unit_name(n), ())[:1]))
    if unit is None:
        return [{"value": typed}] if typed.strip() else []
    return [{"value": typed, "unit": item.units[unit].get("value")}]


def _typed(fields: Mapping[str, list[str]], name: str) -> str:
    """The text of a field; browsers send line ends as CR LF, whatever was typed."""
    return next(iter(fields.get(name, ())), "").replace("\r\n", "\n")


def _numbered(options: Sequence[JsonObject], sent: str) -> int | None:
    """The option that a sent number names."""
    known = {str(number): number for number in range(len(options))}
    return known.get(sent)
