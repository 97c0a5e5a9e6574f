"""The accepted and the rejected records of a file as files of their own."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.data_files.checking import check_file
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.partition import original_record_index, write_accepted, write_rejected
from batchwright.data_files.reader import rows
from batchwright.schema.model import Schema
from tests.data_files.files import CSV, JSONL, csv_text, schema, written

STRICT = schema(strict=True, a="text", b="image_url")
TABLE = [
    ("a", "b", "more"),
    ("one\nline more", "https://example.org/1.png", "x"),
    ("two", "http://example.org/2.png", "y"),
    ("", "https://example.org/3.png", "z"),
    ('four "quoted", yes', "https://example.org/4.png", ""),
]


def nobody(_read: int, _total: int) -> None:
    """Nobody looks on."""


def parts(path: Path, form: Format, asked: Schema) -> tuple[Path, int, Path, int]:
    good, bad = path.with_name("good"), path.with_name("bad")
    return (
        good,
        write_accepted(path, form, asked, good, nobody),
        bad,
        write_rejected(path, form, asked, bad, nobody),
    )


def test_the_good_part_contains_just_the_records_that_would_be_accepted(tmp_path: Path) -> None:
    good, accepted, _bad, _refused = parts(written(tmp_path, csv_text(TABLE)), CSV, STRICT)
    assert accepted == 2
    assert [entry.content for entry in rows(good, CSV)] == [list(TABLE[1]), list(TABLE[4])]
    assert check_file(good, CSV, STRICT).rejected == 0


def test_the_rejected_part_is_as_it_was_written_below_the_header(tmp_path: Path) -> None:
    text = csv_text(TABLE, ending="\n")
    _good, _taken, bad, refused = parts(written(tmp_path, text), CSV, STRICT)
    assert refused == 2
    assert (
        bad.read_text()
        == '"a","b","more"\n"two","http://example.org/2.png","y"\n"","https://example.org/3.png","z"\n'
    )


def test_the_good_part_of_a_foreign_format_is_one_that_the_service_accepts(tmp_path: Path) -> None:
    foreign = Format(FormatKind.CSV, "cp1252", ";")
    path = written(tmp_path, csv_text([("a", "b"), ("Zoë", "https://e.org/1.png")], ";").encode("cp1252"))
    good, accepted, _bad, refused = parts(path, foreign, STRICT)
    assert (accepted, refused) == (1, 0)
    assert good.read_text(encoding="utf-8") == "a,b\nZoë,https://e.org/1.png\n"
    assert check_file(good, CSV, STRICT).accepted == 1


def test_a_file_without_header_gets_one(tmp_path: Path) -> None:
    path = written(tmp_path, "x,y\n")
    request = schema(column_1="text", column_2="text")
    good, accepted, _bad, _refused = parts(path, Format(FormatKind.CSV, header=False), request)
    assert accepted == 1
    assert good.read_text().splitlines() == ["column_1,column_2", "x,y"]


def test_rows_that_cannot_be_read_are_among_the_rejected(tmp_path: Path) -> None:
    path = written(tmp_path, 'a,b\n"x"y,z\n1,2\n')
    _good, accepted, bad, refused = parts(path, CSV, schema(a="text", b="text"))
    assert (accepted, refused) == (1, 1)
    assert bad.read_text() == 'a,b\n"x"y,z\n'


def test_lines_of_json_are_split_too(tmp_path: Path) -> None:
    path = written(tmp_path, '{"a": "x", "more": [1]}\nno json\n\n{"a": null}\n{"a": "y"}', "r.jsonl")
    good, accepted, bad, refused = parts(path, JSONL, schema(strict=True, a="text"))
    assert (accepted, refused) == (2, 2)
    assert [entry.content for entry in rows(good, JSONL)] == [{"a": "x", "more": [1]}, {"a": "y"}]
    assert "no json" in bad.read_text()
    assert '{"a": null}' in bad.read_text()


def test_bytes_that_are_no_text_in_columns_that_no_one_asks_for_go_out_as_they_came(tmp_path: Path) -> None:
    path = written(tmp_path, b"a,more\nx,\xff\n")
    good, accepted, _bad, _refused = parts(path, CSV, schema(a="text"))
    assert accepted == 1
    assert b"x,\xff" in good.read_bytes()


@given(st.sets(st.integers(0, 60)), st.integers(0, 60))
def test_the_original_record_is_found_among_those_that_were_omitted(left_out: set[int], kept: int) -> None:
    others = [record for record in range(200) if record not in left_out]
    assert original_record_index(sorted(left_out), kept) == others[kept]


@pytest.mark.parametrize("kind", list(FormatKind))
def test_an_empty_part_is_an_empty_file(tmp_path: Path, kind: FormatKind) -> None:
    content = "a\nx\n" if kind is FormatKind.CSV else '{"a": "x"}\n'
    path = written(tmp_path, content, f"t.{kind}")
    _good, accepted, bad, refused = parts(path, Format(kind), schema(a="text"))
    assert (accepted, refused) == (1, 0)
    assert bad.read_text() == ("a\n" if kind is FormatKind.CSV else "")
