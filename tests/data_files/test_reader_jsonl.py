"""JSONL files read as the service reads them (wire reference, 4.7)."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.data_files.reader import columns, rows
from batchwright.data_files.rows import EmptyFile, UnreadableFile
from batchwright.data_files.text_rows.jsonl_rows import MAX_BRACKETS
from batchwright.schema.record_validator import RAW
from tests.data_files.files import JSONL, contents, error_positions, jsonl_records, schema, write_file

values = (
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.text(max_size=8)
    | st.lists(st.text(max_size=3), max_size=2)
)
objects = st.dictionaries(st.text(max_size=3), values, max_size=4)


@given(
    st.lists(objects, min_size=1),
    st.sampled_from(["\n", "\r\n", "\n\n", "\n \t\n"]),
    st.booleans(),
    st.booleans(),
)
def test_written_json_lines_are_read_back(
    table: list[object], ending: str, is_ascii: bool, has_bom: bool
) -> None:
    lines = [json.dumps(row, ensure_ascii=is_ascii) for row in table]
    text = "\ufeff" * has_bom + ending.join(lines)
    read = rows(io.BytesIO(text.encode(errors="replace")), JSONL)
    expected = [json.loads(line.encode(errors="replace")) for line in lines]
    assert [entry.content for entry in read] == expected


@given(st.binary() | st.text(st.sampled_from('{}[]":,ab\\ud8 \r\n\0é')).map(str.encode))
def test_any_bytes_are_read_or_reported_as_unreadable(content: bytes) -> None:
    entries = jsonl_records(b"{}\n" + content)
    error_positions(entries)
    assert [entry.record_index for entry in entries] == list(range(len(entries)))


@pytest.mark.spec("AP-03")
def test_blank_lines_are_skipped_and_counted_as_lines_only() -> None:
    entries = jsonl_records('\n{"a":"1"}\n \t\r\n\n{"a":"2"}')
    assert [(entry.record_index, entry.line) for entry in entries] == [(0, 2), (1, 5)]


@pytest.mark.parametrize(
    "line",
    [
        b"words",
        b"{'a': 1}",
        b'{"a": 1',
        b'{"a": 1} {"a": 2}',
        b"[1]",
        b"null",
        b'"words"',
        b'{"a": NaN}',
        b'{"a": 1e999}',
        b'{"a": ' + b"9" * 5000 + b"}",
        b'{"z": ' + b"[" * 5000 + b"]" * 5000 + b"}",
        b'{"z": ' + b'{"z": ' * 100 + b"1" + b"}" * 101,
        '{"z": "é"}'.encode("latin-1"),
        '{"z": "é"}'.encode()[:-3],
        b"\0",
        b"\xef\xbb\xbf{}",
    ],
)
def test_only_lines_that_are_not_objects_are_rejected(line: bytes) -> None:
    entries = jsonl_records(b'{"a": "1"}\n' + line + b'\n{"a": "2"}\n')
    assert error_positions(entries) == [(1, 2, RAW)]
    assert entries[2].content == {"a": "2"}


def test_a_lone_surrogate_is_an_error_of_its_field() -> None:
    assert error_positions(jsonl_records('{"a": "\\ud83d"}\n{"b": "\\ud83d\\ude00"}')) == [(0, 1, "a")]


def test_a_file_truncated_in_its_last_line_loses_only_that_record() -> None:
    assert error_positions(jsonl_records('{"a": "1"}\n{"a": "2')) == [(1, 2, RAW)]


def test_only_a_line_feed_ends_a_line() -> None:
    entries = jsonl_records('{"a":\r"x\u2028y\u0085"}\n{"b":"2"}'.encode())
    assert contents(entries) == [{"a": "x\u2028y\u0085"}, {"b": "2"}]


def test_an_empty_text_is_a_value_and_null_is_none() -> None:
    entries = jsonl_records('{"a": "", "b": null}', schema(strict=False, a="text", b="text"))
    assert contents(entries) == [{"a": ""}]


def test_a_long_text_is_read_completely() -> None:
    assert contents(jsonl_records(json.dumps({"a": "x" * 1_000_000}))) == [{"a": "x" * 1_000_000}]


@pytest.mark.parametrize("content", ["", "\n \r\n", "\ufeff"])
def test_an_empty_file_is_unreadable(content: str) -> None:
    with pytest.raises(EmptyFile):
        jsonl_records(content)


@pytest.mark.parametrize(
    "content",
    ['{"a": 1}'.encode("utf-16"), '{"a": 1}'.encode("utf-16-be"), b"x" * 10_100_000, b"{}\r" * 4_000_000],
    ids=["utf-16", "utf-16-be", "a line without end", "lines that only a Mac of old would end"],
)
def test_a_file_that_is_not_a_table_is_unreadable_with_a_reason(content: bytes) -> None:
    with pytest.raises(UnreadableFile) as error:
        jsonl_records(content)
    assert error.value.reason


def test_the_columns_are_the_keys_in_order_of_appearance(tmp_path: Path) -> None:
    path = write_file(tmp_path, '{"b":1}\n[]\n{"a":2,"b":3}\nwords', "table.jsonl")
    assert columns(path, JSONL) == ("b", "a")


def test_a_deeply_nested_line_is_rejected_before_it_is_parsed() -> None:
    brackets = ",".join(["{}"] * (MAX_BRACKETS + 1))
    entries = jsonl_records(f'{{"a": "1", "x": [{brackets}]}}\n{{"a": "2"}}')
    assert error_positions(entries) == [(0, 1, RAW)]
