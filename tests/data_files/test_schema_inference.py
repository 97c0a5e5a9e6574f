"""Schemas suggested from the values of a file."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.data_files.checking import check_file
from batchwright.data_files.formats import Format
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.schema_inference import Proposal, propose_schema
from batchwright.schema.parsing import read_schema, write_schema
from tests.data_files.files import CSV, JSONL, csv_text, write_file
from tests.strategies import SLOW_STRATEGY

_ADDRESSES = st.sampled_from(
    [
        "https://a.example/1.png",
        "http://a.example/2.png",
        "https://a.example/3.mp3",
        "https://a.example/4.mp4",
    ]
)
_TEXTS = st.one_of(st.just(""), st.text(max_size=5), _ADDRESSES)
_KEYS = st.one_of(st.sampled_from(["a", "picture", "task_group_id", "META_x", "row_id"]), st.text(max_size=3))
_VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), _TEXTS
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(_KEYS, inner, max_size=2)),
    max_leaves=3,
)

COLUMNS = {
    "prompt": ("text", ["Why?", "Where?"]),
    "picture": ("image_url", ["https://a.example/1.PNG", "https://a.example/2?size=9"]),
    "sound": ("audio_url", ["http://a.example/1.mp3", "https://a.example/2.wav"]),
    "film": ("video_url", ["http://a.example/1.mp4", ""]),
    "link": ("text", ["https://a.example/page", "https://a.example/other"]),
    "mixed": ("text", ["https://a.example/1.png", "words"]),
    "plain_http": ("text", ["http://a.example/1.png", "http://a.example/2.png"]),
    "score": ("metadata", ["1", "2,5"]),
    "share": ("metadata", ["50%", "2.5 %"]),
    "day": ("metadata", ["2026-11-26", "2026-11-26 09:30:00"]),
    "time": ("metadata", ["2026-11-26T09:30:00Z", "2026-11-26T09:30:00.5+01:00"]),
    "row_id": ("metadata", ["x", "y"]),
    "META_note": ("metadata", ["x", "y"]),
    "task_group_id": ("task_group_id", ["1", "1"]),
    "empty": ("text", ["", ""]),
}


@pytest.fixture(params=["csv", "jsonl"])
def proposal(request: pytest.FixtureRequest, tmp_path: Path) -> Proposal:
    """The schema proposed for the same columns in each kind of file."""
    table = list(zip(*[values for _type, values in COLUMNS.values()], strict=True))
    if request.param == "csv":
        return propose_schema(write_file(tmp_path, csv_text([list(COLUMNS), *table])), CSV)
    lines = [json.dumps(dict(zip(COLUMNS, row, strict=True))) for row in table]
    return propose_schema(write_file(tmp_path, "\n".join(lines), "table.jsonl"), JSONL)


def test_a_type_is_proposed_for_every_column_with_its_reason(proposal: Proposal) -> None:
    assert {key: field.type for key, field in proposal.schema.fields.items()} == {
        name: type for name, (type, _values) in COLUMNS.items()
    }
    assert proposal.reasons.keys() == COLUMNS.keys()
    assert all(proposal.reasons.values())
    assert proposal.records == 2


def test_a_proposed_schema_is_accepted_by_the_service(proposal: Proposal) -> None:
    assert read_schema(write_schema(proposal.schema)).fields.keys() == COLUMNS.keys()
    assert proposal.schema.fields["plain_http"].label == "Plain http"
    assert proposal.schema.fields["row_id"].label is None


def test_columns_that_cannot_be_fields_are_omitted_with_the_reason(tmp_path: Path) -> None:
    header = ["a", "", "b", "b", "k" * 129]
    proposal = propose_schema(write_file(tmp_path, csv_text([header, ["1"] * 5])), CSV)
    assert list(proposal.schema.fields) == ["a"]
    assert proposal.excluded.keys() == {"", "b", "k" * 129}
    assert all(proposal.excluded.values())


def test_no_more_fields_are_proposed_than_a_schema_may_have(tmp_path: Path) -> None:
    header = [f"c{number}" for number in range(201)]
    proposal = propose_schema(write_file(tmp_path, csv_text([header, ["x"] * 201])), CSV)
    assert len(proposal.schema.fields) == 200
    assert list(proposal.excluded) == ["c200"]


def test_only_one_column_is_proposed_for_task_groups(tmp_path: Path) -> None:
    text = csv_text([["task_group_id", "META_TASK_GROUP_ID"], ["1", "2"]])
    types = [field.type for field in propose_schema(write_file(tmp_path, text), CSV).schema.fields.values()]
    assert types == ["task_group_id", "metadata"]


def test_values_of_every_json_type_and_unreadable_lines_are_profiled(tmp_path: Path) -> None:
    text = '{"a": [1], "n": 1, "t": true, "m": 1}\nwords\n{"a": {}, "n": null, "m": "x", "late": "x"}\n'
    types = {
        key: field.type.value
        for key, field in propose_schema(write_file(tmp_path, text), JSONL).schema.fields.items()
    }
    assert types == {"n": "metadata", "t": "metadata", "m": "text", "late": "text"}


def test_no_schema_is_proposed_for_an_empty_file(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile):
        propose_schema(write_file(tmp_path, ""), CSV)


def accepts_its_records(name: str, content: str, form: Format) -> Proposal:
    """The schema proposed for a file, which rejects no record of it."""
    with TemporaryDirectory() as folder:
        path = write_file(Path(folder), content, name)
        proposal = propose_schema(path, form)
        assert check_file(path, form, proposal.schema).errors == ()
    return proposal


@SLOW_STRATEGY
@given(st.lists(st.dictionaries(_KEYS, _VALUES, max_size=4), min_size=1, max_size=5))
def test_a_schema_proposed_for_jsonl_accepts_the_records_it_was_created_from(
    records: list[dict[str, object]],
) -> None:
    content = "\n".join(json.dumps(record) for record in records)
    proposal = accepts_its_records("records.jsonl", content, JSONL)
    keys = {key for record in records for key in record}
    assert proposal.schema.fields.keys() | proposal.excluded.keys() == keys
    assert all(proposal.excluded.values())


@SLOW_STRATEGY
@given(st.data())
def test_a_schema_proposed_for_csv_accepts_the_records_it_was_created_from(data: st.DataObject) -> None:
    whole_text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5)
    header = data.draw(st.lists(st.one_of(_KEYS, whole_text), min_size=2, max_size=4))
    header = [name.replace("\0", "") for name in header]
    cells = st.lists(st.one_of(_ADDRESSES, whole_text), min_size=len(header), max_size=len(header))
    rows = data.draw(st.lists(cells, min_size=1, max_size=4))
    proposal = accepts_its_records("records.csv", csv_text([header, *rows]), CSV)
    names = {name.strip() for name in header}
    assert proposal.schema.fields.keys() | proposal.excluded.keys() == names


def test_a_column_with_lists_or_objects_is_omitted_with_the_line_and_may_be_included(tmp_path: Path) -> None:
    text = '{"a": "x", "b": "x"}\n{"a": ["x"], "b": "y"}\n'
    proposal = propose_schema(write_file(tmp_path, text), JSONL)
    assert list(proposal.schema.fields) == ["b"]
    assert proposal.excluded == {"a": "Line 2 contains a list or an object, which a dataset cannot store."}
    assert proposal.optional == {"a"}


@pytest.mark.parametrize(("end", "type"), [("png", "image_url"), ("mp3", "audio_url"), ("mp4", "video_url")])
def test_a_column_of_addresses_with_few_exceptions_is_proposed_as_such(
    tmp_path: Path, end: str, type: str
) -> None:
    def proposed(values: list[str]) -> tuple[str, str]:
        rows = [[f"text {number}", value] for number, value in enumerate(values)]
        proposal = propose_schema(write_file(tmp_path, csv_text([["prompt", "a"], *rows])), CSV)
        return proposal.schema.fields["a"].type, proposal.reasons["a"]

    addresses = [f"https://a.example/{number}.{end}" for number in range(38)]
    found, reason = proposed([*addresses, "nowhere", "soon"])
    assert found == type
    assert reason.startswith("All values but 2 are")
    assert proposed([*addresses, "nowhere", "soon", "later"])[0] == "text"
    assert proposed([*addresses[:18], "nowhere"])[0] == "text"


def test_image_urls_with_an_empty_value_among_them_are_proposed_as_text(tmp_path: Path) -> None:
    text = '{"a": "https://a.example/1.png"}\n{"a": ""}\n'
    proposal = propose_schema(write_file(tmp_path, text), JSONL)
    assert proposal.schema.fields["a"].type == "text"
    assert "line 2 contains an empty text" in proposal.reasons["a"]
