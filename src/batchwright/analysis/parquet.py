"""Writes Parquet files: text and number columns, compressed with gzip.

DuckDB would add 68 MB to the program for this; the wheel of Polars alone has 54 MB. The tests read the files
with DuckDB. Format: https://parquet.apache.org/docs/file-format/.
"""

import gzip
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

_MAGIC = b"PAR1"
_ROWS_PER_GROUP = 100_000
_DOUBLE, _BYTE_ARRAY = 5, 6
_PLAIN, _RLE = 0, 3
_GZIP = 2
_OPTIONAL = 1
_UTF8 = 0
_I32, _I64, _BINARY, _LIST, _STRUCT = 5, 6, 8, 9, 12
"""Types of the compact protocol of Thrift."""
_SHORT_LIST = 15


class ParquetColumn(Protocol):
    """A column: name, values with None for a missing one, and whether all values are numbers."""

    @property
    def name(self) -> str:
        """The name."""

    @property
    def values(self) -> list[Any]:
        """The values."""

    @property
    def is_number(self) -> bool:
        """Whether values are numbers; otherwise texts."""


@dataclass(frozen=True)
class _Chunk:
    """A column of one row group as written to the file."""

    offset: int
    values: int
    size: int
    uncompressed_size: int


def parquet_file(columns: Sequence[ParquetColumn], creator: str) -> bytes:
    """Return the columns as a Parquet file; `creator` is recorded as the program that wrote it."""
    content = bytearray(_MAGIC)
    rows = len(columns[0].values) if columns else 0
    groups: list[list[_Chunk]] = []
    for start in range(0, rows, _ROWS_PER_GROUP):
        chunks = []
        for column in columns:
            values = column.values[start : start + _ROWS_PER_GROUP]
            page, uncompressed_size = _page(values, is_number=column.is_number)
            chunks.append(_Chunk(len(content), len(values), len(page), uncompressed_size))
            content += page
        groups.append(chunks)
    footer = _footer(columns, rows, groups, creator)
    return bytes(content) + footer + struct.pack("<I", len(footer)) + _MAGIC


def _page(values: Sequence[Any], *, is_number: bool) -> tuple[bytes, int]:
    """Return a data page with its header, and its size without compression."""
    given = [value for value in values if value is not None]
    if is_number:
        data = struct.pack(f"<{len(given)}d", *given)
    else:
        texts = [str(value).encode("utf-8", "replace") for value in given]
        data = b"".join(part for text in texts for part in (struct.pack("<I", len(text)), text))
    levels = _levels(np.array([value is not None for value in values], dtype=bool))
    raw = levels + data
    packed = gzip.compress(raw, mtime=0)
    page_header = _struct(
        (1, _I32, _zigzag(0)),
        (2, _I32, _zigzag(len(raw))),
        (3, _I32, _zigzag(len(packed))),
        (
            5,
            _STRUCT,
            _struct(
                (1, _I32, _zigzag(len(values))),
                (2, _I32, _zigzag(_PLAIN)),
                (3, _I32, _zigzag(_RLE)),
                (4, _I32, _zigzag(_RLE)),
            ),
        ),
    )
    return page_header + packed, len(page_header) + len(raw)


def _levels(is_given: np.ndarray) -> bytes:
    """Return which values are given, as one bit-packed run."""
    bits = bytes(np.packbits(is_given, bitorder="little"))
    run = _varint(len(bits) << 1 | 1) + bits
    return struct.pack("<I", len(run)) + run


def _footer(
    columns: Sequence[ParquetColumn], rows: int, groups: Sequence[Sequence[_Chunk]], creator: str
) -> bytes:
    root = _struct((4, _BINARY, _text("schema")), (5, _I32, _zigzag(len(columns))))
    schema = [root, *map(_schema_element, columns)]
    return _struct(
        (1, _I32, _zigzag(1)),
        (2, _LIST, _list(schema)),
        (3, _I64, _zigzag(rows)),
        (4, _LIST, _list([_row_group(columns, chunks) for chunks in groups])),
        (6, _BINARY, _text(creator)),
    )


def _schema_element(column: ParquetColumn) -> bytes:
    kind = (1, _I32, _zigzag(_DOUBLE if column.is_number else _BYTE_ARRAY))
    named = (kind, (3, _I32, _zigzag(_OPTIONAL)), (4, _BINARY, _text(column.name)))
    return _struct(*named) if column.is_number else _struct(*named, (6, _I32, _zigzag(_UTF8)))


def _row_group(columns: Sequence[ParquetColumn], chunks: Sequence[_Chunk]) -> bytes:
    entries = [_column_chunk(column, chunk) for column, chunk in zip(columns, chunks, strict=True)]
    size = sum(chunk.uncompressed_size for chunk in chunks)
    rows = chunks[0].values if chunks else 0
    return _struct((1, _LIST, _list(entries)), (2, _I64, _zigzag(size)), (3, _I64, _zigzag(rows)))


def _column_chunk(column: ParquetColumn, chunk: _Chunk) -> bytes:
    encodings = bytes([2 << 4 | _I32]) + _zigzag(_PLAIN) + _zigzag(_RLE)
    metadata = _struct(
        (1, _I32, _zigzag(_DOUBLE if column.is_number else _BYTE_ARRAY)),
        (2, _LIST, encodings),
        (3, _LIST, bytes([1 << 4 | _BINARY]) + _text(column.name)),
        (4, _I32, _zigzag(_GZIP)),
        (5, _I64, _zigzag(chunk.values)),
        (6, _I64, _zigzag(chunk.uncompressed_size)),
        (7, _I64, _zigzag(chunk.size)),
        (9, _I64, _zigzag(chunk.offset)),
    )
    return _struct((2, _I64, _zigzag(chunk.offset)), (3, _STRUCT, metadata))


def _struct(*fields: tuple[int, int, bytes]) -> bytes:
    """Encode fields, given by id, type and content, in ascending order of ids."""
    content, previous = bytearray(), 0
    for id, kind, value in fields:
        content.append((id - previous) << 4 | kind)
        content += value
        previous = id
    content.append(0)
    return bytes(content)


def _list(structs: Sequence[bytes]) -> bytes:
    count = len(structs)
    header = (
        bytes([count << 4 | _STRUCT])
        if count < _SHORT_LIST
        else bytes([_SHORT_LIST << 4 | _STRUCT]) + _varint(count)
    )
    return header + b"".join(structs)


def _text(text: str) -> bytes:
    content = text.encode("utf-8", "replace")
    return _varint(len(content)) + content


def _zigzag(number: int) -> bytes:
    return _varint(number << 1 if number >= 0 else (-number << 1) - 1)


def _varint(number: int) -> bytes:
    content = bytearray()
    while number > 0x7F:
        content.append(number & 0x7F | 0x80)
        number >>= 7
    content.append(number)
    return bytes(content)
