"""Records judged against a schema: what is stored of each, or the first thing wrong with it.

Wire reference, section 4.3.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, is_object, is_valid_unicode
from batchwright.base.urls import is_https_address, is_media_address
from batchwright.schema.model import MEDIA_EXTENSIONS, FieldType, Schema

Value: TypeAlias = str | int | float | bool
Record: TypeAlias = dict[str, Value]

RAW = "_raw"
"""The field named by a fault of the whole record (wire reference, 4.6)."""


@dataclass(frozen=True, slots=True)
class RecordError:
    """Why a record is rejected: the schema key at fault, or `RAW`, and a sentence for people."""

    field: str
    reason: str


class _InvalidValue(ValueError):
    """A value is none that its field may hold; the text says why."""


_Reader: TypeAlias = Callable[[Json], Value]
_Test: TypeAlias = Callable[[str], bool]


class RecordValidator:
    """Judges records by one schema; made once, then quick.

    The first fault in the schema's order is the one reported. Keys that the schema does not know
    are ignored and not kept; a value of null is a missing one.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._columns = tuple(
            (key, _reader(field.type), _test(field.type)) for key, field in schema.fields.items()
        )
        self._no_object = RecordError(RAW, _("The record is not a JSON object."))
        self._missing = {
            key: RecordError(key, _("The field is required and missing.")) for key in schema.fields
        }

    def check(self, raw: Json) -> Record | RecordError:
        """The record as it is stored, its fields in the schema's order; or the fault."""
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
        except _InvalidValue as refused:
            return RecordError(key, str(refused))
        return record

    def renewed(self, record: JsonObject) -> tuple[Record, list[RecordError]]:
        """A stored record in the form of this schema, without what does not fit, each with its fault.

        A value that is missing is no fault here: there is nothing that could be nulled.
        """
        renewed: Record = {}
        faults: list[RecordError] = []
        for key, read, _test in self._columns:
            value = record.get(key)
            if value is None:
                continue
            try:
                renewed[key] = read(value)
            except _InvalidValue as refused:
                faults.append(RecordError(key, str(refused)))
        return renewed, faults

    def cells(self, header: Sequence[str]) -> Callable[[Sequence[str]], Record | RecordError]:
        """How to judge the rows of a CSV file with this header line.

        Header names are trimmed; an empty cell is a missing value; a zero byte is no text; a row with
        more or fewer cells than the header is a fault of the whole record.
        """
        width, places = len(header), _column_indexes(header)
        columns = tuple((key, places.get(key), read, test) for key, read, test in self._columns)
        strict, missing = self.schema.strict, self._missing

        def check(row: Sequence[str]) -> Record | RecordError:
            if len(row) != width:
                return _wrong_cell_count(len(row), width)
            record: Record = {}
            key = RAW
            try:
                for key, place, read, test in columns:
                    if place is None or not (cell := row[place]):
                        if strict:
                            return missing[key]
                    elif "\0" in cell:
                        return RecordError(key, _("The cell holds a zero byte, which no text has."))
                    elif test is None and cell.isascii():
                        record[key] = cell
                    else:
                        record[key] = read(cell)
            except _InvalidValue as refused:
                return RecordError(key, str(refused))
            return record

        return check

    def sound_cells(self, header: Sequence[str]) -> Callable[[Sequence[Sequence[str]]], bool]:
        """How to tell, column by column and quickly, that `cells` would find no fault in any of many rows."""
        width, places = len(header), _column_indexes(header)
        strict = self.schema.strict
        known = [(places[key], test) for key, _read, test in self._columns if key in places]
        lacking = strict and len(known) < len(self._columns)

        def sound(rows: Sequence[Sequence[str]]) -> bool:
            if not rows:
                return True
            if lacking or set(map(len, rows)) != {width}:
                return False
            columns = tuple(zip(*rows, strict=True))
            for place, test in known:
                column = columns[place]
                text = "".join(column)
                if (strict and "" in column) or "\0" in text or not is_valid_unicode(text):
                    return False
                if test is not None and not all(map(test, filter(None, column))):
                    return False
            return True

        return sound


def _column_indexes(header: Sequence[str]) -> dict[str, int]:
    """Where each column stands, by its trimmed name; the first of two that share one."""
    places: dict[str, int] = {}
    for place, name in enumerate(header):
        places.setdefault(name.strip(), place)
    return places


def _wrong_cell_count(cells: int, columns: int) -> RecordError:
    reason = _("The row has {cells} cells, but the header names {columns} columns.")
    return RecordError(RAW, reason.format(cells=cells, columns=columns))


def _test(type: FieldType) -> _Test | None:
    """What a field of this type asks of a text that is not empty; None where any text will do."""
    if type is FieldType.IMAGE_URL:
        return is_https_address
    if type in MEDIA_EXTENSIONS:
        return partial(is_media_address, extensions=MEDIA_EXTENSIONS[type])
    return None


def _reader(type: FieldType) -> _Reader:
    """How values of a field of this type are judged and turned into what is stored."""
    test = _test(type)
    if type is FieldType.TEXT:
        return _text
    if test is None:
        return _plain
    if type is FieldType.IMAGE_URL:
        refusal = _("The value must be an absolute https address, such as https://example.com/cat.png.")
        return _address_reader(test, refusal, may_be_empty=False)
    sentence = _("The value must be an absolute http or https address whose path ends in {extensions}.")
    refusal = sentence.format(extensions=" / ".join(MEDIA_EXTENSIONS[type]))
    return _address_reader(test, refusal, may_be_empty=True)


def _address_reader(test: _Test, refusal: str, *, may_be_empty: bool) -> _Reader:
    def address(value: Json) -> str:
        if isinstance(value, str) and (test(value) or (may_be_empty and not value)):
            return value if value.isascii() else _valid_unicode(value)
        raise _InvalidValue(refusal)

    return address


def _text(value: Json) -> str:
    """Text as it is; a number, true or false as JSON writes it."""
    if isinstance(value, str):
        return value if value.isascii() else _valid_unicode(value)
    return json.dumps(_plain(value))


def _plain(value: Json) -> Value:
    """Text, a number, true or false, kept as it is."""
    if isinstance(value, str):
        return value if value.isascii() else _valid_unicode(value)
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise _InvalidValue(_("The value must be text, a number, true or false."))


def _valid_unicode(text: str) -> str:
    if is_valid_unicode(text):
        return text
    raise _InvalidValue(_("The text contains an invalid character (not valid UTF-8). Type it again."))
