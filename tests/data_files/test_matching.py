"""Finding records of a file by some of their values."""

from pathlib import Path

from batchwright.data_files.matching import find_records
from tests.data_files.files import CSV, JSONL, write_file


def test_a_record_is_found_if_only_one_has_the_values(tmp_path: Path) -> None:
    path = write_file(tmp_path, "prompt,price,kind\nWhy?,61,a\nWhere?,62,a\nWhen?,62,a\nWho?,,b\n")
    expected = [{"price": "61", "kind": "a"}, {"price": "62", "kind": "a"}, {"kind": "b"}, {"kind": "c"}]
    assert find_records(path, CSV, expected) == [
        {"prompt": "Why?", "price": "61", "kind": "a"},
        None,
        {"prompt": "Who?", "price": "", "kind": "b"},
        None,
    ]


def test_values_of_every_json_kind_are_compared_as_text(tmp_path: Path) -> None:
    path = write_file(tmp_path, '{"a": 1.5, "b": true, "c": "x", "d": null}\n', "table.jsonl")
    actual = find_records(path, JSONL, [{"a": "1.5", "b": "true"}])
    assert actual == [{"a": "1.5", "b": "true", "c": "x"}]


def test_long_values_are_complete(tmp_path: Path) -> None:
    text = "x" * 100_000
    path = write_file(tmp_path, f"prompt,price\n{text},61\n")
    assert find_records(path, CSV, [{"price": "61"}]) == [{"prompt": text, "price": "61"}]


def test_without_values_no_record_is_found(tmp_path: Path) -> None:
    assert find_records(write_file(tmp_path, "a\n1\n"), CSV, [{}]) == [None]


def test_reading_ends_when_the_search_is_stopped(tmp_path: Path) -> None:
    path = write_file(tmp_path, "a,b\n1,x\n2,y\n")
    assert find_records(path, CSV, [{"a": "1"}], lambda: True) == [None]
