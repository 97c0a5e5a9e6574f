"""Compressed files and ZIP archives as sources: their tables, and what is refused."""

import bz2
import gzip
import json
import lzma
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from batchwright.base.json_values import Json
from batchwright.data_files import archive_members
from batchwright.data_files.file_types import FileType, type_of
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.sources.source import SourceOptions
from tests.data_files.conversion.test_convert import workbook
from tests.data_files.sources.tables import choices, converted, records
from tests.data_files.sources.test_parquet import FIRST, SECOND, TABLE

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".zst": zstd.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}


@pytest.mark.parametrize("suffix", COMPRESS)
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("table.csv", "id,text\n007,“x”\n008,\n"),
        ("excel.csv", "sep=;\nid;text\n007;“x”\n008;\n"),
        ("table.tsv", "id\ttext\n007\t“x”\n008\t\n"),
        ("table", "id;text\n007;“x”\n008;\n"),
        ("table.jsonl", '{"id": "007", "text": "“x”"}\n{"id": "008"}\n'),
        ("table.json", '[{"id": "007", "text": "“x”"}, {"id": "008"}]'),
    ],
)
def test_texts_in_compressed_files_are_read(tmp_path: Path, suffix: str, name: str, content: str) -> None:
    path = tmp_path / f"{name}{suffix}"
    path.write_bytes(COMPRESS[suffix](content.encode()))
    assert type_of(path) is FileType.COMPRESSED
    assert records(path) == [{"id": "007", "text": "“x”"}, {"id": "008"}]


def test_other_sources_in_compressed_files_are_read(tmp_path: Path) -> None:
    TABLE.write_parquet(tmp_path / "table.parquet")
    path = tmp_path / "table.parquet.gz"
    path.write_bytes(gzip.compress((tmp_path / "table.parquet").read_bytes()))
    assert records(path) == [FIRST, SECOND, {}]


def test_a_file_of_an_archive_is_chosen(tmp_path: Path) -> None:
    path = tmp_path / "tables.zip"
    book = workbook(tmp_path / "book.xlsx", [["a"], ["x"]])
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.md", "# Tables")
        archive.writestr("__MACOSX/._a.csv", "noise")
        archive.writestr("data/a.csv", "a\n1\n2\n")
        archive.write(book, "data/b.xlsx")
    assert records(path) == [{"a": "1"}, {"a": "2"}]
    assert choices(path)["member"] == ["data/a.csv", "data/b.xlsx"]
    chosen = SourceOptions(member="data/b.xlsx")
    assert records(path, chosen) == [{"a": "x"}]
    assert {"member", "sheet", "header_row"} <= choices(path, chosen).keys()


def test_lines_with_another_number_of_cells_are_rejected_at_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "table.csv.gz"
    path.write_bytes(gzip.compress(b'a,b\n1,2\n3\n4,5,6\n"7"x,8\n9,10\n'))
    found, result = converted(path)
    good: Json = {"a": "1", "b": "2"}
    values: list[Json] = [*found]
    assert [values[0], values[1], values[2]] == [good, ["3"], ["4", "5", "6"]]
    assert "quotation mark" in str(values[3])
    assert dict(found[4]) == {"a": "9", "b": "10"}
    assert result.records == 5
    assert result.notes == (
        "3 lines are rejected, because they have another number of cells or are damaged: 3, 4 and 5.",
    )


def test_encoding_delimiter_and_header_of_a_table_in_an_archive_are_chosen(tmp_path: Path) -> None:
    path = tmp_path / "tables.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", "Modell,,id\nA|ü,B,\nja,nein,007\n".encode("cp1252"))
    offered = choices(path)
    assert offered["delimiter"][0] == ","
    assert {"utf-8", "cp1252", "cp932"} < {*offered["encoding"]}
    assert offered["header_rows"] == [1, 2, 0]
    two = SourceOptions(header_rows=2, encoding="cp1252")
    assert records(path, two) == [{"Modell A|ü": "ja", "Modell B": "nein", "id": "007"}]
    first: Json = records(path, SourceOptions(delimiter="|", encoding="cp1251"))[0]
    assert first == ["A", "ь,B,"]
    assert records(path, SourceOptions(header_rows=0, encoding="cp1252"))[0] == {
        "column_1": "Modell",
        "column_3": "id",
    }


def test_archives_with_answers_or_without_tables_are_no_sources(tmp_path: Path) -> None:
    for name, members in {"export.zip": ["batch.json", "responses.jsonl"], "photos.zip": ["a.png"]}.items():
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for member in members:
                archive.writestr(member, "x")
        assert type_of(tmp_path / name) is FileType.ARCHIVE


def test_a_file_that_decompresses_to_far_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_members, "_LIKELY_BYTES", 1 << 17)
    content = json.dumps([{"a": "x" * 1000}] * 1000).encode()
    (tmp_path / "bomb.json.gz").write_bytes(gzip.compress(content))
    (tmp_path / "bomb.csv.gz").write_bytes(gzip.compress(b"a,b\n" * 300_000))
    for name in ("bomb.json.gz", "bomb.csv.gz"):
        with pytest.raises(UnreadableFile, match="far too much data"):
            records(tmp_path / name)


@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_damaged_file_is_named(tmp_path: Path, suffix: str) -> None:
    content = COMPRESS[suffix]("".join(f"{number},{number**7}\n" for number in range(20_000)).encode())
    path = tmp_path / f"table.csv{suffix}"
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(UnreadableFile, match="damaged"):
        records(path)
    path.write_bytes(content[: len(content) // 2] + b"noise" * 99 + content[len(content) // 2 + 495 :])
    with pytest.raises(UnreadableFile, match="damaged"):
        records(path)


def test_a_file_in_an_archive_that_is_protected_by_a_password_is_named(tmp_path: Path) -> None:
    path = tmp_path / "tables.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", "a\n1\n")
    content = bytearray(path.read_bytes())
    for sign, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(sign) + place] |= 1
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match="encrypted"):
        records(path)
