"""Files that are no tables are told for what they are."""

import os
from pathlib import Path

import pytest

from batchwright.tables.entries import Empty, Unreadable
from batchwright.tables.formats import Kind
from batchwright.tables.sniffing import SAMPLE, sniff
from tests.tables.tables import written

NOISE = bytes(range(256)) * 20


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("answers.xlsx", b"PK\x03\x04" + NOISE, "a workbook"),
        ("answers.xls", b"\xd0\xcf\x11\xe0" + NOISE, "a workbook"),
        ("answers.zip", b"PK\x03\x04" + NOISE, "an archive"),
        ("answers.csv.gz", b"\x1f\x8b" + NOISE, "an archive"),
        ("picture.csv", b"\x89PNG\r\n\x1a\n" + NOISE, "a picture"),
        ("paper.pdf", b"%PDF-1.7\n1 0 obj\n", "a PDF document"),
        ("answers.parquet", b"PAR1" + NOISE, "a database"),
        ("answers.csv", NOISE, "holds no text"),
        ("answers.jsonl", NOISE, "holds no text"),
        ("answers.csv", b"<!DOCTYPE html>\n<html><body>Sign in</body></html>\n", "a web page"),
        ("answers.json", b'[\n {"a": "1"},\n {"a": "2"}\n]\n', "one JSON value"),
        ("answers.txt", b'[{"a": "1"},\n {"a": "2"}]\n', "one JSON value"),
        ("answers.json", b'{"records": [' + b" " * SAMPLE + b"\n]}", "one JSON value"),
    ],
)
def test_what_is_no_table_is_told_for_what_it_is(
    tmp_path: Path, name: str, content: bytes, what: str
) -> None:
    with pytest.raises(Unreadable, match=what) as told:
        sniff(written(tmp_path, content, name))
    assert told.value.remedy


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("one.csv", b"a,b\n1,2\nx\x00y,3\n", Kind.CSV),
        ("lines.json", b'{"a": 1}\n{"a": 2}\n', Kind.JSONL),
        ("table.txt", b"[a],[b]\n1,2\n", Kind.CSV),
        ("lines.jsonl", b'{"a": 1}\nno JSON\n', Kind.JSONL),
        ("PKs.csv", b"PK,name\n1,2\n", Kind.CSV),
        ("page.csv", b"page\n<html>\n", Kind.CSV),
    ],
)
def test_what_may_be_a_table_is_taken_for_one(tmp_path: Path, name: str, content: bytes, kind: Kind) -> None:
    assert sniff(written(tmp_path, content, name)).kind is kind


def test_a_folder_and_what_never_ends_are_not_read(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="is a folder"):
        sniff(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.csv")
        with pytest.raises(Unreadable, match="no ordinary file"):
            sniff(tmp_path / "pipe.csv")


def test_an_empty_file_says_what_to_do() -> None:
    assert "Write records into it" in Empty().remedy
