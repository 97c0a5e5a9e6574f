"""Records in JSON objects with the number of each as a key, as pandas writes them by default.

Either each column is an object of its values, `{"prompt": {"0": "…", "1": "…"}}`, or each record is a member,
`{"0": {"prompt": "…"}}`. If both have numbers, as without names of columns, the default of pandas decides:
the outer ones are columns. Columns are read at the same time, each from its own place in the file.

Numbers that do not start with 0 may be ids: they are a column, `index`, unless the records have one of this
name.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import BinaryIO

from batchwright.base.i18n import _
from batchwright.base.json_texts.json_cursor import JsonCursor
from batchwright.base.json_values import InvalidJson, Json, JsonObject, is_object, parse
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.sources.nested_values import Records

_INDEX = "index"
"""The column of numbers that may be ids, as in the form `table` of pandas."""
_MOST_COLUMNS = 200
"""Columns that are read at the same time, which needs half a megabyte each."""
_PIECE_BYTES = 1 << 20
_STRING = rb'"(?:[^"\\]++|\\.)*+"'
_WITHOUT_BRACES = re.compile(rb'(?:[^"{}]++|' + _STRING + rb")*+", re.DOTALL)
_KEY = re.compile(rb"\s*,?\s*(" + _STRING + rb")\s*:\s*", re.DOTALL)
"""What stands between the objects of two columns."""


def records_by_index(stream: BinaryIO, longest: int) -> Records | None:
    """The records of a file of one of the two forms; None if it has neither.

    Args:
        stream: the file; it must stay open.
        longest: characters that one value may have.

    Raises:
        UnreadableFile: when it is called or records are read, there are too many columns, or they have
            different records.
        ValueError: likewise, it is not valid JSON.
    """
    try:
        outer, inner = _first_keys(stream, longest)
    except ValueError:  # whoever looks for arrays says what is wrong
        return None
    if outer.isdecimal() and inner != "0":
        return _members(stream, longest)
    columns = _columns(stream) if inner.isdecimal() else None
    return _joined(stream, columns, longest) if columns else None


def _first_keys(stream: BinaryIO, longest: int) -> tuple[str, str]:
    """The first key of an object, and the first one of its value; empty if these are no objects."""
    stream.seek(0)
    cursor = JsonCursor(stream.read, longest=longest)
    if cursor.peek() != "{":
        return "", ""
    outer = next(cursor.member_keys(), "")
    return (outer, next(cursor.member_keys(), "")) if cursor.peek() == "{" else ("", "")


def _members(stream: BinaryIO, longest: int) -> Records:
    stream.seek(0)
    cursor = JsonCursor(stream.read, longest=longest)
    has_ids = False
    for number, key in enumerate(cursor.member_keys(), 1):
        has_ids = has_ids or (number == 1 and key != "0")
        value = cursor.value()
        record = value if is_object(value) else {"value": value}
        yield number, {_INDEX: key, **record} if has_ids else record
    cursor.expect_end()


def _columns(stream: BinaryIO) -> list[tuple[str, int]] | None:
    """The names of columns, and the bytes where their objects begin; None if some are no objects.

    Values are not parsed, only searched for the ends of objects, which is many times as fast.
    """
    stream.seek(0)
    text, columns = stream.read(_PIECE_BYTES), list[tuple[str, int]]()
    dropped, at, key_start, depth = 0, 0, 0, 0
    while True:
        run = _WITHOUT_BRACES.match(text, at)
        at = run.end() if run else at
        sign = text[at : at + 1]
        if sign == b"{":
            depth += 1
            if depth == 1:
                key_start = at + 1
            elif depth == 2:
                key = _KEY.fullmatch(text, key_start, at)
                if key is None:
                    return None
                columns.append((str(parse(key[1].decode())), dropped + at))
                _require_likely_number(columns)
        elif sign == b"}":
            depth -= 1
            key_start = at + 1
            if depth == 0:
                return columns
        else:  # the end of the text, or a string without its end
            kept = min(at, key_start) if depth == 1 else at
            more = stream.read(max(_PIECE_BYTES, len(text) - kept))
            if not more:
                raise InvalidJson(_("the end of an object is missing"))
            dropped, at, key_start = dropped + kept, at - kept, max(0, key_start - kept)
            text = text[kept:] + more
            continue
        at += 1


def _require_likely_number(columns: Sequence[object]) -> None:
    if len(columns) > _MOST_COLUMNS:
        raise UnreadableFile(
            _("The JSON file has a column after the other, and more than {most}.").format(most=_MOST_COLUMNS),
            _("Save it by records: in pandas, with to_json(…, orient=“records”)."),
        )


def _joined(stream: BinaryIO, columns: Sequence[tuple[str, int]], longest: int) -> Records:
    names = [name for name, _start in columns]
    values = [_values(stream, start, longest) for _name, start in columns]
    has_ids = False
    for number, entries in enumerate(zip_longest(*values, fillvalue=("", None)), 1):
        id = entries[0][0]
        has_ids = has_ids or (number == 1 and id != "0")
        if len({key for key, _value in entries}) > 1:
            raise UnreadableFile(
                _("The columns of the JSON file have not the same records, from record {number} on.").format(
                    number=number
                )
            )
        record: JsonObject = {name: value for name, (_key, value) in zip(names, entries, strict=True)}
        yield number, {_INDEX: id, **record} if has_ids else record


def _values(stream: BinaryIO, position: int, longest: int) -> Iterator[tuple[str, Json]]:
    """The members of the object at a position."""

    def read(size: int) -> bytes:
        nonlocal position
        stream.seek(position)
        content = stream.read(size)
        position += len(content)
        return content

    cursor = JsonCursor(read, "utf-8", longest)
    for key in cursor.member_keys():
        yield key, cursor.value()
