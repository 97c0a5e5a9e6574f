"""Reads streams of compound files, which `.xls` files are: [MS-CFB]."""

import struct
from array import array
from pathlib import Path
from typing import NamedTuple

_SIGNATURE = bytes.fromhex("D0CF11E0A1B11AE1")
_HEADER_BYTES, _ENTRY_BYTES = 512, 128
_STREAM, _ROOT = 2, 5
_NO_SECTOR = 0xFFFFFFFA
"""Numbers of sectors from this one on mean something else."""


def compound_stream(path: Path, name: str) -> bytes:
    """The content of a stream; empty if the file is none of this type, damaged, or has no such stream.

    Raises:
        OSError: it cannot be read.
    """
    file = path.read_bytes()
    if not file.startswith(_SIGNATURE):
        return b""
    try:
        return _CompoundFile(file).stream(name)
    except (struct.error, IndexError):
        return b""


class _Entry(NamedTuple):
    name: str
    kind: int
    first_sector: int
    size: int


class _CompoundFile:
    """A file of sectors: a stream is a chain of sectors, or of small ones in the stream of the root."""

    def __init__(self, file: bytes) -> None:
        self._file = file
        self._shift, self._small_shift = struct.unpack_from("<HH", file, 30)
        directory, _signature, self._smallest, self._small_chain, _count, more, _count = struct.unpack_from(
            "<7I", file, 48
        )
        self._next = self._chains(more)
        self._entries = [*map(_entry, _pieces(self._content(directory), _ENTRY_BYTES))]

    def stream(self, name: str) -> bytes:
        """The content of a stream; empty if there is none."""
        for entry in self._entries:
            if entry.kind == _STREAM and entry.name == name:
                is_small = entry.size < self._smallest
                content = self._small_content if is_small else self._content
                return content(entry.first_sector)[: entry.size]
        return b""

    def _sector(self, number: int) -> bytes:
        return self._file[(number + 1) << self._shift : (number + 2) << self._shift]

    def _chains(self, more: int) -> "array[int]":
        """The next sector of each sector; where this table is stands in the header and in further sectors."""
        tables = _numbers(self._file[76:_HEADER_BYTES])
        for _sector in range(len(self._file) >> self._shift):
            if more >= _NO_SECTOR:
                break
            listed = _numbers(self._sector(more))
            more = listed.pop()
            tables += listed
        return _numbers(b"".join(map(self._sector, (table for table in tables if table < _NO_SECTOR))))

    def _content(self, number: int) -> bytes:
        return b"".join(map(self._sector, _chain(number, self._next)))

    def _small_content(self, number: int) -> bytes:
        root = next(entry for entry in self._entries if entry.kind == _ROOT)
        pieces = [*_pieces(self._content(root.first_sector), 1 << self._small_shift)]
        return b"".join(pieces[at] for at in _chain(number, _numbers(self._content(self._small_chain))))


def _numbers(content: bytes) -> "array[int]":
    return array("I", content[: len(content) & ~3])


def _chain(number: int, next_sectors: "array[int]") -> list[int]:
    """The numbers of a chain; one that is a circle ends after as many as there are."""
    chain = list[int]()
    while number < _NO_SECTOR and len(chain) < len(next_sectors):
        chain.append(number)
        number = next_sectors[number]
    return chain


def _pieces(content: bytes, size: int) -> list[bytes]:
    return [content[start : start + size] for start in range(0, len(content) - size + 1, size)]


def _entry(content: bytes) -> _Entry:
    length, kind = struct.unpack_from("<HB", content, 64)
    first_sector, size = struct.unpack_from("<II", content, 116)
    return _Entry(content[: max(0, length - 2)].decode("utf-16-le", "replace"), kind, first_sector, size)
