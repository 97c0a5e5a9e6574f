"""CSV files read as the service reads them (wire reference, 4.7)."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.reader import Source, checked_records, columns, rows
from batchwright.data_files.rows import EmptyFile, ParsedRecord, UnreadableFile
from batchwright.schema.record_validator import RAW, RecordValidator
from tests.data_files.files import CSV, contents, csv_records, csv_text, error_positions, schema, write_file

cell = st.text(st.characters(codec="utf-8") | st.sampled_from("\"',;\t|\r\n "), max_size=8)
tables = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(cell, min_size=width, max_size=width), min_size=1, max_size=6)
)


@given(
    tables, st.sampled_from(",;\t|é"), st.sampled_from("\"'"), st.sampled_from(["\r\n", "\n"]), st.booleans()
)
def test_rows_with_any_delimiter_and_quote_are_read_back(
    table: list[list[str]], delimiter: str, quote: str, ending: str, has_bom: bool
) -> None:
    form = Format(FormatKind.CSV, "utf-8", delimiter, quote)
    header = [f"column {number}" for number in range(len(table[0]))]
    text = "\ufeff" * has_bom + csv_text([header, *table], delimiter, quote, ending)
    read = [entry.content for entry in rows(io.BytesIO(text.encode()), form)]
    assert read == table


@given(tables)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_rows_in_any_encoding_are_read_back(encoding: str, table: list[list[str]]) -> None:
    text = "\ufeff" + csv_text([["header"], *table])
    entries = rows(io.BytesIO(text.encode(encoding)), Format(FormatKind.CSV, encoding))
    assert [entry.content for entry in entries] == table


@given(tables)
def test_records_have_the_number_of_the_line_on_which_they_start(table: list[list[str]]) -> None:
    text = csv_text([["a", "b", "c", "d"][: len(table[0])], *table], ending="\n")
    line = 2
    for entry, row in zip(rows(io.BytesIO(text.encode()), CSV), table, strict=True):
        assert entry.line == line
        line += len(io.StringIO(csv_text([row], ending="\n"), newline="").readlines())


@given(st.binary() | st.text(st.sampled_from("ab,\"'\r\n\0é")).map(str.encode))
def test_any_bytes_are_read_or_reported_as_unreadable(content: bytes) -> None:
    try:
        entries = csv_records(b"a,b\n" + content)
    except UnreadableFile as error:
        reasons = [error.reason]
    else:
        reasons = [f"{place}" for place in error_positions(entries)]
        assert [entry.record_index for entry in entries] == list(range(len(entries)))
    assert all(reasons)


def test_header_names_are_trimmed_and_a_byte_order_mark_is_skipped() -> None:
    assert contents(csv_records("\ufeffb , a\r\n1,2\r\n")) == [{"a": "2", "b": "1"}]


def test_blank_lines_are_skipped_and_counted_as_lines_only() -> None:
    entries = csv_records("\n\na,b\n\n1,2\n\n\n3,4")
    assert [(entry.record_index, entry.line) for entry in entries] == [(0, 5), (1, 8)]


def test_only_ragged_rows_are_rejected() -> None:
    entries = csv_records("a,b\n1\n2,3\n4,5,6\n7,8\n")
    assert error_positions(entries) == [(0, 2, RAW), (2, 4, RAW)]


def test_an_unclosed_quotation_mark_is_reported_where_it_is_opened() -> None:
    entries = csv_records('a,b\n1,2\n3,"4\n5,6\n7,8\n')
    assert error_positions(entries) == [(1, 3, RAW)]


def test_text_after_a_closing_quotation_mark_invalidates_only_that_record() -> None:
    entries = csv_records('a,b\n"1"x,2\n3,4\n')
    assert error_positions(entries) == [(0, 2, RAW)]
    assert entries[1] == ParsedRecord(1, 3, {"a": "3", "b": "4"})


def test_invalid_utf8_invalidates_only_that_record() -> None:
    entries = csv_records(b"a,b\n1,2\n" + "é,4\n".encode("latin-1") + "é,6\n".encode())
    assert error_positions(entries) == [(1, 3, "a")]
    assert entries[2].content == {"a": "é", "b": "6"}


def test_a_file_truncated_within_a_character_loses_only_that_record() -> None:
    assert error_positions(csv_records("a,b\n1,2\n3,é".encode()[:-1])) == [(1, 3, "b")]


def test_a_null_byte_is_an_error_of_its_field_only() -> None:
    assert error_positions(csv_records("a,b,c\n1,\0,x\n2,y,\0\n3,z\0,\n")) == [(0, 2, "b"), (2, 4, "b")]


def test_a_long_cell_is_read_completely() -> None:
    assert contents(csv_records(f"a,b\n{'x' * 200_000},2\n")) == [{"a": "x" * 200_000, "b": "2"}]


def test_lines_may_end_with_only_a_carriage_return() -> None:
    entries = csv_records('a,b\r1,"2\r2"\r3,4')
    assert [(entry.line, entry.content) for entry in entries] == [
        (2, {"a": "1", "b": "2\r2"}),
        (4, {"a": "3", "b": "4"}),
    ]


@pytest.mark.parametrize("content", ["", "\n\r\n", "\ufeff"])
def test_an_empty_file_is_unreadable(content: str) -> None:
    with pytest.raises(EmptyFile):
        csv_records(content)


def test_a_file_with_only_a_header_has_no_records() -> None:
    assert csv_records("a,b") == []


@pytest.mark.parametrize(
    "content",
    [
        "a,b\n1,2\n".encode("utf-16"),
        "a,b\n1,2\n".encode("utf-16-le"),
        b"PK\x03\x04\x14\0\0\0",
        '"a,b\n1,2\n',
        "é,b\n1,2\n".encode("latin-1"),
        "a,a\n1,2\n",
        "a, a\n1,2\n",
        pytest.param(b"a,b\n" + b"x" * 10_100_000, id="a line without end"),
    ],
)
def test_a_file_that_is_not_a_table_is_unreadable_with_a_reason(content: str | bytes) -> None:
    with pytest.raises(UnreadableFile) as error:
        csv_records(content)
    assert error.value.reason.encode()


def test_duplicate_columns_that_are_not_fields_are_ignored() -> None:
    assert contents(csv_records("a,b,,\n1,2,3,4\n")) == [{"a": "1", "b": "2"}]


def test_a_missing_column_leaves_its_field_missing() -> None:
    assert contents(csv_records("a\n1\n")) == [{"a": "1"}]
    assert error_positions(csv_records("a\n1\n", schema(strict=True, a="text", b="text"))) == [(0, 2, "b")]


def test_a_file_in_a_different_encoding_than_configured_is_unreadable() -> None:
    with pytest.raises(UnreadableFile, match="CP1252"):
        list(rows(io.BytesIO(b"a,b\n\x81,2\n"), Format(FormatKind.CSV, "cp1252")))


def test_a_file_without_a_header_line_has_numbered_columns() -> None:
    form = Format(FormatKind.CSV, header=False)
    source: Source = io.BytesIO(b"\n1,2\n3,4\n")
    numbered = RecordValidator(schema(column_1="text", column_2="text"))
    entries = list(checked_records(source, form, numbered))
    assert [(entry.record_index, entry.line) for entry in entries] == [(0, 2), (1, 3)]
    assert contents(entries)[0] == {"column_1": "1", "column_2": "2"}


def test_a_file_whose_cells_are_never_quoted_may_contain_quotation_marks() -> None:
    form = Format(FormatKind.CSV, "utf-8", "\t", "")
    assert [entry.content for entry in rows(io.BytesIO(b'a\tb\n"1\t2"\n'), form)] == [['"1', '2"']]


def test_a_stream_is_left_open_and_read_from_its_position() -> None:
    stream = io.BytesIO(b"junk\na,b\n1,2\n")
    stream.readline()
    assert len(list(rows(stream, CSV))) == 1
    assert not stream.closed


def test_the_columns_are_the_trimmed_header(tmp_path: Path) -> None:
    assert columns(write_file(tmp_path, "a , b\n1,2\n"), CSV) == ("a", "b")
