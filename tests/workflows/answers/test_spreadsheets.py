"""CSV files in which no spreadsheet program runs a cell as a formula."""

import csv
import io
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import batchwright
from batchwright.data_files.spreadsheet_cells import original_cell, safe_cell, tab_separated
from batchwright.workflows.answers.download_verified import write_safe_copy
from tests.data_files.files import csv_text, write_file

CELLS = st.one_of(
    st.sampled_from(["=1+1", "-5", "@a", "\t=1", "", "'", "'=1", "''-a", "a=b"]), st.text(max_size=4)
)


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+A1",
        "-A1",
        "-5 min",
        "-",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        " =1",
        "\ufeff=1",
        "＝1",
        "'=1",
    ],
)
def test_a_cell_that_may_be_a_formula_gets_an_apostrophe(text: str) -> None:
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["", "a", "1", "a=1", "'", "'a", "ü", "-5", "+3.25", "-1,5", "-2e-10", "-5%"]
)
def test_any_other_cell_is_unchanged(text: str) -> None:
    assert safe_cell(text) == text


@given(st.lists(st.lists(st.text('a" ,\t\r\n', max_size=4), min_size=2, max_size=3), max_size=4))
def test_cells_that_are_pasted_are_those_that_were_copied(rows: list[list[str]]) -> None:
    text = io.StringIO(tab_separated(rows), newline="")
    assert list(csv.reader(text, delimiter="\t")) == rows


@settings(max_examples=40)
@given(st.lists(st.lists(CELLS, min_size=1, max_size=3), max_size=4))
def test_a_safe_copy_has_the_same_cells_except_for_apostrophes(rows: list[list[str]]) -> None:
    rows = [[cell.replace("\0", "") for cell in row] for row in rows]
    with TemporaryDirectory() as folder:
        path, target = write_file(Path(folder), csv_text(rows)), Path(folder, "safe.csv")
        changed = write_safe_copy(path, target)
        before, after = read_back(path), read_back(target)
    assert after == [[safe_cell(cell) for cell in row] for row in before]
    assert changed == sum(safe_cell(cell) != cell for row in before for cell in row)


@given(CELLS)
def test_the_original_of_a_safe_cell_is_the_text(text: str) -> None:
    assert original_cell(safe_cell(text)) == text


def test_csv_is_written_in_one_place() -> None:
    """So that no file is written without a decision whether it is safe for spreadsheets."""
    root = Path(batchwright.__file__).parent
    writers = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if re.search(r"csv\.(Dict)?[wW]riter\(", path.read_text(encoding="utf-8"))
    }
    assert writers == {"data_files/spreadsheet_cells.py"}


def read_back(path: Path) -> list[list[str]]:
    """The rows of a file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))
