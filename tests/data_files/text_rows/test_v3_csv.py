"""CSV files of V3 datasets, and rows without an end (wire reference, 4.7)."""

import io
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.data_files.formats import FormatKind
from batchwright.data_files.reader import read_records
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.text_rows.line_reader import BLOCK, MAX_BLANK_BYTES
from batchwright.data_files.text_rows.row_limits import MAX_ROW_CHARS
from batchwright.data_files.text_rows.v3_csv import MAX_COLUMNS, V3Table
from batchwright.schema.model import FieldType
from batchwright.schema.record_validator import RecordValidator
from tests.data_files.files import TEXTS, csv_text


class _EndlessStream(io.RawIOBase):
    """A stream of a start and endless repetitions of lines; `consumed` is the number of bytes read."""

    def __init__(self, start: bytes, lines: bytes) -> None:
        super().__init__()
        self._buffer = start
        self._lines = lines
        self.consumed = 0

    def read(self, size: int = -1, /) -> bytes:
        while len(self._buffer) < size:
            self._buffer += self._lines * (1 + size // len(self._lines))
        piece, self._buffer = self._buffer[:size], self._buffer[size:]
        self.consumed += size
        return piece


def _rows(content: bytes) -> list[object]:
    return [entry.content for entry in V3Table(io.BytesIO(content)).records()]


@pytest.mark.parametrize(
    ("name", "type"),
    [
        ("prompt", FieldType.TEXT),
        ("META_source", FieldType.METADATA),
        ("META_", FieldType.METADATA),
        ("META_TASK_GROUP_ID", FieldType.TASK_GROUP_ID),
        (" META_TASK_GROUP_ID ", FieldType.TASK_GROUP_ID),
        ("meta_source", FieldType.TEXT),
        ("xMETA_", FieldType.TEXT),
    ],
)
def test_the_type_of_a_column_follows_from_its_name(name: str, type: FieldType) -> None:
    schema = V3Table(io.BytesIO(f"a,{name}\n".encode())).schema
    assert schema.fields[name.strip()].type is type


texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=5)


@given(st.lists(st.lists(texts, min_size=3, max_size=3), max_size=5))
def test_written_rows_are_read_back(table: list[list[str]]) -> None:
    content = csv_text([["a", "META_b", "c"], *table]).encode()
    assert _rows(content) == [dict(zip(("a", "META_b", "c"), row, strict=True)) for row in table]


@given(st.lists(st.sampled_from([b"a", b",", b'"', b"\n", b"\r", b"\0", b"\xff", b"\xef\xbb\xbf", b" "])))
def test_any_bytes_are_read_or_rejected(pieces: list[bytes]) -> None:
    read: list[object] = []
    with suppress(UnreadableFile):
        read = _rows(b"".join(pieces))
    assert all(isinstance(row, dict) and all(row.values()) for row in read)


def test_the_number_and_length_of_columns_is_limited() -> None:
    names = [f"c{number}" for number in range(MAX_COLUMNS)]
    assert len(V3Table(io.BytesIO(",".join(names).encode())).schema.fields) == MAX_COLUMNS
    with pytest.raises(UnreadableFile, match=str(MAX_COLUMNS + 1)):
        V3Table(io.BytesIO(",".join([*names, "more"]).encode()))
    with pytest.raises(UnreadableFile, match="too long"):
        V3Table(io.BytesIO(b"x" * 1001))


def _as_v4(stream: io.RawIOBase) -> Iterator[object]:
    yield from read_records(stream, FormatKind.CSV, RecordValidator(TEXTS))  # type: ignore[arg-type]  # reads all it needs


def _as_v3(stream: io.RawIOBase) -> Iterator[object]:
    yield from V3Table(stream).records()  # type: ignore[arg-type]  # reads all it needs


@pytest.mark.parametrize("reading", [_as_v3, _as_v4])
@pytest.mark.parametrize("start", [b'a,b\n1,2\n3,"\n', b'"\n'], ids=["row", "header"])
def test_an_endless_row_is_rejected_in_constant_memory(reading: object, start: bytes) -> None:
    assert callable(reading)
    endless = _EndlessStream(start, b'","\n')
    with pytest.raises(UnreadableFile, match="row is longer"):
        list(reading(endless))
    assert endless.consumed < 2 * MAX_ROW_CHARS


@pytest.mark.parametrize("reading", [_as_v3, _as_v4])
def test_blank_lines_and_short_rows_do_not_add_up_to_a_long_row(reading: object) -> None:
    assert callable(reading)
    blank = (b"\r\n" * (MAX_BLANK_BYTES // 2 - BLOCK) + b"1,2\n") * (MAX_ROW_CHARS // MAX_BLANK_BYTES + 2)
    content = b"a,b\n" + blank + b"\n" * 20 + (b"x" * 2000 + b",2\n") * 6000
    assert sum(1 for _entry in reading(io.BytesIO(content))) == 6000 + MAX_ROW_CHARS // MAX_BLANK_BYTES + 2
