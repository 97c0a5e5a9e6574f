"""What is seen of a file at first: its beginning, what its columns hold, where its records are."""

from pathlib import Path

from batchwright.records.schema import FieldType
from batchwright.tables.index import IndexSlice
from batchwright.tables.looking import Looked, beginning, by_column, facts_of, look_through
from tests.tables.tables import CSV, JSONL, csv_text, written

ROWS = [
    ("name", "clip", "picture"),
    ("Ada", "https://example.org/a.mp3", "https://example.org/a.png"),
    ("", "https://example.org/b.txt", "http://example.org/b.png"),
    ("Grace", "", "https://example.org/c.png"),
]


def test_the_beginning_of_a_file_has_its_columns_and_first_records(tmp_path: Path) -> None:
    path = written(tmp_path, csv_text(ROWS))
    seen = beginning(path, CSV, 2)
    assert seen.columns == ("name", "clip", "picture")
    assert [entry.line for entry in seen.entries] == [2, 3]
    assert seen.size == path.stat().st_size


def test_facts_tell_lengths_empty_cells_values_and_addresses(tmp_path: Path) -> None:
    facts = facts_of(written(tmp_path, csv_text(ROWS)), CSV)
    name = facts["name"]
    assert (name.filled, name.empty, name.shortest, name.longest, name.distinct) == (2, 1, 3, 5, 2)
    assert facts["clip"].addresses[FieldType.AUDIO_URL] == 1
    assert facts["picture"].addresses[FieldType.IMAGE_URL] == 2


def test_facts_of_an_empty_column_are_all_nothing(tmp_path: Path) -> None:
    facts = facts_of(written(tmp_path, csv_text([("a", "b"), ("x", "")])), CSV)["b"]
    assert (facts.filled, facts.empty, facts.shortest, facts.longest) == (0, 1, 0, 0)


def test_facts_of_json_records_go_by_their_keys(tmp_path: Path) -> None:
    path = written(tmp_path, '{"a": 12, "b": null}\n{"b": "x"}\n', "records.jsonl")
    facts = facts_of(path, JSONL)
    assert (facts["a"].filled, facts["a"].longest, facts["a"].empty) == (1, 2, 1)
    assert facts["b"].filled == 1


def test_looking_through_tells_the_proposal_first_and_then_every_record(tmp_path: Path) -> None:
    told: list[object] = []
    assert look_through(written(tmp_path, csv_text(ROWS)), CSV, told.append) == 3
    assert isinstance(told[0], Looked)
    assert set(told[0].proposal.schema.fields) == {"name", "clip", "picture"}
    assert [len(piece) for piece in told[1:] if isinstance(piece, IndexSlice)] == [3]


def test_what_is_no_record_has_no_values() -> None:
    assert by_column(("a",), "text") == {}
