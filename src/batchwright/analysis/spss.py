"""Writes SPSS system files (`.sav`) with variable labels and value labels.

The library that writes them, pyreadstat, needs a data frame library, such as pandas or Polars, which is
large. The tests read the files with pyreadstat. Format: the PSPP developer's guide, “System file format”.
"""

import struct
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from batchwright.analysis.wide_format import WideColumn

MAX_TEXT_BYTES = 4000
"""Longer texts are truncated; they are complete in the other files."""
_MAX_LABEL_BYTES = 120
_SHORT_WIDTH = 255
_SEGMENT_WIDTH = 252
"""Bytes by which a text of more than 255 bytes is divided into segments, which have 255 bytes each."""
_MISSING = -struct.unpack("<d", b"\xff\xff\xff\xff\xff\xff\xef\x7f")[0]
_LOWEST = np.nextafter(_MISSING, 0.0)
_NUMBER_FORMAT = 5 << 16 | 12 << 8 | 6
_BLOCK_ROWS = 10_000


class _Variable:
    """A column with its place in the file."""

    def __init__(self, column: WideColumn, number: int, position: int) -> None:
        self.column = column
        self.short_name = f"V{number}"
        self.position = position
        """The number of its first segment of 8 bytes, from 1."""
        texts = [] if column.is_number else [_cut(value, MAX_TEXT_BYTES) for value in column.values]
        self.texts = texts
        self.width = 0 if column.is_number else max((len(text) for text in texts), default=1) or 1

    @property
    def segments(self) -> list[int]:
        """The widths of the variables that a text is stored in; 0 for a number."""
        if self.width <= _SHORT_WIDTH:
            return [self.width]
        count = -(-self.width // _SEGMENT_WIDTH)
        return [_SHORT_WIDTH] * (count - 1) + [self.width - (count - 1) * _SEGMENT_WIDTH]

    @property
    def size(self) -> int:
        """The number of its segments of 8 bytes."""
        return sum(max(1, -(-width // 8)) for width in self.segments)


def sav_file(columns: Sequence[WideColumn]) -> bytes:
    """Return the columns as an SPSS system file without creation time."""
    variables: list[_Variable] = []
    position = 1
    for number, column in enumerate(columns, start=1):
        variables.append(_Variable(column, number, position))
        position += variables[-1].size
    rows = len(columns[0].values) if columns else 0
    parts = [_header(position - 1, rows)]
    parts += (record for variable in variables for record in _variable_records(variable))
    parts += (_value_labels(variable) for variable in variables if variable.column.value_labels)
    parts += _information(variables)
    parts.append(struct.pack("<ii", 999, 0))
    parts += _data(variables, rows)
    return b"".join(parts)


def _header(size: int, rows: int) -> bytes:
    product = b"@(#) SPSS DATA FILE Batchwright".ljust(60)
    counts = struct.pack("<iiiiid", 2, size, 0, 0, rows, 100.0)
    return b"$FL2" + product + counts + b"01 Jan 7000:00:00" + b"".ljust(64) + b"\0\0\0"


def _variable_records(variable: _Variable) -> Iterator[bytes]:
    """Yield the records of a variable: one per segment of a long text, each with its continuations."""
    for number, width in enumerate(variable.segments):
        label = _cut(variable.column.label, _MAX_LABEL_BYTES * 2) if number == 0 else b""
        form = _NUMBER_FORMAT if variable.column.is_number else 1 << 16 | width << 8
        name = variable.short_name if number == 0 else f"{variable.short_name}S{number}"
        yield struct.pack("<iiiiii8s", 2, width, int(bool(label)), 0, form, form, name.encode().ljust(8))
        if label:
            yield struct.pack("<i", len(label)) + _padded(label, 4)
        for _continuation in range(-(-width // 8) - 1):
            yield struct.pack("<iiiiii8s", 2, -1, 0, 0, 0, 0, b"".ljust(8))


def _value_labels(variable: _Variable) -> bytes:
    labels: Mapping[float, str] = variable.column.value_labels
    content = struct.pack("<ii", 3, len(labels))
    for value, text in labels.items():
        label = _cut(text, _MAX_LABEL_BYTES)
        content += struct.pack("<d", value) + _padded(bytes([len(label)]) + label, 8)
    return content + struct.pack("<iii", 4, 1, variable.position)


def _information(variables: Sequence[_Variable]) -> Iterator[bytes]:
    """Yield the records about numbers, names, long texts and encoding."""
    yield struct.pack("<iiii8i", 7, 3, 4, 8, 1, 0, 0, -1, 1, 1, 2, 65001)
    yield struct.pack("<iiii3d", 7, 4, 8, 3, _MISSING, -_MISSING, _LOWEST)
    names = "\t".join(f"{variable.short_name}={variable.column.name}" for variable in variables)
    yield _text_record(13, names.encode())
    long = [variable for variable in variables if variable.width > _SHORT_WIDTH]
    if long:
        widths = "".join(f"{variable.short_name}={variable.width:05}\0\t" for variable in long)
        yield _text_record(14, widths.encode())
    yield _text_record(20, b"UTF-8")


def _text_record(kind: int, content: bytes) -> bytes:
    return struct.pack("<iiii", 7, kind, 1, len(content)) + content


def _data(variables: Sequence[_Variable], rows: int) -> Iterator[bytes]:
    """Yield the rows, uncompressed."""
    for start in range(0, rows, _BLOCK_ROWS):
        end = min(start + _BLOCK_ROWS, rows)
        columns = [_cells(variable, start, end) for variable in variables]
        yield b"".join(cell for row in zip(*columns, strict=True) for cell in row)


def _cells(variable: _Variable, start: int, end: int) -> list[bytes]:
    if variable.column.is_number:
        return [
            struct.pack("<d", _MISSING if value is None else value)
            for value in variable.column.values[start:end]
        ]
    return [_text_cell(text, variable.segments) for text in variable.texts[start:end]]


def _text_cell(text: bytes, segments: Sequence[int]) -> bytes:
    """Return a text in its segments, each padded with spaces to a multiple of 8 bytes."""
    if len(segments) == 1:
        return text.ljust(-(-segments[0] // 8) * 8)
    parts = [
        text[number * _SHORT_WIDTH : (number + 1) * _SHORT_WIDTH].ljust(-(-width // 8) * 8)
        for number, width in enumerate(segments)
    ]
    return b"".join(parts)


def _cut(text: str | None, most: int) -> bytes:
    """Encode a text and cut it between characters."""
    content = (text or "").encode("utf-8", "replace")
    return content if len(content) <= most else content[:most].decode("utf-8", "ignore").encode()


def _padded(content: bytes, multiple: int) -> bytes:
    return content + b"\0" * (-len(content) % multiple)
