"""The type of a file by its name and first bytes, and the messages about files that are not tables."""

import os
import socket
from pathlib import Path
from zipfile import ZipFile

import pytest

from batchwright.data_files.file_types import SAMPLE_BYTES, TABLES, FileType, rejection, type_of
from batchwright.data_files.formats import FormatKind
from batchwright.data_files.reader import open_stream
from batchwright.data_files.rows import EmptyFile, UnreadableFile
from batchwright.data_files.text_rows.sniffing import sniff
from tests.data_files.files import write_file

NOISE = bytes(range(256)) * 20
PAGE = b'{"title": "[{", "rows": []}'


@pytest.mark.parametrize(
    ("name", "content", "type"),
    [
        ("a.batchwright", b'{"batch_items": [], "batchwright": 1}', FileType.STUDY),
        ("renamed.json", b'{"batchwright": 1, "name": "x"}', FileType.STUDY),
        ("damaged.batchwright", b'{"na', FileType.STUDY),
        ("pages.json", b"[" + PAGE + b"]", FileType.LAYOUT),
        ("pages", b"\n [\n" + PAGE + b",\n", FileType.LAYOUT),
        ("pages.json", '[{"rows": []}]'.encode("utf-16"), FileType.LAYOUT),
        ("batch.txt", b'{"name": "{", "details": {"rows": 1}, "batch_items": [', FileType.LAYOUT),
        ("none.json", b"[]", FileType.JSON),
        ("broken.json", b"hello", FileType.JSON),
        ("deep.json", b'{"a": {"batchwright": 1}, "b": [{"batch_items": []}]}', FileType.JSON_ARRAY),
        ("inside.json", b'{"meta": {"tags": ["[{"]}, "data": {"rows": [ {"a": 1}', FileType.JSON_ARRAY),
        ("grid.json", b'{"data": [[1, 2]]}', FileType.JSON_ARRAY),
        ("late.json", b'{"about": "' + b"x" * SAMPLE_BYTES + b'", "rows": [{"a": 1}]}', FileType.JSON_ARRAY),
        ("columns.json", b'{"a": {"0": 1, "1": 2}}', FileType.JSON_ARRAY),
        ("members.json", b'{"0": {"a": 1}, "1": {"a": 2}}', FileType.JSON_ARRAY),
        ("settings.json", b'{"a": {"size": 1}}', FileType.JSON),
        ("settings.json", b'{"tags": ["a", "b"], "sizes": {"x": 1}}', FileType.JSON),
        ("nested.jsonl", b'{"a": "1"}\n{"a": ["1"]}\n', FileType.NESTED_JSONL),
        ("separators.jsonl", '{"a": "x\u2028y", "b": {"c": 1}}\n'.encode(), FileType.NESTED_JSONL),
        ("records.json", b'[\n {"a": "1"},\n {"a": "2"}\n]\n', FileType.JSON_ARRAY),
        ("records.txt", b'[{"a": "1"},\n {"a": "2"}]\n', FileType.JSON_ARRAY),
        ("pages.json", b"[7, " + PAGE + b"]", FileType.LAYOUT),
        ("values.json", b"[1, 2]", FileType.JSON_ARRAY),
        ("sizes.json", b'[{"rows": 3, "a": "1"}, {"rows": 4, "a": "2"}]', FileType.JSON_ARRAY),
        ("schema.json", b'{"strict": true, "fields": {"a": {"type": "text"}}}', FileType.SCHEMA),
        ("schema.json", b'{"fields": {"a": {"type": "text"}}}', FileType.SCHEMA),
        ("fields.jsonl", b'{"fields": 1}', FileType.JSONL),
        ("collection.json", b'{"name": "x", "collection_items": []}', FileType.COLLECTION),
        ("collection.yaml", b"name: x\ncollection_items:\n- order: 0\n", FileType.COLLECTION),
        ("lines.json", b'{"a": 1}\n{"a": 2}\n', FileType.JSONL),
        ("one", b'{"a": 1}\n', FileType.JSONL),
        ("lines.NDJSON", b"words", FileType.JSONL),
        ("array.jsonl", b'[\n{"a": "1"},\n{"a": "2"}\n]\n', FileType.JSON_ARRAY),
        ("arrays.jsonl", b'["a", "b"]\n["1", "2"]\n', FileType.JSONL),
        ("table.csv", b'{"a": 1}', FileType.CSV),
        ("table.TSV", b"a\tb\n1\t2\n", FileType.CSV),
        ("table.txt", b"[a],[b]\n1,2\n", FileType.CSV),
        ("PKs.csv", b"PK,name\n1,2\n", FileType.CSV),
        ("parameters.csv", b"PAR1,PAR2\n1,2\n", FileType.CSV),
        ("features.csv", b"FEA1,FEA2\n1,2\n", FileType.CSV),
        ("notes.md", b"# Notes\n", FileType.TEXT),
        ("book.xlsx", b"PK\x03\x04" + NOISE, FileType.EXCEL),
        ("book.csv", b"PK\x03\x04" + NOISE + b"xl/workbook.xml", FileType.EXCEL),
        ("book.xls", b"\xd0\xcf\x11\xe0" + NOISE, FileType.EXCEL),
        ("book.ods", b"PK\x03\x04" + NOISE, FileType.SPREADSHEET),
        ("letter.docx", b"PK\x03\x04" + NOISE, FileType.DOCUMENT),
        ("table.parquet", b"PAR1\x15" + NOISE, FileType.PARQUET),
        ("table.db", b"SQLite format 3\0" + NOISE, FileType.DATABASE),
        ("tables.zip", b"PK\x03\x04" + NOISE, FileType.ARCHIVE),
        ("table.csv.gz", b"\x1f\x8b" + NOISE, FileType.COMPRESSED),
        ("table.arrow", b"ARROW1\0\0" + NOISE, FileType.ARROW),
        ("table.sav", b"$FL2@(#) SPSS".ljust(64) + b"\2\0\0\0" + NOISE, FileType.SPSS),
        ("prices.csv", b"$FL2,$FL3\n" + b"1,2\n" * 40, FileType.CSV),
        ("tables.7z", b"7z\xbc\xaf" + NOISE, FileType.ARCHIVE),
        ("picture.csv", b"\x89PNG\r\n\x1a\n" + NOISE, FileType.IMAGE),
        ("picture.webp", b"RIFF\0\0\0\0WEBP" + NOISE, FileType.IMAGE),
        ("clip.mp4", b"\0\0\0\x20ftypisom" + NOISE, FileType.MEDIA),
        ("paper.pdf", b"%PDF-1.7\n1 0 obj\n", FileType.PDF),
        ("page.csv", b"<!DOCTYPE html>\n<html><body>Sign in</body></html>\n", FileType.WEB_PAGE),
        ("noise.csv", NOISE, FileType.BINARY),
        ("empty.json", b"\xef\xbb\xbf \n", FileType.EMPTY),
    ],
)
def test_a_file_is_recognised_by_its_name_and_its_first_bytes(
    tmp_path: Path, name: str, content: bytes, type: FileType
) -> None:
    assert type_of(write_file(tmp_path, content, name)) is type


def test_a_real_workbook_is_recognised_by_any_name(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "book", "w") as book:
        for name in ("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"):
            book.writestr(name, "<xml/>" * 100)
    assert type_of(tmp_path / "book") is FileType.EXCEL


def test_folders_pipes_and_sockets_are_reported_without_being_read(tmp_path: Path) -> None:
    assert type_of(tmp_path) is FileType.FOLDER
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.csv")
        assert type_of(tmp_path / "pipe.csv") is FileType.SPECIAL
        with pytest.raises(UnreadableFile, match="not a regular file"), open_stream(tmp_path / "pipe.csv"):
            pass
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(tmp_path / "socket"))
            assert type_of(tmp_path / "socket") is FileType.SPECIAL
    with pytest.raises(FileNotFoundError):
        type_of(tmp_path / "missing.csv")


@pytest.mark.parametrize("type", [type for type in FileType if type not in TABLES])
def test_the_message_about_other_files_says_what_to_do(type: FileType) -> None:
    output = rejection(type, "some file")
    assert "“some file”" in output.reason
    assert output.remedy


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("answers.xlsx", b"PK\x03\x04" + NOISE, "an Excel workbook"),
        ("answers.json", b'[\n {"a": "1"}\n]\n', "a JSON file with an array"),
        ("answers.json", b'{"records": [' + b" " * 99 + b"\n]}", "one JSON value"),
        ("study.batchwright", b'{"batchwright": 1}', "is a study"),
    ],
)
def test_files_that_are_not_tables_are_reported_with_their_type(
    tmp_path: Path, name: str, content: bytes, what: str
) -> None:
    with pytest.raises(UnreadableFile, match=what) as messages:
        sniff(write_file(tmp_path, content, name))
    assert messages.value.remedy


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("one.csv", b"a,b\n1,2\nx\x00y,3\n", FormatKind.CSV),
        ("lines.json", b'{"a": 1}\n{"a": 2}\n', FormatKind.JSONL),
        ("table.txt", b"[a],[b]\n1,2\n", FormatKind.CSV),
        ("lines.jsonl", b'{"a": 1}\nno JSON\n', FormatKind.JSONL),
        ("PKs.csv", b"PK,name\n1,2\n", FormatKind.CSV),
        ("page.csv", b"page\n<html>\n", FormatKind.CSV),
    ],
)
def test_text_files_are_read_as_tables(tmp_path: Path, name: str, content: bytes, kind: FormatKind) -> None:
    assert sniff(write_file(tmp_path, content, name)).kind is kind


def test_the_message_about_an_empty_file_says_what_to_do() -> None:
    assert "Write records into it" in EmptyFile().remedy


def test_the_message_about_an_empty_study_does_not_mention_records() -> None:
    assert rejection(FileType.EMPTY, "cats.batchwright").remedy.startswith(
        "Choose a study, a layout, a collection, or"
    )


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".txt", ""])
@pytest.mark.parametrize("unit", ['"\\', '\\"', '[{"', "[", '{"a', '"', "{", '{"a":"\\\n', "\n "])
def test_no_text_takes_more_time_than_another(unit: str, suffix: str, tmp_path: Path) -> None:
    """With a search of the rest after each quotation mark, one of these would take minutes."""
    path = tmp_path / f"file{suffix}"
    path.write_text("{" + unit * (2 * SAMPLE_BYTES // len(unit)))
    type_of(path)
    path.write_text("[" + unit * (2 * SAMPLE_BYTES // len(unit)))
    type_of(path)
