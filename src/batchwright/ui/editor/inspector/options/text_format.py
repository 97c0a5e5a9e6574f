"""Conversion between options or units and lines of text: for pasting from spreadsheets and for bulk editing.

A line is `label = value`, or the cells of a spreadsheet row separated by tabs: label, value, heading.
"""

import csv
import re
from dataclasses import dataclass
from io import StringIO

from batchwright.base.json_values import Json, is_object
from batchwright.layout.attributes import Attribute
from batchwright.layout.option_values import comparison_key
from batchwright.ui.editor.inspector.options.entries import (
    Options,
    added,
    has_own_value,
    option_at,
    with_attribute,
    with_label,
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
    result: list[Json] = [None] * len(lines)
    changed: list[int] = []
    for at, line in enumerate(lines):
        unchanged = (
            at
            if at in unmatched and formatted[at] == line
            else next((n for n in unmatched if formatted[n] == line), None)
        )
        if unchanged is None:
            changed.append(at)
        else:
            unmatched.discard(unchanged)
            result[at] = options[unchanged]
    for at in changed:
        parsed = _parse_line(lines[at])
        before = _match_entry(parsed, at, options, unmatched, is_as_long=len(lines) == len(options))
        unmatched.discard(-1 if before is None else before)
        existing = option_at(options, -1 if before is None else before)
        result[at] = existing or attribute.new_entry()
        result = _with_parsed(result, at, parsed, attribute, parse_value(parsed.value))
    return result


def paste_rows(options: Options, row: int, text: str, attribute: Attribute) -> list[Json]:
    """Overwrite options with the rows of a spreadsheet, from index `row` on; additional rows add options.

    A pasted value gets the type of the value it replaces; the type of a new value is inferred by
    `parse_value`.
    """
    result = list(options)
    for at, parsed in enumerate(_cells(text), row):
        if at == len(result):
            result = added(result, attribute)
        value = option_at(result, at).get("value", "")
        read = (
            value_from_text(parsed.value, ValueKind.of(value)) if value != "" else parse_value(parsed.value)
        )
        result = _with_parsed(result, at, parsed, attribute, read)
    return result


def is_multi_cell(text: str) -> bool:
    """Whether the text on the clipboard is more than one spreadsheet cell."""
    return "\t" in text or len(text.strip().splitlines()) > 1


def _cells(text: str) -> list[ParsedOption]:
    """The rows of a spreadsheet, without a header row."""
    # Spreadsheets quote cells that contain line breaks; a list of plain lines is not quoted.
    split = csv.reader(StringIO(text, newline=""), delimiter="\t") if "\t" in text else None
    rows = list(split) if split is not None else [[line] for line in text.splitlines()]
    lines = [
        ParsedOption(*(cell.strip() for cell in row[:3])) for row in rows if any(cell.strip() for cell in row)
    ]
    header = tuple(cell.strip().casefold() for cell in rows[0][:3]) if rows else ()
    is_head = len(header) > 1 and header == _HEADER_CELLS[: len(header)]
    return lines[1:] if is_head else lines


def _with_parsed(
    options: Options, row: int, parsed: ParsedOption, attribute: Attribute, value: Json
) -> list[Json]:
    result = with_label(options, row, parsed.label)
    if parsed.value:
        result = with_attribute(result, row, "value", value)
    if parsed.heading and any(nested.name == HEADING for nested in attribute.nested):
        result = with_attribute(result, row, HEADING, parsed.heading)
    return result


def _match_entry(
    parsed: ParsedOption, at: int, options: Options, unmatched: set[int], *, is_as_long: bool
) -> int | None:
    """The index of the existing option that a line describes, or None if the line is a new option."""
    value = comparison_key(parse_value(parsed.value)) if parsed.value else None
    for number in sorted(unmatched):
        if value is not None and comparison_key(option_at(options, number).get("value")) == value:
            return number
    for number in sorted(unmatched):
        if option_at(options, number).get("label") == parsed.label:
            return number
    return at if is_as_long and at in unmatched and is_object(options[at]) else None


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
