"""The lines of a JSONL file, each a JSON value or a fault of its own."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from batchwright.base.i18n import _
from batchwright.base.json_values import InvalidJson, Json, is_valid_unicode, parse
from batchwright.data_files.rows import ParsedRecord
from batchwright.schema.record_validator import RAW, RecordError

T = TypeVar("T")

MOST_BRACKETS = 100_000
"""The most opening brackets and braces on a line: what they say takes many times the room of the line."""


def json_entries(
    lines: Iterable[str], judge: Callable[[str], T | RecordError], line: int = 1, index: int = 0
) -> Iterator[ParsedRecord[T]]:
    """Every line that is not blank, as `judge` has its text.

    `line` and `index` say which physical line and which record the lines begin with.
    """
    for number, text in enumerate(lines, line):
        if not text.isspace():
            yield ParsedRecord(index, number, judge(text))
            index += 1


def read_value(text: str) -> "Json | RecordError":
    """The JSON value on a line."""
    if not (text.isascii() or is_valid_unicode(text)):
        return RecordError(RAW, _("The line is not encoded as UTF-8. Save the file as UTF-8."))
    if len(text) > MOST_BRACKETS and text.count("[") + text.count("{") > MOST_BRACKETS:
        return RecordError(RAW, _("The line holds more than {most} brackets.").format(most=MOST_BRACKETS))
    try:
        return parse(text.rstrip("\r\n"))  # or the end of a line would be the beginning of another
    except InvalidJson as fault:
        if fault.column is None:
            return RecordError(RAW, _("The line is no JSON: {reason}").format(reason=fault.reason))
        reason = _("The line is no JSON: {reason}, at character {column}.")
        return RecordError(RAW, reason.format(reason=fault.reason, column=fault.column))
