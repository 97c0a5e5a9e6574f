"""Cuts SPSS files into smaller ones with some of the rows, so that each row is read once.

The library reads all rows before the first one that is asked for. A piece has the dictionary of the file, and
rows from a place where the compression starts anew. The manual of GNU PSPP describes the format (“System File
Format”).
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

_HEADER_BYTES = 176
_LAYOUT_CODE, _COMPRESSION, _ROW_COUNT = 64, 72, 80
"""Positions in the header."""
_UNKNOWN = -1
_VARIABLE, _LAST_RECORD = 2, 999
_LONGEST_RECORD = 1 << 26
_ELEMENT_BYTES = 8
_BY_COMMANDS, _BY_ZLIB = 1, 2
_LITERAL, _NOTHING, _END = b"\xfd", b"\0", 252
_BLOCK_BYTES = 1 << 20
_MOST_BYTES = 1 << 24
"""Bytes of the rows of a piece, unless one row has more."""
_ZLIB_HEADER_BYTES = 24


@dataclass(frozen=True)
class _Dictionary:
    """What precedes the rows."""

    content: bytes
    """Its bytes, changed so that rows without `.zsav` compression may follow, whatever their number."""
    order: str
    """The order of bytes in numbers, as for `struct`."""
    compression: int
    elements: int
    """The number of elements of 8 bytes in a row."""


def pieces(stream: BinaryIO, first_rows: int, most_rows: int) -> Iterator[bytes]:
    """Files with the rows of a `.sav` or `.zsav` file, in order.

    The first one has about `first_rows`, each further one twice as many, up to `most_rows`.

    Raises, while pieces are read:
        ValueError: the file is damaged.
    """
    try:
        dictionary = _dictionary(stream)
        most_rows = max(1, min(most_rows, _MOST_BYTES // (dictionary.elements * _ELEMENT_BYTES)))
        rows, count = _Rows(stream, dictionary), min(first_rows, most_rows)
        while piece := rows.next(count):
            yield dictionary.content + piece
            count = min(2 * count, most_rows)
    except (struct.error, zlib.error) as error:
        raise ValueError(str(error)) from None


class _Records:
    """Reads the records before the rows, and keeps their bytes."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self.content = stream, bytearray()
        self.take(_HEADER_BYTES)
        self.order = "<" if struct.unpack_from("<i", self.content, _LAYOUT_CODE)[0] in (2, 3) else ">"

    def take(self, count: int) -> bytes:
        content = self._stream.read(count) if 0 <= count <= _LONGEST_RECORD else b""
        if len(content) != count:
            raise ValueError("the dictionary is not complete")
        self.content += content
        return content

    def numbers(self, count: int) -> tuple[int, ...]:
        return struct.unpack(f"{self.order}{count}i", self.take(4 * count))

    def skip(self, type: int) -> None:
        """Read the rest of a record of a type."""
        match type:
            case 2:  # a variable, or a further element of one
                _type, has_label, missing, _print, _write = self.numbers(5)
                self.take(_ELEMENT_BYTES)
                if has_label:
                    self.take(-(-self.numbers(1)[0] // 4) * 4)
                self.take(_ELEMENT_BYTES * abs(missing))
            case 3:  # labels of values
                for _label in range(self.numbers(1)[0]):
                    self.take(_ELEMENT_BYTES)
                    self.take((self.take(1)[0] + _ELEMENT_BYTES) // _ELEMENT_BYTES * _ELEMENT_BYTES - 1)
            case 4 | 6:  # the variables that have them; lines of a document
                self.take({4: 4, 6: 80}[type] * self.numbers(1)[0])
            case 7:
                _type, size, count = self.numbers(3)
                self.take(size * count)
            case _:
                raise ValueError("the dictionary has an unknown record")


def _dictionary(stream: BinaryIO) -> _Dictionary:
    records, elements = _Records(stream), 0
    while (type := records.numbers(1)[0]) != _LAST_RECORD:
        records.skip(type)
        elements += type == _VARIABLE
    records.take(4)
    if not elements:
        raise ValueError("there is no variable")
    content, number = records.content, struct.Struct(f"{records.order}i")
    compression = number.unpack_from(content, _COMPRESSION)[0]
    content[:4] = b"$FL2"
    number.pack_into(content, _COMPRESSION, min(compression, _BY_COMMANDS))
    number.pack_into(content, _ROW_COUNT, _UNKNOWN)
    return _Dictionary(bytes(content), records.order, compression, elements)


class _Rows:
    """The rows of a file from the current position of its stream."""

    def __init__(self, stream: BinaryIO, dictionary: _Dictionary) -> None:
        self._stream, self._elements = stream, dictionary.elements
        self._is_compressed = dictionary.compression != 0
        self._blocks = iter(lambda: stream.read(_BLOCK_BYTES), b"")
        if dictionary.compression == _BY_ZLIB:
            self._blocks = _decompressed(stream, dictionary.order)
        self._rest = b""

    def next(self, count: int) -> bytes:
        """The bytes of about so many rows, which start a new row; empty at the end."""
        if not self._is_compressed:
            return self._stream.read(count * self._elements * _ELEMENT_BYTES)
        data, at, elements, wanted = bytearray(self._rest), 0, 0, count * self._elements
        is_end = False
        while elements < wanted or elements % self._elements:
            if len(data) < at + _ELEMENT_BYTES * (1 + _ELEMENT_BYTES):
                block = b"" if is_end else next(self._blocks, b"")
                is_end = not block
                data += block
                if is_end and at >= len(data):
                    break
            commands = data[at : at + _ELEMENT_BYTES]
            elements += len(commands) - commands.count(_NOTHING)
            at += _ELEMENT_BYTES * (1 + commands.count(_LITERAL))
            if _END in commands:
                at, is_end = len(data), True
                self._blocks = iter(())
                break
        self._rest = bytes(data[at:])
        return bytes(data[:at])


def _decompressed(stream: BinaryIO, order: str) -> Iterator[bytes]:
    """The content of the compressed blocks that follow each other up to the trailer."""
    start, trailer, _length = struct.unpack(f"{order}3q", stream.read(_ZLIB_HEADER_BYTES))
    left = trailer - start - _ZLIB_HEADER_BYTES
    decompressor, rest = zlib.decompressobj(), b""
    while left > 0 or rest:
        if not rest:
            rest = stream.read(min(left, _BLOCK_BYTES))
            left -= len(rest)
            if not rest:
                raise ValueError("a compressed block is not complete")
        content = decompressor.decompress(rest, _BLOCK_BYTES)
        if content:
            yield content
        rest = decompressor.unconsumed_tail
        if decompressor.eof:
            rest, decompressor = decompressor.unused_data, zlib.decompressobj()
