"""Schemas proposed from the values of a file."""

import json
from pathlib import Path

import pytest

from batchwright.records.schema_reading import read_schema, write_schema
from batchwright.tables.entries import Unreadable
from batchwright.tables.proposing import Proposal, propose_schema
from tests.tables.tables import CSV, JSONL, csv_text, written

COLUMNS = {
    "prompt": ("text", ["Why?", "Where?"]),
    "picture": ("image_url", ["https://a.example/1.PNG", "https://a.example/2?size=9"]),
    "sound": ("audio_url", ["http://a.example/1.mp3", "https://a.example/2.wav"]),
    "film": ("video_url", ["http://a.example/1.mp4", ""]),
    "link": ("text", ["https://a.example/page", "https://a.example/other"]),
    "mixed": ("text", ["https://a.example/1.png", "words"]),
    "plain_http": ("text", ["http://a.example/1.png", "http://a.example/2.png"]),
    "score": ("metadata", ["1", "2,5"]),
    "row_id": ("metadata", ["x", "y"]),
    "META_note": ("metadata", ["x", "y"]),
    "task_group_id": ("task_group_id", ["1", "1"]),
    "empty": ("text", ["", ""]),
}


@pytest.fixture(params=["csv", "jsonl"])
def proposal(request: pytest.FixtureRequest, tmp_path: Path) -> Proposal:
    """What is proposed for the same columns in either kind of file."""
    table = list(zip(*[values for _type, values in COLUMNS.values()], strict=True))
    if request.param == "csv":
        return propose_schema(written(tmp_path, csv_text([list(COLUMNS), *table])), CSV)
    lines = [json.dumps(dict(zip(COLUMNS, row, strict=True))) for row in table]
    return propose_schema(written(tmp_path, "\n".join(lines), "table.jsonl"), JSONL)


def test_a_type_is_proposed_for_every_column_with_its_reason(proposal: Proposal) -> None:
    assert {key: field.type for key, field in proposal.schema.fields.items()} == {
        name: type for name, (type, _values) in COLUMNS.items()
    }
    assert proposal.reasons.keys() == COLUMNS.keys()
    assert all(proposal.reasons.values())
    assert proposal.records == 2


def test_what_is_proposed_is_a_schema_that_the_service_takes(proposal: Proposal) -> None:
    assert read_schema(write_schema(proposal.schema)).fields.keys() == COLUMNS.keys()
    assert proposal.schema.fields["plain_http"].label == "Plain http"
    assert proposal.schema.fields["row_id"].label is None


def test_columns_that_can_be_no_field_are_left_out_with_the_reason(tmp_path: Path) -> None:
    header = ["a", "", "b", "b", "k" * 129]
    proposal = propose_schema(written(tmp_path, csv_text([header, ["1"] * 5])), CSV)
    assert list(proposal.schema.fields) == ["a"]
    assert proposal.left_out.keys() == {"", "b", "k" * 129}
    assert all(proposal.left_out.values())


def test_no_more_columns_are_taken_than_a_schema_may_have(tmp_path: Path) -> None:
    header = [f"c{number}" for number in range(201)]
    proposal = propose_schema(written(tmp_path, csv_text([header, ["x"] * 201])), CSV)
    assert len(proposal.schema.fields) == 200
    assert list(proposal.left_out) == ["c200"]


def test_only_one_column_groups_tasks(tmp_path: Path) -> None:
    text = csv_text([["task_group_id", "META_TASK_GROUP_ID"], ["1", "2"]])
    types = [field.type for field in propose_schema(written(tmp_path, text), CSV).schema.fields.values()]
    assert types == ["task_group_id", "metadata"]


def test_values_of_every_json_kind_and_broken_lines_are_looked_at(tmp_path: Path) -> None:
    text = '{"a": [1], "n": 1, "t": true, "m": 1}\nwords\n{"a": {}, "n": null, "m": "x", "late": "x"}\n'
    types = {
        key: field.type.value
        for key, field in propose_schema(written(tmp_path, text), JSONL).schema.fields.items()
    }
    assert types == {"a": "text", "n": "metadata", "t": "metadata", "m": "text", "late": "text"}


def test_for_an_empty_file_nothing_is_proposed(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        propose_schema(written(tmp_path, ""), CSV)
