"""Values that are edited beside a file: applied, stored, and found again in a newer version of it."""

import json
from collections.abc import Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_values import Json, JsonObject, parse
from batchwright.data_files.conversion.conversion import Conversion, read_conversion, write_conversion
from batchwright.data_files.conversion.convert import Converted, convert
from batchwright.data_files.conversion.edit_list import (
    CellEdit,
    Edit,
    RecordEditor,
    ReplacementEdit,
    cell_edit,
    place,
    read_edits,
    write_edits,
)
from batchwright.data_files.formats import Format, FormatKind

CSV, JSONL = Format(FormatKind.CSV), Format(FormatKind.JSONL)


def edited(path: Path, file_format: Format, edits: Sequence[Edit]) -> tuple[list[str], Converted]:
    """The lines of the converted file, and the result."""
    conversion = Conversion(edits=tuple(edits), text_format=file_format)
    assert read_conversion(write_conversion(conversion)) == conversion
    target = path.with_suffix(".out")
    converted = convert(path, conversion, target, lambda _message: None)
    return target.read_text().replace(": ", ":").replace(", ", ",").splitlines(), converted


def edit(record: JsonObject, index: int, column: str, value: str) -> CellEdit:
    return cell_edit(tuple(record), index, record, column, value)


def test_a_cell_of_a_csv_file_is_edited_and_the_others_and_the_file_stay(tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    path.write_text("prompt,score\nWhich?,1\nWhy,\nragged\n")
    lines, converted = edited(path, CSV, [edit({"prompt": "Why"}, 1, "prompt", "Why?")])
    assert lines == ['{"prompt":"Which?","score":"1"}', '{"prompt":"Why?"}', '["ragged"]']
    assert {column: list(found) for column, found in converted.edited_cells.items()} == {"prompt": [1]}
    assert path.read_text() == "prompt,score\nWhich?,1\nWhy,\nragged\n"


def test_a_value_of_jsonl_keeps_its_type_and_broken_lines_stay_in_their_place(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text('{"a": 1, "b": [2]}\nbroken\n{"a": "x"}\n')
    edits = [edit({"a": 1, "b": [2]}, 0, "a", "3"), edit({"a": "x"}, 2, "a", "4")]
    assert edited(path, JSONL, edits)[0] == ['{"a":3,"b":[2]}', " broken", '{"a":"4"}']


def test_all_hits_of_a_text_are_replaced_and_edits_apply_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    path.write_text("a,b\nRed red,1\nblue,2\n")
    edits: list[Edit] = [
        ReplacementEdit("red", "green"),
        edit({"a": "green green", "b": "1"}, 0, "a", "green"),
        ReplacementEdit("n", "N"),
    ]
    assert edited(path, CSV, edits)[0] == ['{"a":"greeN","b":"1"}', '{"a":"blue","b":"2"}']


def test_hits_in_numbers_and_other_values_of_jsonl_are_replaced_too(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text('{"a": 2021, "b": [2021, "x"], "c": null}\n{"a": 1, "b": true, "c": 20211}\n')
    edits: list[Edit] = [ReplacementEdit("2021", "1999"), ReplacementEdit("true", "yes")]
    assert edited(path, JSONL, edits)[0] == [
        '{"a":1999,"b":[1999,"x"],"c":null}',
        '{"a":1,"b":"yes","c":19991}',
    ]
    assert edited(path, JSONL, [ReplacementEdit("1", "")])[0][1] == '{"b":true,"c":202}'


def test_an_edit_finds_its_record_in_a_newer_version_by_content_or_by_key(tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    path.write_text("id,a,b\n7,new,x\n8,old,x\n9,other,y\n")
    by_content = edit({"id": "8", "a": "old", "b": "x"}, 0, "b", "by content")
    by_key = edit({"id": "9", "a": "before", "b": "y"}, 1, "b", "by key")
    lost = edit({"id": "1", "a": "gone"}, 2, "a", "lost")
    lines, converted = edited(path, CSV, [by_content, by_key, lost])
    assert [parse(line)["b"] for line in lines] == ["x", "by content", "by key"]  # type: ignore[index,call-overload]
    assert converted.unfound == (lost,)
    assert converted.notes == ("A change of “a” from “gone” to “lost” found no record.",)


def test_a_key_that_several_records_have_finds_none() -> None:
    lost = edit({"id": "1", "a": "gone"}, 0, "a", "x")
    assert place([lost], enumerate([{"id": "1", "a": "b"}, {"id": "1", "a": "c"}])) == {}


def test_of_equal_records_the_one_at_the_same_place_is_edited() -> None:
    chosen = edit({"a": "x"}, 1, "a", "y")
    assert place([chosen], enumerate([{"a": "x"}, {"a": "x"}, {"a": "x"}])) == {chosen: 1}


def test_stored_edits_that_cannot_be_used_are_left_out() -> None:
    good = write_edits([ReplacementEdit("a", "b")])
    assert read_edits([*good, 1, {"text": 5, "replacement": "b"}, {"column": "a"}]) == (
        ReplacementEdit("a", "b"),
    )


RECORDS = st.lists(
    st.fixed_dictionaries({"id": st.integers(0, 999).map(str), "a": st.sampled_from("xyz")}),
    min_size=1,
    max_size=12,
    unique_by=lambda record: record["id"],
)


@given(RECORDS, st.data())
def test_edits_are_the_same_after_storing_and_in_a_shuffled_file(
    records: list[JsonObject], data: st.DataObject
) -> None:
    edits: list[Edit] = []
    for _number in range(data.draw(st.integers(0, 6))):
        if data.draw(st.booleans()):
            edits.append(
                ReplacementEdit(data.draw(st.sampled_from("xyz")), data.draw(st.sampled_from(["", "y", "q"])))
            )
        else:
            index = data.draw(st.integers(0, len(records) - 1))
            now = _after(edits, records)[index]
            edits.append(
                cell_edit(("id", "a"), index, now, "a", data.draw(st.sampled_from(["", "y", "new"])))
            )
    expected = _after(edits, records)
    stored: Json = json.loads(json.dumps(write_edits(edits)))
    assert _after(read_edits(stored), records) == expected
    shuffled = data.draw(st.permutations(range(len(records))))
    placed = place(edits, ((at, records[index]) for at, index in enumerate(shuffled)))
    editor = RecordEditor(edits, placed)
    assert [editor.edit_record(at, records[index]) for at, index in enumerate(shuffled)] == [
        expected[index] for index in shuffled
    ]
    assert not editor.unfound


def _after(edits: Sequence[Edit], records: Sequence[JsonObject]) -> list[JsonObject]:
    editor = RecordEditor(edits)
    return [editor.edit_record(index, record) for index, record in enumerate(records)]
