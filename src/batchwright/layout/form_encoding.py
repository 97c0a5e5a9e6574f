"""The form fields of a participant page.

For the n-th instruction of a page, counted from 0 over its instructions:

| item | fields |
|---|---|
| choice | `i{n}` once for each chosen option, holding the index of the option |
| choice with free text | also `i{n}.e{k}`, the explanation of option k |
| free text | `i{n}` |
| free text with unit | `i{n}` and `i{n}.u`, holding the index of the unit |
| file upload | file fields `i{n}` |

Options and units are counted from 0 in the order of the item. Each item type converts its answers to fields
and back (`Instruction.to_form`, `Instruction.from_form`).
"""

import re
from collections.abc import Mapping, Sequence

from batchwright.base.json_values import JsonObject
from batchwright.layout.answers import GeneratedAnswer, GeneratedFile

_INDEX = re.compile("0|[1-9][0-9]{0,8}")


def field_name(number: int) -> str:
    """The field of the n-th instruction."""
    return f"i{number}"


def number_of(name: str) -> int:
    """The number of the instruction to which a field belongs."""
    return int(name.removeprefix("i").partition(".")[0])


def explanation_name(number: int, option: int) -> str:
    """The field that explains an option of the n-th instruction."""
    return f"i{number}.e{option}"


def unit_name(number: int) -> str:
    """The field of the unit of the n-th instruction."""
    return f"i{number}.u"


def files_of(number: int, answer: GeneratedAnswer) -> list[tuple[str, GeneratedFile]]:
    """The file fields for a random answer."""
    return [(field_name(number), entry) for entry in answer if isinstance(entry, GeneratedFile)]


def text_from_form(fields: Mapping[str, list[str]], name: str) -> str:
    """The text of a field; browsers send every line break as CR LF."""
    return next(iter(fields.get(name, ())), "").replace("\r\n", "\n")


def sent_index(options: Sequence[JsonObject], sent: str) -> int | None:
    """The index that was sent; None when no option has it."""
    index = int(sent) if _INDEX.fullmatch(sent) else len(options)
    return index if index < len(options) else None
