"""Tables that DuckDB reads: their columns and rows as JSON values, read piece by piece."""

import json
import math
import re
from base64 import b64encode
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import duckdb

from batchwright.base.i18n import _
from batchwright.base.json_values import DECODING, InvalidJson, Json, parse
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.sources.nested_values import Records, flat_table
from batchwright.data_files.sources.source import Row, SourceOptions, SourceTable

_ROWS_AT_ONCE = 2048

_WHOLE_NUMBERS = tuple(f"{sign}{size}int" for sign in ("", "u") for size in ("tiny", "small", "big", "huge"))
_AS_THEY_ARE = frozenset(("boolean", "varchar", "integer", "uinteger", *_WHOLE_NUMBERS))
"""Types whose Python values are JSON values."""
_NESTED = frozenset(["struct", "list", "map", "array", "union", "variant", "json"])
_INNER_TYPE = re.compile(
    r""" "(?:[^"]|"")*" | '(?:[^']|'')*' | \bFLOAT\b | \bDECIMAL\(\d+,\d+\) """, re.VERBOSE
)
"""Types in a nested type whose values JSON does not contain exactly, and names, in which they can be, too."""


@contextmanager
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that stores nothing and loads nothing from the web.

    Raises:
        UnreadableFile: what is read with it in the block is damaged.
    """
    try:
        with duckdb.connect(":memory:") as connected:
            connected.execute(
                "SET threads = 1; SET TimeZone = 'UTC'; SET autoinstall_known_extensions = false"
            )
            yield connected
    except duckdb.Error as error:
        raise damaged(error) from None


def damaged(error: BaseException) -> UnreadableFile:
    """The error for a file that a library cannot read, with the first line of its message."""
    reason = str(error).partition("\n")[0]
    return UnreadableFile(
        _("The file is damaged, or of a kind that cannot be read: {reason}").format(reason=reason),
        _("Save it again with the program that created it."),
    )


def relation_table(
    connected: duckdb.DuckDBPyConnection, relation: str, options: SourceOptions, written: Sequence[str]
) -> SourceTable:
    """The table of what stands for `relation` in a query; the connection must stay open.

    `written` are the names of the columns in the file: DuckDB renames those that differ only in case.

    Numbers and texts stay as they are; decimals, dates and times are exact texts, the latter in UTC; bytes
    are text in UTF-8, or otherwise Base64; in nested values, they are text with escapes such as `\\xFF`. What
    is no number is missing. Nested values are flattened.
    """
    columns = connected.execute(f"DESCRIBE FROM {relation}").fetchall()
    names, full_types = [column[0] for column in columns], [column[1] for column in columns]
    types = [*map(_type_id, full_types)]
    connected.execute(f"SELECT {', '.join(map(_expression, names, full_types))} FROM {relation}")
    converters = {index: _CONVERTERS[type] for index, type in enumerate(types) if type in _CONVERTERS}
    rows = enumerate(_fetched(connected, converters), 1)
    names = [*written] if len({*written}) == len(names) else names
    if _NESTED.isdisjoint(types):
        return SourceTable(tuple(names), rows)
    plain = frozenset(name for name, type in zip(names, types, strict=True) if type not in _NESTED)
    return flat_table(_records(names, plain, rows), options)


def _type_id(type: str) -> str:
    """The type without its parameters, as in `decimal(18,2)` or `integer[]`."""
    return "list" if type.endswith("]") else type.partition("(")[0].lower()


def _expression(name: str, full_type: str) -> str:
    column, type = '"' + name.replace('"', '""') + '"', _type_id(full_type)
    if type in _AS_THEY_ARE or type in ("double", "blob"):
        return column
    if type in _NESTED:
        return f"to_json({_exact(column, full_type)}) AS {column}"
    return f"CAST({column} AS VARCHAR) AS {column}"


def _exact(column: str, type: str) -> str:
    """A nested value with decimals as texts, and numbers of single precision with the fewest digits."""
    texts, numbers = _with_inner(type, "VARCHAR"), _with_inner(type, "DOUBLE")
    return column if texts == type else f"CAST(CAST({column} AS {texts}) AS {numbers})"


def _with_inner(type: str, single: str) -> str:
    """A nested type with texts in place of decimals, and another type in place of FLOAT."""

    def replaced(found: re.Match[str]) -> str:
        if found[0].startswith(("'", '"')):
            return found[0]
        return single if found[0] == "FLOAT" else "VARCHAR"

    return _INNER_TYPE.sub(replaced, type)


def _fetched(
    connected: duckdb.DuckDBPyConnection, converters: "dict[int, Callable[[Any], Json]]"
) -> Iterator[Sequence[Json]]:
    while rows := connected.fetchmany(_ROWS_AT_ONCE):
        if not converters:
            yield from rows
            continue
        for row in rows:
            cells = list(row)
            for index, convert in converters.items():
                if cells[index] is not None:
                    cells[index] = convert(cells[index])
            yield cells


def _records(names: Sequence[str], plain: Container[str], rows: Iterator[Row]) -> Records:
    """The records; a plain column is listed without values, too, a nested one by what is in its values."""
    for number, cells in rows:
        values = zip(names, cells, strict=True)
        yield number, {name: cell for name, cell in values if cell is not None or name in plain}


def _finite(number: float) -> Json:
    """The number; None for NaN, which is a missing value, and a text for infinity, which JSON lacks."""
    return number if math.isfinite(number) else None if math.isnan(number) else str(number)


def _shortest(text: str) -> Json:
    """A number of single precision, which DuckDB writes with the fewest digits."""
    return _finite(float(text))


def _nested(text: str) -> Json:
    """A nested value; the text of a column with JSON if it contains what cannot be read."""
    try:
        return parse(text, decoder=_DECODER)
    except InvalidJson:
        return text


def _text_of_bytes(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return b64encode(content).decode()


_CONVERTERS: "dict[str, Callable[[Any], Json]]" = {
    "double": _finite,
    "float": _shortest,
    "blob": _text_of_bytes,
    **dict.fromkeys(_NESTED, _nested),
}
"""What is done with the Python values of a type of column."""

_DECODER = json.JSONDecoder(**{**DECODING, "parse_constant": lambda name: _finite(float(name))})
"""Reads nested values, in which DuckDB writes NaN and infinity."""
