"""Validates records against a schema: returns the record to store, or its first error.

Shared by the client and the service (wire reference, section 4.3).
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import Json, JsonObject, is_object, is_valid_unicode
from batchwright.base.urls import is_https_url, is_media_url
from batchwright.schema.model import MEDIA_EXTENSIONS, FieldType, Schema

Value: TypeAlias = str | int | float | bool
Record: TypeAlias = dict[str, Value]

RAW = "_raw"
"""Field name in errors about a whole record (wire reference, section 4.6)."""


@dataclass(frozen=True, slots=True)
class RecordError:
    """Why a record is rejected: the key of the invalid field, or `RAW`, and a message."""

    field: str
    reason: str


class _InvalidValue(ValueError):
    """A value is not valid for its field; the message says why."""


_Reader: TypeAlias = Callable[[Json], Value]
_Test: TypeAlias = Callable[[str], bool]


def no_object_error() -> RecordError:
    """The error of a record that is no object."""
    return RecordError(RAW, _("The record is not a JSON object."))


class RecordValidator:
    """Validates records against a schema; slow to create, fast to use.

    The first error in the order of the schema is reported. Keys that are not in the schema are ignored and
    not kept; null counts as missing.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._columns = tuple(
            (key, _reader(field.type), _test(field.type)) for key, field in schema.fields.items()
        )
        self._no_object = no_object_error()
        self._missing = {
            key: RecordError(key, _("The field is required and missing.")) for key in schema.fields
        }

    def check(self, raw: Json) -> Record | RecordError:
        """The record to store, its fields in the order of the schema; or its first error."""
        if not is_object(raw):
            return self._no_object
        record: Record = {}
        key, value_of = RAW, raw.get
        try:
            for key, read, test in self._columns:
                value = value_of(key)
                if test is None and isinstance(value, str) and value.isascii():
                    record[key] = value
                elif value is not None:
                    record[key] = read(value)
                elif self.schema.strict:
                    return self._missing[key]
        except _InvalidValue as error:
            return RecordError(key, str(error))
        return record

    def converted(self, record: JsonObject) -> tuple[Record, list[RecordError]]:
        """Convert a stored record to this schema.

        Returns the valid values, and an error for each invalid one. A missing value is no error here, since
        there is nothing to set to null.
        """
        valid: Record = {}
        errors: list[RecordError] = []
        for key, read, _test in self._columns:
            value = record.get(key)
            if value is None:
                continue
            try:
                valid[key] = read(value)
            except _InvalidValue as error:
                errors.append(RecordError(key, str(error)))
        return valid, errors

    def row_check(self, header: Sequence[str]) -> Callable[[Sequence[str]], Record | RecordError]:
        """A function that validates rows of a CSV file with this header.

        Names in the header are trimmed; an empty cell is a missing value; a null byte is invalid; a row with
        more or fewer cells than the header is an error of the whole record.
        """
        width, indexes = len(header), _column_indexes(header)
        columns = tuple((key, indexes.get(key), read, test) for key, read, test in self._columns)
        strict, missing = self.schema.strict, self._missing

        def check(row: Sequence[str]) -> Record | RecordError:
            if len(row) != width:
                return _cell_count_error(len(row), width)
            record: Record = {}
            key = RAW
            try:
                for key, index, read, test in columns:
                    if index is None or not (cell := row[index]):
                        if strict:
                            return missing[key]
                    elif "\0" in cell:
                        return RecordError(key, _("The cell contains a null byte, which is not valid text."))
                    elif test is None and cell.isascii():
                        record[key] = cell
                    else:
                        record[key] = read(cell)
            except _InvalidValue as error:
                return RecordError(key, str(error))
            return record

        return check

    def block_check(self, header: Sequence[str]) -> Callable[[Sequence[Sequence[str]]], bool]:
        """A fast check, column by column, that `cells` would find no error in a block of rows."""
        width, indexes = len(header), _column_indexes(header)
        strict = self.schema.strict
        indexed_tests = [(indexes[key], test) for key, _read, test in self._columns if key in indexes]
        lacks_required = strict and len(indexed_tests) < len(self._columns)

        def are_all_valid(rows: Sequence[Sequence[str]]) -> bool:
            if not rows:
                return True
            if lacks_required or set(map(len, rows)) != {width}:
                return False
            columns = tuple(zip(*rows, strict=True))
            for index, test in indexed_tests:
                column = columns[index]
                text = "".join(column)
                if (strict and "" in column) or "\0" in text or not is_valid_unicode(text):
                    return False
                if test is not None and not all(map(test, filter(None, column))):
                    return False
            return True

        return are_all_valid


def _column_indexes(header: Sequence[str]) -> dict[str, int]:
    """Column indexes by trimmed name; of duplicate names, the first."""
    indexes: dict[str, int] = {}
    for index, name in enumerate(header):
        indexes.setdefault(name.strip(), index)
    return indexes


def _cell_count_error(cells: int, columns: int) -> RecordError:
    reason = ngettext(
        "The row has {cells} cell, but the header has {columns} columns.",
        "The row has {cells} cells, but the header has {columns} columns.",
        cells,
    )
    if columns == 1:
        reason = _("The row has {cells} cells, but the header has one column.")
    return RecordError(RAW, reason.format(cells=cells, columns=columns))


def _test(type: FieldType) -> _Test | None:
    """The check for a non-empty text in a field of this type; None if any text is valid."""
    if type is FieldType.IMAGE_URL:
        return is_https_url
    if type in MEDIA_EXTENSIONS:
        return partial(is_media_url, extensions=MEDIA_EXTENSIONS[type])
    return None


def _reader(type: FieldType) -> _Reader:
    """The function that validates and converts values for a field of this type."""
    test = _test(type)
    if type is FieldType.TEXT:
        return _text
    if test is None:
        return _plain
    if type is FieldType.IMAGE_URL:
        message = _("The value must be an absolute https URL, such as https://example.com/cat.png.")
        return _url_reader(test, message, may_be_empty=False)
    text = _("The value must be an absolute http or https URL whose path ends in {extensions}.")
    message = text.format(extensions=" / ".join(MEDIA_EXTENSIONS[type]))
    return _url_reader(test, message, may_be_empty=True)


def _url_reader(test: _Test, message: str, *, may_be_empty: bool) -> _Reader:
    def address(value: Json) -> str:
        if isinstance(value, str) and (test(value) or (may_be_empty and not value)):
            return value if value.isascii() else _valid_unicode(value)
        raise _InvalidValue(message)

    return address


def _text(value: Json) -> str:
    """Text unchanged; numbers and booleans as JSON text."""
    if isinstance(value, str):
        return value if value.isascii() else _valid_unicode(value)
    return json.dumps(_plain(value))


def _plain(value: Json) -> Value:
    """Text, a number or a boolean unchanged."""
    if isinstance(value, str):
        return value if value.isascii() else _valid_unicode(value)
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise _InvalidValue(_("The value must be text, a number, true or false."))


def _valid_unicode(text: str) -> str:
    if is_valid_unicode(text):
        return text
    raise _InvalidValue(_("The text contains an invalid character (not valid UTF-8). Type it again."))
