"""The preview and profile of a file: first records, column statistics, index."""

from pathlib import Path

import pytest

from batchwright.data_files.index import IndexChunk
from batchwright.data_files.profiling import FileProfile, cells, column_stats, preview_file, profile_and_index
from batchwright.data_files.rows import UnreadableFile
from batchwright.schema.model import FieldType
from tests.data_files.files import CSV, JSONL, csv_text, write_file

ROWS = [
    ("name", "clip", "picture"),
    ("Ada", "https://example.org/a.mp3", "https://example.org/a.png"),
    ("", "https://example.org/b.txt", "http://example.org/b.png"),
    ("Grace", "", "https://example.org/c.png"),
]


def test_the_preview_of_a_file_has_its_columns_and_first_records(tmp_path: Path) -> None:
    path = write_file(tmp_path, csv_text(ROWS))
    result = preview_file(path, CSV, 2)
    assert result.columns == ("name", "clip", "picture")
    assert [entry.line for entry in result.records] == [2, 3]
    assert result.size == path.stat().st_size


def test_statistics_contain_lengths_empty_cells_values_and_urls(tmp_path: Path) -> None:
    facts = column_stats(write_file(tmp_path, csv_text(ROWS)), CSV)
    name = facts["name"]
    assert (name.filled, name.empty, name.shortest, name.longest, name.distinct) == (2, 1, 3, 5, 2)
    assert facts["clip"].urls[FieldType.AUDIO_URL] == 1
    assert facts["picture"].urls[FieldType.IMAGE_URL] == 2


def test_the_statistics_of_an_empty_column_are_empty(tmp_path: Path) -> None:
    facts = column_stats(write_file(tmp_path, csv_text([("a", "b"), ("x", "")])), CSV)["b"]
    assert (facts.filled, facts.empty, facts.shortest, facts.longest) == (0, 1, 0, 0)


def test_the_statistics_of_json_records_are_grouped_by_key(tmp_path: Path) -> None:
    path = write_file(tmp_path, '{"a": 12, "b": null}\n{"b": "x"}\n', "records.jsonl")
    facts = column_stats(path, JSONL)
    assert (facts["a"].filled, facts["a"].longest, facts["a"].empty) == (1, 2, 1)
    assert facts["b"].filled == 1


def test_profiling_yields_the_proposed_schema_first_and_then_the_records(tmp_path: Path) -> None:
    messages: list[object] = []
    assert profile_and_index(write_file(tmp_path, csv_text(ROWS)), CSV, messages.append) == 3
    assert isinstance(messages[0], FileProfile)
    assert set(messages[0].proposal.schema.fields) == {"name", "clip", "picture"}
    assert [len(piece) for piece in messages[1:] if isinstance(piece, IndexChunk)] == [3]


def test_the_values_of_a_record_are_matched_by_their_columns() -> None:
    assert cells(("a", "b", "a"), ["1", "2", "3", "4"]) == [("a", "1"), ("b", "2"), ("a", "3"), ("", "4")]
    assert cells(("a", "b"), ["1"]) == [("a", "1"), ("b", None)]
    assert cells(("a", "b"), {"b": 2, "c": 3}) == [("a", None), ("b", 2), ("c", 3)]
    assert cells(("a",), "text") == []


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("hello\nworld\n", "Line 1: The line is not valid JSON"),
        ("\n[1, 2]\n", "Line 2: The value is not an object."),
        ("{}\n{}\n", "Line 1: The object has no keys."),
    ],
)
def test_lines_without_keys_are_not_counted_as_records(tmp_path: Path, content: str, why: str) -> None:
    with pytest.raises(UnreadableFile, match=why) as messages:
        preview_file(write_file(tmp_path, content, "records.jsonl"), JSONL, 10)
    assert messages.value.remedy == "Write each record as a JSON object on a line."
