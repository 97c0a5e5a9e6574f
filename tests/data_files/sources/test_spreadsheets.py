"""Spreadsheets: their cells as they are shown, the proposed table, and what is said about it."""

import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, cast

import pytest
import xlsxwriter

from batchwright.base.json_values import Json
from batchwright.data_files.rows import EmptyFile, UnreadableFile
from batchwright.data_files.sources import spreadsheets
from batchwright.data_files.sources.registry import open_table
from batchwright.data_files.sources.source import OptionValue, SourceOptions
from tests.data_files.sources.tables import records

FILES = Path(__file__).parent / "files"


@dataclass(frozen=True)
class Table:
    columns: tuple[str, ...]
    rows: dict[int, list[Json]]
    options: dict[str, OptionValue]
    notes: list[str]


def table_of(path: Path, **options: OptionValue) -> Table:
    with open_table(path, SourceOptions().with_values(options)) as table:
        rows = {number: list(cast("Sequence[Json]", cells)) for number, cells in table.rows}
        chosen = {choice.option: choice.current for choice in table.choices}
        return Table(tuple(table.columns), rows, chosen, table.notes)


def workbook(path: Path, cells: Sequence[Sequence[Any]], formats: Sequence[str] = ()) -> Path:
    """A workbook with these cells; `formats` are those of the columns."""
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        forms = [book.add_format({"num_format": code}) for code in formats]
        for number, row in enumerate(cells):
            for column, cell in enumerate(row):
                form = forms[column] if number and column < len(forms) else None
                sheet.write(number, column, cell, form)
    return path


SHOWN: list[list[Json]] = [
    ["00007", "Ja, “gut”\nund schön", "50%", "猫", "1,234.50", "2020-06-18 12:00:00"],
    ["00008", "both", "25.00%", "TRUE", "#N/A", "18:00:00"],
    ["12345678901234567890", "both", "36:00:00", "007", "NA", "1899-05-06 00:00:00"],
]
STORED = (
    "Numbers were read as they are stored, such as 0.5 for 50%, errors as empty cells, and hidden rows and"
    " columns like all others. Save the file as .xlsx to read what is shown."
)
COLUMNS = ("id", "Model A text", "Model A share", "Model B text", "Model B share", "when")


@pytest.mark.parametrize("name", ["study.xlsx", "study.xls", "study.xlsb", "study.ods"])
def test_a_workbook_of_another_program_is_read_as_it_is_shown(name: str) -> None:
    table = table_of(FILES / name)
    assert table.columns == COLUMNS
    assert table.rows == dict(enumerate(SHOWN, 5))
    assert table.options == {"sheet": "Pilot", "header_row": 4, "header_rows": 2, "merged": ""}
    assert [note for note in table.notes if "hidden row" not in note] == [
        "1 sheet is hidden.",
        "1 merged cell takes several rows or columns.",
        "1 hidden column was read as well.",
        "1 cell has an error such as #N/A, which was read as text.",
    ]
    is_written = not name.endswith(".xlsb")  # SheetJS has not read that the row is hidden
    assert ("1 hidden row was read as well." in table.notes) == is_written


@pytest.mark.parametrize(
    ("name", "first_day", "fourth_day"),
    [("values.ods", "1899-12-30 00:00:00", "1900-01-04"), ("values.xls", "00:00:00", "1900-01-05")],
)
def test_values_of_all_kinds_in_an_old_and_an_opendocument_file(
    name: str, first_day: str, fourth_day: str
) -> None:
    table = table_of(FILES / name)
    again = ["2024-05-08 00:00:00", "1,000,000.00 €", "100000000000000000000", "FALSE", "same", "x", "009"]
    assert table.columns == ("when", "price", "part", "done", "note", "group", "id")
    assert table.rows == {
        4: ["2024-05-06 00:00:00", "1,234.50 €", "0.333333333333333", "TRUE", "a  b\tc", "both", "007"],
        5: ["2024-05-06 07:08:09", "-2.25 €", "0.3", "FALSE", "x & <y>", "both", "123456789012"],
        6: ["2024-05-07 00:00:00", "0.00 €", "1e-07", "TRUE", " lead ", "both", "1000000000000000"],
        **dict.fromkeys((7, 8, 9), again),
        10: [first_day, "60:00:00", "", "", "bold text end", "", fourth_day],
        11: ["", "", "", "", "last", "", "012"],
    }
    assert table.notes == [
        "1 merged cell takes several rows or columns.",
        "1 hidden row was read as well.",
    ]


@pytest.mark.parametrize("name", ["study.xlsx", "study.ods"])
def test_merged_cells_are_repeated_or_not(name: str) -> None:
    assert [row[1] for row in table_of(FILES / name, merged="first").rows.values()][1:] == ["both", ""]


def test_the_lower_header_row_alone_can_be_chosen() -> None:
    table = table_of(FILES / "study.xlsx", header_row=4, header_rows=1)
    assert table.columns == ("", "text", "share", "text", "share", "")
    assert table_of(FILES / "study.xlsx", header_row=3).columns[:3] == ("id", "Model A", "Model A")


def test_formulas_without_a_stored_result_are_counted() -> None:
    table = table_of(FILES / "formulas-without-results.xlsx")
    assert [row[4] for row in table.rows.values()] == ["", "", ""]
    assert any(note.startswith("3 formulas have no stored result") for note in table.notes)
    assert table.rows[3][2] == "1899-05-06 00:00:00"


def test_days_counted_from_1904() -> None:
    rows = table_of(FILES / "days-from-1904.xlsx").rows
    assert [*rows.values()] == [["2024-05-06 00:00:00"], ["1904-01-02 12:00:00"]]


def test_values_of_all_kinds(tmp_path: Path) -> None:
    values = [
        1,
        -2.5,
        0.1 + 0.2,
        1e20,
        1e-7,
        123456789012345,
        True,
        date(2024, 5, 6),
        "NA",
        "007",
        " x ",
        "=1+1",
    ]
    path = workbook(tmp_path / "a.xlsx", [["value"], *[[value] for value in values[:7]]])
    assert [row[0] for row in table_of(path).rows.values()] == [
        *("1", "-2.5", "0.3", "100000000000000000000", "1e-07", "123456789012345", "TRUE"),
    ]
    path = workbook(tmp_path / "b.xlsx", [["text", "id"], *[[value, "x"] for value in ("NA", "007", " x ")]])
    assert [row[0] for row in table_of(path).rows.values()] == ["NA", "007", " x "]


def test_dates_and_times(tmp_path: Path) -> None:
    when = datetime(2024, 5, 6, 7, 8, 9, 500_000)
    codes = ["yyyy-mm-dd", "dd.mm.yyyy hh:mm", "hh:mm", "[h]:mm:ss"]
    path = workbook(tmp_path / "a.xlsx", [["a", "b", "c", "d"], [date(2024, 5, 6), when, 0.25, 2.5]], codes)
    assert table_of(path).rows[2] == ["2024-05-06", "2024-05-06 07:08:09.5", "06:00:00", "60:00:00"]


def test_a_negative_duration_is_no_date(tmp_path: Path) -> None:
    cells: list[list[Json]] = [["duration", "date"], [-0.5, -0.5], [-1.25, -1]]
    table = table_of(workbook(tmp_path / "a.xlsx", cells, ["[h]:mm:ss", "yyyy-mm-dd"]))
    assert table.rows == {2: ["-12:00:00", "1899-12-29 12:00:00"], 3: ["-30:00:00", "1899-12-29"]}


def test_a_duration_that_is_too_long_is_named(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", [["id", "duration"], ["x", 1_700_000_000]], ["@", "[h]:mm:ss"])
    with pytest.raises(UnreadableFile, match="a duration of more than"):
        table_of(path)


def test_midnight_is_a_time_only_in_a_column_that_has_others(tmp_path: Path) -> None:
    midnight, noon = datetime(2024, 5, 6), datetime(2024, 5, 6, 12)
    cells: list[list[Any]] = [
        ["day", "moment"],
        [midnight, midnight],
        [midnight, noon],
        ["", ""],
        [midnight, midnight],
    ]
    path = workbook(tmp_path / "a.xlsx", cells, ["yyyy-mm-dd", "yyyy-mm-dd hh:mm"])
    day = "2024-05-06"
    moments = [f"{day} 00:00:00", f"{day} 12:00:00", f"{day} 00:00:00"]
    assert [*table_of(path).rows.values()] == [[day, moment] for moment in moments]


def test_special_texts(tmp_path: Path) -> None:
    texts = ["a\rb_x000D_c", "<b>&amp;", "a" * 32_767, "👩‍👩‍👧 שלום"]
    path = workbook(tmp_path / "a.xlsx", [["text", "id"], *[[text, "x"] for text in texts]])
    assert [row[0] for row in table_of(path).rows.values()] == texts


def test_an_integer_with_more_digits_than_a_float_is_kept(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", [["id", "text"], [111, "x"]])
    replaced = tmp_path / "b.xlsx"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(replaced, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b"<v>111</v>", b"<v>12345678901234567891</v>"))
    assert table_of(replaced).rows[2] == ["12345678901234567891", "x"]


def test_empty_rows_and_columns_around_and_in_the_table_are_left_out(tmp_path: Path) -> None:
    cells = [[], ["", "", "prompt", "", "", "id", ""], [], ["", "", "Which?", "", "a remark", "1"]]
    table = table_of(workbook(tmp_path / "a.xlsx", cells))
    assert table.columns == ("prompt", "", "id")
    assert table.rows == {4: ["Which?", "a remark", "1"]}


def test_a_sheet_without_a_header(tmp_path: Path) -> None:
    table = table_of(workbook(tmp_path / "a.xlsx", [["Ann", 5], ["Bob", 6]]))
    assert (table.columns, table.rows) == (("", ""), {1: ["Ann", "5"], 2: ["Bob", "6"]})


def test_sheets_without_cells_and_charts_are_not_proposed(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet("Empty")
        book.add_worksheet("Data").write_row(0, 0, ["a", "b"])
        chart = book.add_chart({"type": "line"})
        chart.add_series({"values": "=Data!$A$1:$B$1"})
        book.add_chartsheet("Chart").set_chart(chart)
    assert table_of(path).options["sheet"] == "Data"
    table = table_of(path, sheet="Empty")
    assert table.options["sheet"] == "Data"
    assert table.notes == ["The sheet “Empty” is empty."]
    assert table_of(path, sheet="Chart").options["sheet"] == "Data"


def test_a_workbook_without_cells_is_empty(tmp_path: Path) -> None:
    with pytest.raises(EmptyFile):
        table_of(workbook(tmp_path / "a.xlsx", []))


def test_the_memory_of_a_large_sheet_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreadsheets, "_MANY_CELLS", 3)
    note = "A spreadsheet is read into memory whole: as CSV or Parquet, this table needs less."
    assert table_of(workbook(tmp_path / "a.xlsx", [["a"], ["x"], ["y"]])).notes == []
    assert table_of(workbook(tmp_path / "b.xlsx", [["a", "b"], ["x", "y"]])).notes == [note]


def test_the_most_columns_of_a_sheet(tmp_path: Path) -> None:
    names = [f"c{number}" for number in range(16_384)]
    table = table_of(workbook(tmp_path / "a.xlsx", [names, names]))
    assert table.columns == tuple(names)
    assert table.rows == {2: names}


def test_a_workbook_whose_formats_are_not_found_is_read_as_it_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "before-excel-97.xls"
    name, old_name = ("Workbook".encode("utf-16-le"), "Book\0\0\0\0".encode("utf-16-le"))
    path.write_bytes((FILES / "study.xls").read_bytes().replace(name, old_name))
    table = table_of(path)
    assert table.rows[5] == ["7", "Ja, “gut”\nund schön", "0.5", "猫", "1234.5", "2020-06-18 12:00:00"]
    assert table.rows[7][5] == "00:00:00"
    assert table.notes[-2:] == [
        "1 cell was read as 00:00:00; in this type of file, it may be a date before 1900.",
        STORED,
    ]


def test_a_workbook_with_prefixes_in_its_xml_is_read_as_it_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "prefixes.xlsx"
    with zipfile.ZipFile(FILES / "study.xlsx") as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.startswith("xl/worksheets/sheet"):
                content = re.sub(rb"<(/?)(?=[a-zA-Z])", rb"<\1x:", content).replace(b"xmlns=", b"xmlns:x=")
            new.writestr(name, content)
    table = table_of(path)
    assert table.rows[5][2:5] == ["0.5", "猫", "1234.5"]
    assert table.notes[-1] == STORED


def test_files_of_further_programs() -> None:
    assert [*table_of(FILES / "pandas.ods").rows.values()] == [
        ["007", "a  b\tc\nd", "1.5", "TRUE", "2024-05-06 00:00:00", "1899-01-02"],
        ["12345678901234567890", "ü", "2", "FALSE", "2024-05-06 07:08:00", "2024-01-01"],
    ]
    assert [*table_of(FILES / "pyxlsbwriter.xlsb").rows.values()] == [
        ["007", "1.5", "2024-05-06 07:08:00", "TRUE"],
        ["ü", "2", "2024-05-07 00:00:00", "FALSE"],
    ]


def test_white_space_between_tags_is_ignored() -> None:
    table = table_of(FILES / "indented.ods")
    assert table.columns == COLUMNS
    assert table.rows[5][:5] == ["7", "Ja, “gut”\nund schön", "0.5", "猫", "1234.5"]
    assert [row[1] for row in table.rows.values()][1:] == ["both", "both"]


def rewritten(path: Path, name: str, part: str, pattern: str, replacement: str) -> Path:
    """A file of these tests in which a pattern in one of its parts is replaced."""
    with zipfile.ZipFile(FILES / name) as old, zipfile.ZipFile(path, "w") as new:
        for member in old.namelist():
            content = old.read(member)
            if member == part:
                content = re.sub(pattern.encode(), replacement.encode(), content, flags=re.DOTALL)
            new.writestr(member, content)
    return path


@pytest.mark.parametrize("kind", ["row", "column"])
def test_grouped_rows_and_columns_have_their_own_formats(tmp_path: Path, kind: str) -> None:
    start, end = f"<table:table-{kind}-group>" * 2, f"</table:table-{kind}-group>" * 2
    pattern = (
        r"(<table:table-row .*?</table:table-row>)" if kind == "row" else r"(<table:table-column [^>]*>)"
    )
    path = rewritten(tmp_path / "a.ods", "study.ods", "content.xml", pattern, rf"{start}\1{end}")
    assert table_of(path) == table_of(FILES / "study.ods")


@pytest.mark.parametrize(
    "replacement",
    [
        r"<office:annotation><text:p>Really?</text:p></office:annotation><text:p>\1",
        r'<text:p text:style-name="P1">\1',
    ],
)
def test_comments_and_styles_of_paragraphs_do_not_matter(tmp_path: Path, replacement: str) -> None:
    path = rewritten(tmp_path / "a.ods", "study.ods", "content.xml", "<text:p>([^<]*[0-9][^<]*)", replacement)
    assert table_of(path) == table_of(FILES / "study.ods")


SHEET = "xl/worksheets/sheet1.xml"


@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [
        (r"><(?=/?c[ >]|[fv][ >])", r">\n  <"),
        (r'<c (r="[A-Z0-9]*") (s="[0-9]*")( t="[a-z]")?', r"<c\3 \2 \1"),
        (r'<c (r="[A-Z0-9]*") (s="[0-9]*")( t="[a-z]")?', r"<c \2\3 \1"),
    ],
)
def test_white_space_and_the_order_of_attributes_do_not_matter(
    tmp_path: Path, pattern: str, replacement: str
) -> None:
    path = rewritten(tmp_path / "a.xlsx", "study.xlsx", SHEET, pattern, replacement)
    assert table_of(path) == table_of(FILES / "study.xlsx")


@pytest.mark.parametrize(
    ("pattern", "replacement"), [(r'<c r="[A-Z0-9]*"', "<c"), (r'<c r="([A-Z0-9]*)"', r"<c r='\1'")]
)
def test_a_workbook_whose_cells_are_not_found_is_read_as_it_is_stored(
    tmp_path: Path, pattern: str, replacement: str
) -> None:
    path = rewritten(tmp_path / "a.xlsx", "study.xlsx", SHEET, pattern, replacement)
    assert table_of(path).notes[-1] == STORED


def test_a_form_of_cells_that_is_not_read_is_named() -> None:
    with pytest.raises(UnreadableFile, match="short form"):
        table_of(FILES / "short-cells.xlsb")


def test_a_file_with_a_password() -> None:
    with pytest.raises(UnreadableFile, match="protected by a password"):
        table_of(FILES / "password.xlsx")


@pytest.mark.parametrize("bytes_left", [10, 1000, 4000])
def test_a_damaged_file(bytes_left: int, tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes((FILES / "study.xlsx").read_bytes()[:bytes_left])
    with pytest.raises(UnreadableFile, match="damaged"):
        table_of(path)


@pytest.mark.parametrize("bytes_left", range(448, 7168, 448))
def test_an_old_file_that_is_not_complete(bytes_left: int, tmp_path: Path) -> None:
    path = tmp_path / "a.xls"
    path.write_bytes((FILES / "study.xls").read_bytes()[:bytes_left])
    with pytest.raises(UnreadableFile, match="damaged"):
        records(path)


def test_a_file_that_decompresses_to_far_too_much_data(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", [["a", "b"]])
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/image1.png", bytes(101 << 20))
    with pytest.raises(UnreadableFile, match="far too much data"):
        table_of(path)
