"""Columns that are renamed, left out, read in another type, split, joined and filled beside a file."""

import csv
import tempfile
from contextlib import suppress
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_values import InvalidJson, Json, JsonObject, parse
from batchwright.data_files.conversion.column_edits import (
    ColumnEdit,
    FillColumn,
    JoinColumns,
    LeaveOutColumn,
    ReadColumn,
    RenameColumn,
    SplitColumn,
    ValueType,
)
from batchwright.data_files.conversion.conversion import Conversion, read_conversion, write_conversion
from batchwright.data_files.conversion.convert import Converted, convert, source_columns
from batchwright.data_files.conversion.edit_list import (
    Edit,
    ReplacementEdit,
    cell_edit,
    columns_after,
    read_edits,
    usable_edits,
    write_edits,
)
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.profiling import as_text

CSV = Format(FormatKind.CSV)


def converted(path: Path, *edits: Edit) -> tuple[list[Json], Converted]:
    """The records of a CSV file with edits, and the result of its conversion."""
    conversion = Conversion(edits=edits, text_format=CSV)
    assert read_conversion(write_conversion(conversion)) == conversion
    target = path.with_suffix(".out")
    result = convert(path, conversion, target, lambda _message: None)
    return [parse(line) for line in target.read_text().splitlines()], result


def table(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "records.csv"
    path.write_text(text)
    return path


def test_a_column_is_renamed_in_its_place_and_the_file_stays(tmp_path: Path) -> None:
    path = table(tmp_path, "a,b\n1,2\n,3\n")
    records, result = converted(path, RenameColumn("a", "first"))
    assert records == [{"first": "1", "b": "2"}, {"b": "3"}]
    assert result.columns == ("first", "b")
    assert path.read_text() == "a,b\n1,2\n,3\n"


def test_a_column_is_left_out(tmp_path: Path) -> None:
    records, result = converted(table(tmp_path, "a,b\n1,2\n"), LeaveOutColumn("a"))
    assert (records, result.columns) == ([{"b": "2"}], ("b",))


def test_values_are_read_as_numbers_and_others_stay_and_are_counted(tmp_path: Path) -> None:
    path = table(tmp_path, 'id,n\n1,007\n2,-1.5\n3,"3,25"\n4,"1,234"\n5,many\n6,\n7,1e3\n')
    records, result = converted(path, ReadColumn("n", ValueType.NUMBER))
    numbers = [record.get("n") for record in records if isinstance(record, dict)]
    assert numbers == [7, -1.5, 3.25, "1,234", "many", None, 1000.0]
    assert result.notes == ("“Read “n” as numbers”: 2 values cannot be read so, and stay as they are.",)


def test_values_are_read_as_true_and_false_as_text_and_as_addresses() -> None:
    truths = [ReadColumn("a", ValueType.TRUTH)({"a": value})["a"] for value in ("Yes", "0", 1, "perhaps")]
    assert truths == [True, False, True, "perhaps"]
    texts = [ReadColumn("a", ValueType.TEXT)({"a": value})["a"] for value in (1.5, True, "x", ["y"])]
    assert texts == ["1.5", "true", "x", '["y"]']
    addresses = [" https://a.org/1.png", "a.org/1.png", "//a.org/1.png", "http://a.org/1.png", "cat"]
    read = [ReadColumn("a", ValueType.ADDRESS)({"a": value})["a"] for value in addresses]
    assert read == [*["https://a.org/1.png"] * 3, "http://a.org/1.png", "cat"]


def test_a_column_is_split_and_the_last_part_has_all_that_is_left(tmp_path: Path) -> None:
    path = table(tmp_path, "name,x\nAda / Grace / Jean,1\nAda,2\n,3\n")
    records, result = converted(path, SplitColumn("name", "/", ("first", "others")))
    assert result.columns == ("name", "first", "others", "x")
    assert records == [
        {"name": "Ada / Grace / Jean", "x": "1", "first": "Ada", "others": "Grace / Jean"},
        {"name": "Ada", "x": "2", "first": "Ada"},
        {"x": "3"},
    ]


def test_columns_are_joined_without_a_separator_beside_empty_values(tmp_path: Path) -> None:
    path = table(tmp_path, "a,b,c\n1,2,3\n1,,3\n,,3\n")
    records, result = converted(path, JoinColumns(("a", "b"), " - ", "both"))
    assert [record.get("both") for record in records if isinstance(record, dict)] == ["1 - 2", "1", None]
    assert result.columns == ("a", "b", "both", "c")


def test_a_column_is_filled_from_a_template_and_doubled_braces_stand_for_one(tmp_path: Path) -> None:
    path = table(tmp_path, "prompt,model\nWhy?,m1\nWhy?,\n,\n")
    filled = FillColumn("title", "{{{prompt} - {model}}}")
    records, result = converted(path, filled, FillColumn("model", "by {model}"))
    assert result.columns == ("prompt", "model", "title")
    assert records[:2] == [
        {"prompt": "Why?", "model": "by m1", "title": "{Why? - m1}"},
        {"prompt": "Why?", "title": "{Why? - }"},
    ]


def test_why_a_change_cannot_be_made_is_said() -> None:
    columns = ("a", "b")
    for edit, reason in (
        (RenameColumn("a", "b"), "There is a column “b” already."),
        (RenameColumn("a", " "), "Enter a name."),
        (RenameColumn("gone", "c"), "There is no column “gone”."),
        (SplitColumn("a", "", ("x", "y")), "Enter the text at which the values are split."),
        (SplitColumn("a", ";", ("x", "x")), "There is a column “x” already."),
        (JoinColumns(("a",), "", "c"), "Choose at least two columns."),
        (FillColumn("c", "{a} {modell}"), "There is no column “modell”, which the text names in braces."),
        (FillColumn("a", "{a}!"), ""),
        (LeaveOutColumn("a"), ""),
    ):
        assert edit.problem(columns) == reason
    assert LeaveOutColumn("a").problem(("a",)) == "A table needs a column."


def test_changes_of_columns_that_a_newer_file_does_not_have_are_left_out_and_named(tmp_path: Path) -> None:
    path = table(tmp_path, "b,c\n2,3\n")
    edits = (RenameColumn("a", "first"), RenameColumn("b", "c"), RenameColumn("c", "last"))
    records, result = converted(path, *edits)
    assert records == [{"b": "2", "last": "3"}]
    assert result.notes == (
        "“Rename “a” to “first”” was left out: There is no column “a”.",
        "“Rename “b” to “c”” was left out: There is a column “c” already.",
    )
    assert source_columns(path, Conversion(edits=edits, text_format=CSV), lambda _message: None) == (
        "b",
        "last",
    )


def test_an_edited_cell_stays_edited_when_its_column_is_renamed_and_is_found_in_a_newer_file(
    tmp_path: Path,
) -> None:
    path = table(tmp_path, "id,a\n1,x\n2,y\n")
    before = {"id": "2", "a": "y"}
    edits = (
        cell_edit(("id", "a"), 1, before, "a", "edited"),
        RenameColumn("a", "b"),
        cell_edit(("id", "b"), 0, {"id": "1", "b": "x"}, "b", "too"),
        JoinColumns(("id", "b"), "", "c"),
    )
    records, result = converted(path, *edits)
    assert records == [{"id": "1", "b": "too", "c": "1too"}, {"id": "2", "b": "edited", "c": "2edited"}]
    assert {column: list(found) for column, found in result.edited_cells.items()} == {
        "b": [0, 1],
        "c": [0, 1],
    }
    path.write_text("id,a\n9,z\n2,y\n1,changed\n")
    records, result = converted(path, *edits)
    assert [record.get("b") for record in records if isinstance(record, dict)] == ["z", "edited", "too"]
    assert not result.unfound


names = st.sampled_from("abcde")
new_names = st.sampled_from("abcdefgh")
texts = st.text("ab ,;1", max_size=4)
edits = st.lists(
    st.one_of(
        st.builds(RenameColumn, names, new_names),
        st.builds(LeaveOutColumn, names),
        st.builds(ReadColumn, names, st.sampled_from(ValueType)),
        st.builds(SplitColumn, names, texts, st.lists(new_names, max_size=3).map(tuple)),
        st.builds(JoinColumns, st.lists(names, max_size=3).map(tuple), texts, new_names),
        st.builds(FillColumn, new_names, st.sampled_from(("{a}{b}", "{c} - {{x}}", "{h}", "", "x", "{"))),
        st.builds(ReplacementEdit, st.sampled_from("ab1"), texts),
    ),
    max_size=8,
)


def replaced_value(value: Json, edit: ReplacementEdit) -> Json:
    if value is None or edit.text not in as_text(value):
        return value
    text = as_text(value).replace(edit.text, edit.replacement)
    with suppress(InvalidJson):
        return text if isinstance(value, str) else parse(text)
    return text


def in_a_loop(records: list[JsonObject], found: tuple[Edit, ...]) -> list[JsonObject]:
    """The records with changes that are made one after the other in the whole table."""
    for edit in found:
        if isinstance(edit, ColumnEdit):
            records = [edit(record) for record in records]
        elif isinstance(edit, ReplacementEdit):
            replaced = [
                {key: replaced_value(value, edit) for key, value in record.items()} for record in records
            ]
            records = [
                {key: value for key, value in record.items() if value != "" or old.get(key) == ""}
                for record, old in zip(replaced, records, strict=True)
            ]
    return records


@given(edits, st.lists(st.lists(texts, min_size=5, max_size=5), min_size=1, max_size=5))
def test_changes_are_stored_and_have_the_same_result_as_one_after_the_other_in_the_whole_table(
    found: list[Edit], rows: list[list[str]]
) -> None:
    assert read_edits(write_edits(found)) == tuple(found)
    usable = usable_edits(found, "abcde")
    assert columns_after(usable.edits, "abcde") == usable.columns
    plain: list[JsonObject] = [
        {name: cell for name, cell in zip("abcde", row, strict=True) if cell != ""} for row in rows
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.csv"
        with path.open("w", newline="") as out:
            csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(["abcde", *rows])
        records, result = converted(path, *found)
        again, _result = converted(path, *found)
    assert records == again == in_a_loop(plain, usable.edits)
    assert result.columns == usable.columns
    assert all(set(record) <= set(result.columns) for record in records if isinstance(record, dict))
    assert (
        usable_edits(found[:-1], "abcde").edits
        == usable.edits[: len(usable_edits(found[:-1], "abcde").edits)]
    )


def test_what_cannot_be_read_from_a_study_is_left_out() -> None:
    stored = write_edits([ReadColumn("a", ValueType.NUMBER), SplitColumn("a", ";", ("x", "y"))])
    for number, broken in (
        (0, {"type": "colour"}),
        (0, {"change": "sort"}),
        (0, {"column": 1}),
        (0, {"more": "x"}),
        (1, {"names": "x"}),
        (1, {"names": [1]}),
    ):
        entry = stored[number]
        assert isinstance(entry, dict)
        assert read_edits([{**entry, **broken}]) == ()
