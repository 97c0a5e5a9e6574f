"""Parses the lines of a JSONL file; an invalid line is reported by itself."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from batchwright.base.i18n import _
from batchwright.base.json_values import InvalidJson, Json, has_too_many_keys, is_valid_unicode, parse
from batchwright.base.limits import MAX_JSON_KEYS
from batchwright.data_files.rows import ParsedRecord
from batchwright.schema.record_validator import RAW, RecordError

T = TypeVar("T")

MAX_BRACKETS = 100_000
"""Maximum number of opening brackets and braces on a line: parsed values need many times the memory of
the text."""


def json_records(
    lines: Iterable[str], check: Callable[[str], T | RecordError], line_number: int = 1, index: int = 0
) -> Iterator[ParsedRecord[T]]:
    """The result of `check` for each line that is not blank.

    `line` and `index` are the numbers of the first physical line and of the first record in `lines`.
    """
    for number, text in enumerate(lines, line_number):
        if not text.isspace():
            yield ParsedRecord(index, number, check(text))
            index += 1


def read_value(text: str) -> "Json | RecordError":
    """The JSON value on a line."""
    if not (text.isascii() or is_valid_unicode(text)):
        return RecordError(RAW, _("The line is not encoded as UTF-8. Save the file as UTF-8."))
    if len(text) > MAX_BRACKETS and text.count("[") + text.count("{") > MAX_BRACKETS:
        return RecordError(RAW, _("The line contains more than {most} brackets.").format(most=MAX_BRACKETS))
    if len(text) > MAX_JSON_KEYS and has_too_many_keys(text.encode()):
        return RecordError(RAW, _("The line contains more than {most} keys.").format(most=MAX_JSON_KEYS))
    try:
        return parse(text.rstrip("\r\n"))  # so that the position in an error message is on this line
    except InvalidJson as error:
        if error.column is None:
            return RecordError(RAW, _("The line is not valid JSON: {reason}").format(reason=error.reason))
        reason = _("The line is not valid JSON: {reason}, at character {column}.")
        return RecordError(RAW, reason.format(reason=error.reason, column=error.column))
