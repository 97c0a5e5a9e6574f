"""JSON files as sources: arrays, nested values, exact numbers, and what is not read."""

import json
from pathlib import Path
from typing import Literal

import pandas as pd
import pytest

from batchwright.base.json_texts import json_cursor
from batchwright.base.json_values import Json
from batchwright.data_files.file_types import FileType, type_of
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.sources import json_by_index
from batchwright.data_files.sources.json_arrays import open_table
from batchwright.data_files.sources.source import SourceOptions
from tests.data_files.files import write_file
from tests.data_files.sources.tables import choices, converted, records


def json_file(folder: Path, content: str | bytes, name: str = "study.json") -> Path:
    return write_file(folder, content, name)


def test_numbers_texts_and_booleans_stay_as_they_are(tmp_path: Path) -> None:
    values: dict[str, Json] = {
        "id": 12345678901234567890,
        "one": 1,
        "float": 1.0,
        "zeros": "007",
        "yes": True,
    }
    path = json_file(tmp_path, json.dumps([values, {"text": " a\n“b” \ud800", "none": None, "empty": ""}]))
    first, second = records(path)
    assert json.dumps(first) == json.dumps(values)
    assert second == {"text": " a\n“b” \ud800"}


@pytest.mark.parametrize("piece", [1, 5, 1 << 18])
def test_the_array_with_most_records_is_proposed_and_another_can_be_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int
) -> None:
    monkeypatch.setattr(json_cursor, "_PIECE_BYTES", piece)
    content = {
        "version": 2,
        "tags": ["a", "b", "c", "d"],
        "data": {"info": {"a": [1]}, "items": [{"a": 1}, {"a": 2}, {"a": 3}]},
        "errors": [{"b": 1}, {"b": 2}],
    }
    path = json_file(tmp_path, json.dumps(content, indent=1))
    assert records(path) == [{"a": 1}, {"a": 2}, {"a": 3}]
    assert choices(path)["array"] == ["data.items", "tags", "data.info.a", "errors"]
    assert records(path, SourceOptions(array="errors")) == [{"b": 1}, {"b": 2}]
    assert records(path, SourceOptions(array="tags"))[0] == {"value": "a"}
    assert records(path, SourceOptions(array="gone")) == [{"a": 1}, {"a": 2}, {"a": 3}]


FRAME = pd.DataFrame({"id": ["007", "008"], "text": ["Ja, “gut”\n", None], "über": [0.5, 2]})
FRAME_RECORDS: list[dict[str, Json]] = [
    {"id": "007", "text": "Ja, “gut”\n", "über": 0.5},
    {"id": "008", "über": 2.0},
]


@pytest.mark.parametrize("is_ascii", [True, False])
@pytest.mark.parametrize("orient", ["columns", "index", "split", "records", "table"])
def test_every_form_of_pandas_is_read(
    tmp_path: Path, orient: Literal["columns", "index", "split", "records", "table"], is_ascii: bool
) -> None:
    path = tmp_path / "frame.json"
    FRAME.to_json(path, orient=orient, force_ascii=is_ascii)
    assert type_of(path) is FileType.JSON_ARRAY
    found = [dict(record) for record in records(path)]
    if orient == "table":
        assert [record.pop("index") for record in found] == [0, 1]
    assert found == FRAME_RECORDS


def test_columns_of_pandas_without_names_are_columns(tmp_path: Path) -> None:
    path = tmp_path / "frame.json"
    pd.DataFrame([["a", "b", "c"], ["d", "e", "f"]]).to_json(path)
    assert records(path) == [{"0": "a", "1": "b", "2": "c"}, {"0": "d", "1": "e", "2": "f"}]


def test_members_with_numbers_of_their_own_are_records(tmp_path: Path) -> None:
    path = json_file(tmp_path, '{"17": {"1": "yes", "2": "no"}, "18": {"1": "no"}}')
    assert records(path) == [{"index": "17", "1": "yes", "2": "no"}, {"index": "18", "1": "no"}]


@pytest.mark.parametrize("orient", ["columns", "index"])
def test_numbers_that_may_be_ids_are_a_column(tmp_path: Path, orient: Literal["columns", "index"]) -> None:
    path = tmp_path / "frame.json"
    pd.DataFrame({"text": ["a", "b"]}, index=[10234, 10237]).to_json(path, orient=orient)
    assert records(path) == [{"index": "10234", "text": "a"}, {"index": "10237", "text": "b"}]
    pd.DataFrame({"index": ["a", "b"]}, index=[10234, 10237]).to_json(path, orient=orient)
    assert records(path) == [{"index": "a"}, {"index": "b"}]


def test_columns_are_read_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_cursor, "_PIECE_BYTES", 7)
    monkeypatch.setattr(json_by_index, "_PIECE_BYTES", 11)
    texts = [f'ä "{{{row}\\' for row in range(50)]
    frame = pd.DataFrame({f'"c{{{column}\\': texts for column in range(20)})
    path = tmp_path / "frame.json"
    frame.to_json(path, force_ascii=False)
    assert records(path) == frame.to_dict("records")


def test_columns_with_different_records_are_rejected(tmp_path: Path) -> None:
    path = json_file(tmp_path, '{"a": {"0": 1, "1": 2}, "b": {"0": 1, "2": 2}}')
    with pytest.raises(UnreadableFile, match="from record 2 on"):
        records(path)


def test_more_columns_than_are_read_at_the_same_time_are_rejected(tmp_path: Path) -> None:
    path = json_file(tmp_path, json.dumps({f"c{column}": {"0": 1} for column in range(300)}))
    with pytest.raises(UnreadableFile, match="more than 200") as rejection:
        records(path)
    assert "orient" in rejection.value.remedy


def test_an_array_is_found_after_other_long_values(tmp_path: Path) -> None:
    about = {"text": "x" * 5_000_000, "numbers": [*range(1000)]}
    path = json_file(tmp_path, json.dumps({"about": about, "rows": [{"a": 1}, {"a": 2}]}))
    assert type_of(path) is FileType.JSON_ARRAY
    assert records(path) == [{"a": 1}, {"a": 2}]


def test_nested_values_become_columns_and_lists_are_joined(tmp_path: Path) -> None:
    record = {
        "meta": {"author": {"name": "Ada"}, "empty": {}},
        "tags": ["x", 1, True, None, 1.0],
        "none": [],
        "turns": [{"role": "user", "text": "Hi"}, {"role": "model"}],
    }
    path = json_file(tmp_path, json.dumps([record]))
    expected = {
        "meta.author.name": "Ada",
        "tags": "x; 1; true; ; 1.0",
        "turns": '[{"role": "user", "text": "Hi"}, {"role": "model"}]',
    }
    assert records(path) == [expected]
    assert choices(path)["flatten"] == ["", "tags", "turns"]


def test_elements_of_a_list_have_rows_of_their_own_if_that_is_chosen(tmp_path: Path) -> None:
    table = [{"id": 1, "turns": [{"text": "Hi", "by": {"id": 7}}, {"text": "Yes"}]}, {"id": 2, "turns": []}]
    path = json_file(tmp_path, json.dumps(table))
    assert records(path, SourceOptions(flatten="turns")) == [
        {"id": 1, "turns.text": "Hi", "turns.by.id": 7},
        {"id": 1, "turns.text": "Yes"},
        {"id": 2},
    ]
    path = json_file(tmp_path, json.dumps([{"id": 1, "tags": ["a", "b"]}]))
    assert records(path, SourceOptions(flatten="tags")) == [{"id": 1, "tags": "a"}, {"id": 1, "tags": "b"}]


def test_keys_of_later_records_and_keys_like_paths_are_kept(tmp_path: Path) -> None:
    table: list[Json] = [{"a": number} for number in range(1500)]
    path = json_file(tmp_path, json.dumps([*table, {"b": 1, "a": 2}, {"a.b": 1, "a": {"b": 2}}]))
    found, result = converted(path)
    assert found[-2:] == [{"a": 2, "b": 1}, {"a.b": 1, "a.b_2": 2}]
    assert result.columns == ("a", "b", "a.b", "a.b_2")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (SourceOptions(), [{"name": "x", "size": 1}, {"name": "y"}]),
        (
            SourceOptions(header_row=0),
            [{"column_1": "name", "column_2": "size"}, {"column_1": "x", "column_2": 1}, {"column_1": "y"}],
        ),
    ],
)
def test_arrays_of_arrays_may_have_a_header(
    tmp_path: Path, options: SourceOptions, expected: list[Json]
) -> None:
    path = json_file(tmp_path, '{"data": [["name", "size"], ["x", 1], ["y", null]]}')
    assert records(path, options) == expected
    assert choices(path)["header_row"] == [1, 0]


def test_json_lines_with_nested_values_have_the_numbers_of_their_lines(tmp_path: Path) -> None:
    path = json_file(tmp_path, '{"a": {"b": "1"}}\n\nno JSON\n{"a": {"b": "2"}, "c": [1]}\n', "study.jsonl")
    found, result = converted(path)
    assert found == [{"a.b": "1"}, {"a.b": "2", "c": "1"}]
    assert result.notes == ("1 line was left out, because it is damaged: 3.",)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_files_in_utf_8_and_utf_16_are_read(tmp_path: Path, encoding: str) -> None:
    path = json_file(tmp_path, '[{"ä": "日本"}]'.encode(encoding))
    assert records(path) == [{"ä": "日本"}]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('[{"a": 1},\n {"a": }]', r"line 2, column 8"),
        ('[{"a": 1},\n {"a": 2}', r"line 2, column 10"),
        ('{"a": [{"a": 1}],\n "b": nonsense}', r"line 2, column 7"),
        ('[{"a": NaN}]', r"NaN"),
        ("[" * 300 + "]" * 300, "nested too deeply"),
        ('{"a": {"b": [[]]}, "c": [' + "[" * 100_000, "nested too deeply|not valid JSON"),
        (b'[{"a": "\xff"}]', "UTF-8"),
        ('{"batch": {"name": "x"}, "a": []}' + "x" * 9, "not valid JSON|No array"),
    ],
)
def test_invalid_json_is_named_with_its_position(tmp_path: Path, content: str | bytes, reason: str) -> None:
    with (
        pytest.raises(UnreadableFile, match=reason) as error,
        open_table(json_file(tmp_path, content), SourceOptions()) as table,
    ):
        list(table.rows)
    assert error.value.remedy


def test_objects_with_ids_as_keys_do_not_become_endless_columns(tmp_path: Path) -> None:
    votes = [{"votes": {f"participant {number} {row}": 1 for number in range(100)}} for row in range(200)]
    with pytest.raises(UnreadableFile, match="more than 10000 columns"):
        records(json_file(tmp_path, json.dumps(votes)))


def test_a_long_cell_is_read_and_a_longer_one_is_named(tmp_path: Path) -> None:
    text = "é" * 4_900_000
    assert records(json_file(tmp_path, json.dumps([{"a": text}], ensure_ascii=False))) == [{"a": text}]
    with pytest.raises(UnreadableFile, match="Row 2 has more than 10 MB"):
        records(json_file(tmp_path, json.dumps([{"a": "x"}, {"a": 2 * text}], ensure_ascii=False)))
