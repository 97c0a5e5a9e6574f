"""Conversion between options or units and lines of text: for pasting from spreadsheets and for bulk editing.

A line is `label = value`, or the cells of a spreadsheet row separated by tabs: label, value, heading.
"""

import re
from collections import deque
from collections.abc import Hashable, Iterable, Set
from dataclasses import dataclass

from batchwright.base.json_values import Json, JsonObject, is_object
from batchwright.layout.attributes import Attribute
from batchwright.layout.option_values import comparison_key
from batchwright.ui.editor.inspector.options.entries import (
    Options,
    UnusedValues,
    has_own_value,
    labelled,
    option_at,
)
from batchwright.ui.editor.inspector.value_kinds import (
    ValueKind,
    format_value,
    is_single_line,
    parse_value,
    quote,
    unquote,
    value_from_text,
)

HEADING = "heading"

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_OPTION_LINE = re.compile(rf"(?P<label>{_QUOTED}|.*?)\s*=\s*(?P<value>{_QUOTED}|[^=]*)")
_CELL = re.compile(r'(?:"(?P<quoted>[^"]*+(?:""[^"]*+)*+)"|(?P<plain>[^\t\r\n]*+))(?P<end>\t|\r\n?|\n|\Z)')
_HEADER_CELLS = ("label", "value", HEADING)


@dataclass(frozen=True)
class ParsedOption:
    """The content of one line. An empty text means that the line does not state it."""

    label: str
    value: str = ""
    heading: str = ""


def format_options(options: Options) -> str:
    """Write all options, one per line. `parse_options` reads the same options back."""
    return "\n".join(map(_format_option, options))


def parse_options(text: str, options: Options, attribute: Attribute) -> list[Json]:
    """Parse lines into options.

    A line that is unchanged since `format_options` keeps its option. Any other line takes the remaining keys
    (a heading, unknown keys) of the option with its value, else with its label, else at its position.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    formatted = [_format_option(option).strip() for option in options]
    unmatched = set(range(len(options)))
    by_line = _numbers_by(formatted)
    result: list[Json] = [None] * len(lines)
    changed: list[int] = []
    for at, line in enumerate(lines):
        is_at_place = at in unmatched and formatted[at] == line
        unchanged = at if is_at_place else _first(by_line.get(line), unmatched)
        if unchanged is None:
            changed.append(at)
        else:
            unmatched.discard(unchanged)
            result[at] = options[unchanged]
    objects = [option if is_object(option) else {} for option in options]
    by_value = _numbers_by(comparison_key(option.get("value")) for option in objects)
    by_label = _numbers_by(comparison_key(option.get("label")) for option in objects)
    unused = UnusedValues(option for option in result if option is not None)
    for at in changed:
        parsed = _parse_line(lines[at])
        value = parse_value(parsed.value)
        before = _first(by_value.get(comparison_key(value)), unmatched) if parsed.value else None
        if before is None:
            before = _first(by_label.get(comparison_key(parsed.label)), unmatched)
        if before is None and len(lines) == len(options) and at in unmatched and is_object(options[at]):
            before = at
        unmatched.discard(-1 if before is None else before)
        existing = option_at(options, -1 if before is None else before)
        changed_option = _with_parsed(existing or attribute.new_entry(), parsed, attribute, value, unused)
        unused.add(changed_option)
        result[at] = changed_option
    return result


def paste_rows(options: Options, row: int, text: str, attribute: Attribute) -> list[Json]:
    """Overwrite options with the rows of a spreadsheet, from index `row` on; additional rows add options.

    A pasted value gets the type of the value it replaces; the type of a new value is inferred by
    `parse_value`.
    """
    result = list(options)
    unused = UnusedValues(options)
    for at, parsed in enumerate(_cells(text), row):
        if at == len(result):
            result.append(attribute.new_entry())
        else:
            unused.remove(result[at])
        value = option_at(result, at).get("value", "")
        read = (
            value_from_text(parsed.value, ValueKind.of(value)) if value != "" else parse_value(parsed.value)
        )
        result[at] = _with_parsed(option_at(result, at), parsed, attribute, read, unused)
        unused.add(result[at])
    return result


def is_multi_cell(text: str) -> bool:
    """Whether the text on the clipboard is more than one spreadsheet cell."""
    return "\t" in text or len(text.strip().splitlines()) > 1


def _cells(text: str) -> list[ParsedOption]:
    """The rows of a spreadsheet, without a header row."""
    rows = _split_rows(text) if "\t" in text else [[line] for line in text.splitlines()]
    lines = [
        ParsedOption(*(cell.strip() for cell in row[:3])) for row in rows if any(cell.strip() for cell in row)
    ]
    header = tuple(cell.strip().casefold() for cell in rows[0][:3]) if rows else ()
    is_head = len(header) > 1 and header == _HEADER_CELLS[: len(header)]
    return lines[1:] if is_head else lines


def _split_rows(text: str) -> list[list[str]]:
    """The cells of each row. A cell in quotes may contain line breaks; other quotes are part of a cell."""
    rows: list[list[str]] = [[]]
    for cell in _CELL.finditer(text):
        quoted = cell["quoted"]
        rows[-1].append(cell["plain"] if quoted is None else quoted.replace('""', '"'))
        if cell["end"] != "\t":
            rows.append([])
    return rows


def _with_parsed(
    option: JsonObject, parsed: ParsedOption, attribute: Attribute, value: Json, unused: UnusedValues
) -> JsonObject:
    result = labelled(option, parsed.label, unused)
    if parsed.value:
        result = {**result, "value": value}
    if parsed.heading and any(nested.name == HEADING for nested in attribute.nested):
        result = {**result, HEADING: parsed.heading}
    return result


def _numbers_by(keys: Iterable[Hashable]) -> dict[Hashable, deque[int]]:
    """The indexes of each key, in order."""
    numbers: dict[Hashable, deque[int]] = {}
    for number, key in enumerate(keys):
        numbers.setdefault(key, deque()).append(number)
    return numbers


def _first(numbers: deque[int] | None, unmatched: Set[int]) -> int | None:
    """The first of these indexes that is not matched yet. Those before it are dropped."""
    while numbers and numbers[0] not in unmatched:
        numbers.popleft()
    return numbers[0] if numbers else None


def _format_option(option: Json) -> str:
    if not is_object(option):
        return quote(option)
    label = option.get("label", "")
    text = label if isinstance(label, str) else quote(label)
    is_plain = text and text == text.strip() and not text.startswith('"') and is_single_line(text)
    text = text if is_plain else quote(text)
    return f"{text} = {format_value(option.get('value'))}" if has_own_value(option) else text


def _parse_line(line: str) -> ParsedOption:
    if "\t" in line:
        return ParsedOption(*(cell.strip() for cell in line.split("\t")[:3]))
    match = _OPTION_LINE.fullmatch(line)
    if match is None:
        return ParsedOption(unquote(line))
    return ParsedOption(unquote(match["label"].strip()), match["value"].strip())


def count_lines(lines: str) -> int:
    """The number of options in the text: its non-blank lines."""
    return len([line for line in lines.splitlines() if line.strip()])
