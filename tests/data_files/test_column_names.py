"""Column names that cannot be field keys, and copies of files with other names."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.data_files.column_names import distinct_names, name_problems, write_with_names
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.reader import columns, rows
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.text_rows.csv_rows import MAX_COLUMNS
from batchwright.data_files.text_rows.sniffing import sniff
from tests.data_files.files import CSV, write_file

NAMES = st.lists(st.one_of(st.sampled_from(["", "a", "a_2", "k" * 128, "k" * 129]), st.text(max_size=3)))


def test_each_problem_names_its_columns_and_their_positions() -> None:
    problems = name_problems(["id", "note", "", "note", "k" * 129])
    assert [(problem.name, problem.positions, problem.reason) for problem in problems] == [
        ("note", (2, 4), "Columns 2 and 4 have this name."),
        ("", (3,), "The column has no name."),
        ("k" * 129, (5,), "The name has 129 characters; 128 are allowed."),
    ]


def test_of_two_columns_with_one_name_the_second_must_be_renamed() -> None:
    assert distinct_names(["note", "note", "note_2", ""]) == ("note", "note_3", "note_2", "column_4")


def test_only_columns_that_are_read_need_distinct_names() -> None:
    actual = distinct_names(["a"] * MAX_COLUMNS)
    assert actual[:3] == ("a", "a_2", "a_3")
    assert actual[-1] == f"a_{MAX_COLUMNS}"


@given(NAMES)
def test_proposed_names_are_valid_and_valid_names_are_unchanged(names: list[str]) -> None:
    names = [name.strip() for name in names]
    actual = distinct_names(names)
    assert name_problems(actual) == ()
    assert all(
        new == old for new, old in zip(actual, names, strict=True) if names.count(old) == 1 and _is_good(old)
    )


def _is_good(name: str) -> bool:
    return not name_problems([name])


@pytest.mark.parametrize(
    "content",
    [
        b'a,a\n1,2\nshort\n"open,3\n',
        b"\xef\xbb\xbfa,a\r\n1,2\r\n\r\n3,4",
        "a;a\nä;ö\n".encode("cp1252"),
        b'\n"a\nb","a\nb"\n1,2\n',
        b"a,a",
    ],
)
def test_a_copy_with_other_column_names_has_the_same_rows(content: bytes, tmp_path: Path) -> None:
    path, target = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_bytes(content)
    form = sniff(path) if b";" in content else CSV
    write_with_names(path, form, ("x", "y, z"), target)
    assert columns(target, form) == ("x", "y, z")
    before, after = [list(rows(entry, form)) for entry in (path, target)]
    assert [row.content for row in after] == [row.content for row in before]
    body = content.partition(b"1,2")
    assert target.read_bytes().endswith(body[1] + body[2])


def test_a_name_that_the_encoding_cannot_represent_is_rejected_with_a_message(tmp_path: Path) -> None:
    path = write_file(tmp_path, "a,a\n1,2\n")
    with pytest.raises(UnreadableFile, match="CP1252"):
        write_with_names(path, Format(FormatKind.CSV, "cp1252"), ("x", "漢"), tmp_path / "out.csv")
