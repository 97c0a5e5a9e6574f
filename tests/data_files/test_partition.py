"""The accepted and the rejected records of a file as files of their own."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.data_files.checking import check_file
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.partition import (
    original_record_index,
    write_accepted,
    write_rejected,
    write_selected,
)
from batchwright.data_files.reader import rows
from batchwright.schema.model import Schema
from tests.data_files.files import CSV, JSONL, csv_text, schema, write_file

STRICT = schema(strict=True, a="text", b="image_url")
TABLE = [
    ("a", "b", "more"),
    ("one\nline more", "https://example.org/1.png", "x"),
    ("two", "http://example.org/2.png", "y"),
    ("", "https://example.org/3.png", "z"),
    ('four "quoted", yes', "https://example.org/4.png", ""),
]


def ignore(_read: int, _total: int) -> None:
    """Discard the progress."""


def partition(path: Path, form: Format, schema: Schema) -> tuple[Path, int, Path, int]:
    accepted_path, rejected_path = path.with_name("good"), path.with_name("bad")
    return (
        accepted_path,
        write_accepted(path, form, schema, accepted_path, ignore),
        rejected_path,
        write_rejected(path, form, schema, rejected_path, ignore),
    )


def test_the_accepted_file_contains_exactly_the_valid_records(tmp_path: Path) -> None:
    accepted_path, accepted, _rejected_path, _rejected = partition(
        write_file(tmp_path, csv_text(TABLE)), CSV, STRICT
    )
    assert accepted == 2
    assert [entry.content for entry in rows(accepted_path, CSV)] == [list(TABLE[1]), list(TABLE[4])]
    assert check_file(accepted_path, CSV, STRICT).rejected == 0


def test_the_rejected_file_contains_the_original_rows_and_the_header(tmp_path: Path) -> None:
    text = csv_text(TABLE, ending="\n")
    _accepted_path, _accepted, rejected_path, rejected = partition(write_file(tmp_path, text), CSV, STRICT)
    assert rejected == 2
    assert (
        rejected_path.read_text()
        == '"a","b","more"\n"two","http://example.org/2.png","y"\n"","https://example.org/3.png","z"\n'
    )


def test_the_accepted_file_has_a_format_that_the_service_accepts(tmp_path: Path) -> None:
    foreign = Format(FormatKind.CSV, "cp1252", ";")
    path = write_file(tmp_path, csv_text([("a", "b"), ("Zoë", "https://e.org/1.png")], ";").encode("cp1252"))
    accepted_path, accepted, _rejected_path, rejected = partition(path, foreign, STRICT)
    assert (accepted, rejected) == (1, 0)
    assert accepted_path.read_text(encoding="utf-8") == "a,b\nZoë,https://e.org/1.png\n"
    assert check_file(accepted_path, CSV, STRICT).accepted == 1


def test_the_accepted_file_has_a_header_even_if_the_original_has_none(tmp_path: Path) -> None:
    path = write_file(tmp_path, "x,y\n")
    request = schema(column_1="text", column_2="text")
    accepted_path, accepted, _rejected_path, _rejected = partition(
        path, Format(FormatKind.CSV, header=False), request
    )
    assert accepted == 1
    assert accepted_path.read_text().splitlines() == ["column_1,column_2", "x,y"]


def test_unreadable_rows_are_rejected(tmp_path: Path) -> None:
    path = write_file(tmp_path, 'a,b\n"x"y,z\n1,2\n')
    _accepted_path, accepted, rejected_path, rejected = partition(path, CSV, schema(a="text", b="text"))
    assert (accepted, rejected) == (1, 1)
    assert rejected_path.read_text() == 'a,b\n"x"y,z\n'


def test_json_lines_are_partitioned(tmp_path: Path) -> None:
    path = write_file(tmp_path, '{"a": "x", "more": [1]}\nno json\n\n{"a": null}\n{"a": "y"}', "r.jsonl")
    accepted_path, accepted, rejected_path, rejected = partition(path, JSONL, schema(strict=True, a="text"))
    assert (accepted, rejected) == (2, 2)
    assert [entry.content for entry in rows(accepted_path, JSONL)] == [{"a": "x", "more": [1]}, {"a": "y"}]
    assert "no json" in rejected_path.read_text()
    assert '{"a": null}' in rejected_path.read_text()


def test_undecodable_bytes_in_other_columns_are_copied_unchanged(tmp_path: Path) -> None:
    path = write_file(tmp_path, b"a,more\nx,\xff\n")
    accepted_path, accepted, _rejected_path, _rejected = partition(path, CSV, schema(a="text"))
    assert accepted == 1
    assert b"x,\xff" in accepted_path.read_bytes()


@given(st.sets(st.integers(0, 60)), st.integers(0, 60))
def test_the_original_of_a_rejected_record_can_be_read(omitted: set[int], expected: int) -> None:
    others = [record for record in range(200) if record not in omitted]
    assert original_record_index(sorted(omitted), expected) == others[expected]


@pytest.mark.parametrize("kind", list(FormatKind))
def test_a_partition_without_records_is_an_empty_file(tmp_path: Path, kind: FormatKind) -> None:
    content = "a\nx\n" if kind is FormatKind.CSV else '{"a": "x"}\n'
    path = write_file(tmp_path, content, f"t.{kind}")
    _accepted_path, accepted, rejected_path, rejected = partition(path, Format(kind), schema(a="text"))
    assert (accepted, rejected) == (1, 0)
    assert rejected_path.read_text() == ("a\n" if kind is FormatKind.CSV else "")


def test_selected_records_are_written_byte_for_byte_below_the_header(tmp_path: Path) -> None:
    path, target = tmp_path / "records.csv", tmp_path / "some.csv"
    path.write_bytes(b'a,b\r\n1,"x\r\ny"\r\n2,z\r\n3,"last"')
    assert write_selected(path, CSV, (0, 2), target, lambda *_progress: None) == 2
    assert target.read_bytes() == b'a,b\r\n1,"x\r\ny"\r\n3,"last"'
