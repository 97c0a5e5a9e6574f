"""Records in JSON objects with the number of each as a key, as pandas writes them by default.

Either each column is an object of its values, `{"prompt": {"0": "…", "1": "…"}}`, or each record is a member,
`{"0": {"prompt": "…"}}`. Columns are read at the same time, each from its own place in the file.
"""

import codecs
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import BinaryIO

from batchwright.base.i18n import _
from batchwright.base.json_cursor import JsonCursor
from batchwright.base.json_values import Json, JsonObject, is_object
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.sources.nested_values import Records

_MOST_COLUMNS = 200
"""Columns that are read at the same time, which needs half a megabyte each."""


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
    stream.seek(0)
    cursor = JsonCursor(stream.read, longest=longest)
    if cursor.peek() != "{":
        return None
    outer = next(cursor.member_keys(), "")
    if cursor.peek() != "{":
        return None
    if outer.isdecimal():
        return _members(stream, longest)
    inner = next(cursor.member_keys(), "")
    return _joined(stream, _columns(stream, longest), longest) if inner.isdecimal() else None


def _members(stream: BinaryIO, longest: int) -> Records:
    stream.seek(0)
    cursor = JsonCursor(stream.read, longest=longest)
    for number, _key in enumerate(cursor.member_keys(), 1):
        value = cursor.value()
        yield number, value if is_object(value) else {"value": value}
    cursor.expect_end()


def _columns(stream: BinaryIO, longest: int) -> list[tuple[str, int]]:
    """The names of columns, and the bytes where their objects begin.

    Bytes are read as characters, which leaves all signs of JSON as they are.
    """
    stream.seek(0)
    start = len(codecs.BOM_UTF8) if stream.read(3) == codecs.BOM_UTF8 else 0
    stream.seek(start)
    cursor = JsonCursor(stream.read, "latin-1", longest)
    columns = list[tuple[str, int]]()
    for key in cursor.member_keys():
        if cursor.peek() != "{":
            raise UnreadableFile(_("Some columns of the JSON file have no records."))
        columns.append((_as_text(key), start + cursor.position))
        if len(columns) > _MOST_COLUMNS:
            raise UnreadableFile(
                _("The JSON file has a column after the other, and more than {most}.").format(
                    most=_MOST_COLUMNS
                ),
                _("Save it by records: in pandas, with to_json(…, orient=“records”)."),
            )
        cursor.skip()
    cursor.expect_end()
    return columns


def _as_text(key: str) -> str:
    """A key of bytes that were read as characters; one with escaped characters may be a text already."""
    try:
        return key.encode("latin-1").decode()
    except UnicodeError:
        return key


def _joined(stream: BinaryIO, columns: Sequence[tuple[str, int]], longest: int) -> Records:
    names = [name for name, _start in columns]
    values = [_values(stream, start, longest) for _name, start in columns]
    for number, entries in enumerate(zip_longest(*values, fillvalue=("", None)), 1):
        if len({key for key, _value in entries}) > 1:
            raise UnreadableFile(
                _("The columns of the JSON file have not the same records, from record {number} on.").format(
                    number=number
                )
            )
        record: JsonObject = {name: value for name, (_key, value) in zip(names, entries, strict=True)}
        yield number, record


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
