"""Random access to the rows of a file."""

import io
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.data_files import index as index_module
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.index import IndexChunk, RowIndex, index_file
from batchwright.data_files.reader import rows
from batchwright.data_files.rows import UnreadableFile
from tests.data_files.files import CSV, JSONL, csv_text, write_file

FORMATS = [
    CSV,
    Format(FormatKind.CSV, header=False),
    Format(FormatKind.CSV, "utf-8", ";", "'"),
    Format(FormatKind.CSV, "utf-8", "\t", ""),
    Format(FormatKind.CSV, "latin-1"),
    Format(FormatKind.CSV, "utf-16-le"),
    JSONL,
]

wild_text = st.lists(
    st.sampled_from(
        [
            "a",
            "é",
            "😀",
            ",",
            ";",
            "\t",
            '"',
            "'",
            "\n",
            "\r",
            "\r\n",
            " ",
            "\0",
            "{",
            "}",
            '{"a":"é"}',
            "1\n",
        ]
    )
).map("".join)


def indexed(path: Path, form: Format) -> RowIndex:
    index = RowIndex(path, form)
    assert index_file(path, form, index.extend) == len(index)
    return index


@given(st.sampled_from(FORMATS), wild_text, st.booleans(), st.integers(0, 5))
def test_the_index_returns_the_same_rows_as_the_reader(
    form: Format, text: str, has_bom: bool, start: int
) -> None:
    bom = "\ufeff" * (has_bom and form.encoding != "latin-1")
    content = (bom + "a\n1\n" + text).encode(form.encoding, "replace")
    with TemporaryDirectory() as folder:
        index = indexed(write_file(Path(folder), content), form)
        expected = list(rows(io.BytesIO(content), form))
        assert index.rows(0, len(expected) + 1) == expected
        assert index.rows(start, 2) == expected[start : start + 2]


@given(st.binary())
def test_the_index_returns_the_same_rows_as_the_reader_for_any_bytes(content: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = write_file(Path(folder), b"a,b\n1,2\n" + content)
        expected = list(rows(path, CSV))
        index = indexed(path, CSV)
        assert [index.rows(number, 1) for number in range(len(expected))] == [[entry] for entry in expected]


def test_the_index_is_built_in_slices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "CHUNK_RECORDS", 4)
    path = write_file(tmp_path, csv_text([["a", "b"], *[[str(number), "x\ny"] for number in range(10)]]))
    index, sizes = RowIndex(path, CSV), []

    def extend(piece: IndexChunk) -> None:
        index.extend(piece)
        sizes.append(len(piece))
        assert index.rows(len(index) - 1, 5)[0].content == [str(len(index) - 1), "x\ny"]

    assert index_file(path, CSV, extend) == 10
    assert sizes == [4, 4, 2]


def test_rows_beyond_the_index_are_empty(tmp_path: Path) -> None:
    index = indexed(write_file(tmp_path, "a\n1\n2\n"), CSV)
    assert index.rows(2, 10) == []
    assert len(index.rows(1, 10)) == 1


def test_a_changed_file_is_not_read_with_its_old_index(tmp_path: Path) -> None:
    path = write_file(tmp_path, "a\n1\n2\n")
    index = indexed(path, CSV)
    write_file(tmp_path, "a\n1234\n2\n")
    with pytest.raises(UnreadableFile, match="changed"):
        index.rows(0, 1)


def test_an_unreadable_file_has_no_index(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile):
        index_file(write_file(tmp_path, ""), CSV, lambda _piece: None)
