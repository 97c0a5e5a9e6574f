"""Detecting the format of a file from its first bytes."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from batchwright.data_files.file_types import SAMPLE_BYTES
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.reader import rows
from batchwright.data_files.rows import EmptyFile, UnreadableFile
from batchwright.data_files.text_rows.encodings import detect_encoding
from batchwright.data_files.text_rows.sniffing import is_number, sniff
from tests.data_files.files import CSV, JSONL, csv_text, write_file

TABLE = [
    ["prompt", "answer", "photo"],
    ['Who said "no, never"?', "Nobody;\nor all", "https://a.example/1.png"],
    ["Où est-ce ?", "Là, là", "https://a.example/2.png"],
    ["It's here", "'Tis so", ""],
]


def sniffed(content: str | bytes, name: str = "table.csv") -> Format:
    with TemporaryDirectory() as folder:
        return sniff(write_file(Path(folder), content, name))


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("quote", ['"', "'"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_delimiter_quote_and_encoding_are_detected(
    tmp_path: Path, delimiter: str, quote: str, encoding: str
) -> None:
    path = write_file(tmp_path, csv_text(TABLE, delimiter, quote).encode(encoding))
    form = sniff(path)
    assert (form.delimiter, form.quote, form.header) == (delimiter, quote, True)
    assert [entry.content for entry in rows(path, form)] == TABLE[1:]


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        ("a,b\n1,2\n", "table.csv", CSV),
        ("a,b\n1,2\n", "table", CSV),
        ("a\n1, 2\n3, 4 and 5\n", "table.csv", CSV),
        ('{"a": 1}\n', "table.JSONL", JSONL),
        ('\n{"a": 1}\n', "table.txt", JSONL),
        ("words", "table.ndjson", JSONL),
        ('{"a": 1}\n', "table.csv", CSV),
        ("1,2\n3,4\n", "table.csv", Format(FormatKind.CSV, header=False)),
        ("https://a.example/1.png,x\n", "table.csv", Format(FormatKind.CSV, header=False)),
        (",prompt,answer\n0,a,b\n", "table.csv", CSV),
        ("year,2025,2026\n1,2,3\n", "table.csv", CSV),
    ],
)
def test_kind_and_header_are_detected(content: str, name: str, expected: Format) -> None:
    assert sniffed(content, name) == expected


def test_a_file_with_a_few_invalid_characters_is_detected_as_utf8() -> None:
    assert detect_encoding("éüß".encode() + b"\xff") == "utf-8"
    assert detect_encoding("éa".encode("latin-1")) == "cp1252"
    assert detect_encoding(b"\x81\x8da") == "latin-1"


def test_a_character_cut_at_the_end_of_the_sample_is_ignored() -> None:
    assert sniffed("a,b\n" + "x" * (SAMPLE_BYTES - 5) + "é,y\n").encoding == "utf-8"


@pytest.mark.parametrize("content", ["", " \n", "\ufeff"])
def test_an_empty_file_has_no_format(content: str) -> None:
    with pytest.raises(EmptyFile):
        sniffed(content)


_IN_ASCII = (b"%PDF-", b"BZh", b"GIF8")
"""First bytes of files that are not tables although they are ASCII letters."""


@given(st.binary(min_size=1))
@example(b"$FL2")
def test_any_other_content_has_a_format(content: bytes) -> None:
    try:
        form = sniffed(content)
    except EmptyFile:
        assert not content.decode(detect_encoding(content), "replace").removeprefix("\ufeff").strip()
    except UnreadableFile:
        assert not content.isascii() or min(content) < ord(" ") or content.startswith(_IN_ASCII)
    else:
        assert form.kind is FormatKind.CSV


def test_only_the_format_of_the_service_is_accepted() -> None:
    assert CSV.served
    assert JSONL.served
    assert not Format(FormatKind.CSV, delimiter=";").served
    assert not Format(FormatKind.JSONL, "utf-16-le").served


@pytest.mark.parametrize(
    ("name", "kind"),
    [("A.CSV", FormatKind.CSV), ("a.b.jsonl", FormatKind.JSONL), ("csv", None), ("a.zip", None)],
)
def test_the_kind_follows_from_the_file_name(name: str, kind: FormatKind | None) -> None:
    assert FormatKind.of(name) is kind


def test_numbers_are_recognised_as_people_write_them() -> None:
    assert all(map(is_number, ["1", "-1.5", "1,5", ".5", "1e-9", "+7."]))
    assert not any(map(is_number, ["", "-", ".", "one", "1 2", "1.2.3", "0x1"]))
