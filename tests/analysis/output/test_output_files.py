"""Files with answers, read back with other programs' libraries."""

import csv
import errno
import json
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import duckdb
import pyreadstat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchwright.analysis.analyse import analyse
from batchwright.analysis.output.excel import write_excel
from batchwright.analysis.output.file_columns import (
    ColumnType,
    FileColumn,
    WideColumn,
    codebook_rows,
    long_columns,
    wide_columns,
)
from batchwright.analysis.output.output_files import OutputChoices, OutputFile, output_files, versions
from batchwright.analysis.output.output_kinds import OutputKind
from batchwright.analysis.output.pair_fields import PairFields
from batchwright.analysis.output.parquet import write_parquet
from batchwright.analysis.output.pseudonyms import read_key
from batchwright.analysis.output.spss import MAX_TEXT_BYTES, write_sav
from batchwright.analysis.output.text_files import write_csv, write_jsonl
from batchwright.analysis.output.write_files import KeyChanged, result_files, write_files
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.prepare.columns import WEIGHT
from tests.analysis.answers import ratings, record, table_of

TEXTS = ["Größe 🙂", None, "", "=1+1", "line\nbreak, “quoted”", "x" * 300]
NUMBERS = [1.5, None, -0.0, 1e300, 0.1, 3.0]
COLUMNS = [FileColumn("text", TEXTS), FileColumn("number", NUMBERS, type=ColumnType.NUMBER)]
HEADER, ROWS = ["text", "number"], list(zip(TEXTS, NUMBERS, strict=True))
ODD_TEXTS = st.text(st.characters(), max_size=60) | st.sampled_from(
    ["\ud800", "a\udfffb", "=cmd|' /C calc'!A1", "@SUM(A1)", "+1", "-2+3", "🙂" * 40_000, "é\0\r\n\t", ""]
)
SPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def valid(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def test_csv_and_jsonl(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_csv(path, HEADER, ROWS, is_spreadsheet_safe=False)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == HEADER
    assert [row[0] for row in rows[1:]] == [text or "" for text in TEXTS]
    write_jsonl(path, HEADER, ROWS)
    objects = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]
    assert [one.get("text") for one in objects] == TEXTS
    assert [one.get("number") for one in objects] == NUMBERS


def test_csv_that_is_safe_for_spreadsheets(tmp_path: Path) -> None:
    path = tmp_path / "a"
    rows: list[list[Any]] = [["=1+1"], ["  @A1"], ["1-1"], [-1.5], ["-1.5"]]
    write_csv(path, ["=text"], rows, is_spreadsheet_safe=True)
    assert path.read_text().splitlines() == ["'=text", "'=1+1", "'  @A1", "1-1", "-1.5", "-1.5"]


def test_parquet_is_read_by_duckdb(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write_parquet(path, COLUMNS)
    read = duckdb.sql(f"select text, number from read_parquet('{path}')").fetchall()
    assert read == ROWS
    columns = [FileColumn(f"c{n}", [str(row) for row in range(150_000)]) for n in range(2)]
    write_parquet(path, columns)
    assert duckdb.sql(f"select count(distinct c0), max(c1) from '{path}'").fetchall() == [(150_000, "99999")]
    rows = duckdb.sql(f"select c0 from '{path}'").fetchall()
    assert rows == [(str(row),) for row in range(150_000)]
    write_parquet(path, [FileColumn("empty", []), FileColumn("n", [], type=ColumnType.NUMBER)])
    assert duckdb.sql(f"select * from '{path}'").fetchall() == []
    types = duckdb.sql(f"select column_type from (describe select * from '{path}')").fetchall()
    assert types == [("VARCHAR",), ("DOUBLE",)]


def test_names_of_parquet_columns_are_unique_in_any_case(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    names = ["field_A", "field_a", 'field_"x"; --', "field_\ud800", "field_a_2", "\0"]
    write_parquet(path, [FileColumn(name, [str(number)]) for number, name in enumerate(names)])
    read = duckdb.sql(f"select * from '{path}'")
    assert read.fetchall() == [("0", "1", "2", "3", "4", "5")]
    assert read.columns[:5] == ["field_A", "field_a_2", 'field_"x"; --', "field_\ufffd", "field_a_2_2"]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.none() | ODD_TEXTS, min_size=1, max_size=4))
def test_odd_texts_are_complete_in_every_format(tmp_path_factory: Any, texts: list[str | None]) -> None:
    folder = tmp_path_factory.mktemp("odd")
    expected = [None if text is None else valid(text) for text in texts]
    write_parquet(folder / "a.parquet", [FileColumn("text", texts)])
    rows = duckdb.sql(f"select text from '{folder / 'a.parquet'}'").fetchall()
    assert [row[0] for row in rows] == expected
    write_jsonl(folder / "a.jsonl", ["text"], [[text] for text in texts])
    lines = (folder / "a.jsonl").read_bytes().decode().split("\n")[:-1]
    assert [json.loads(line).get("text") for line in lines] == texts
    write_sav(folder / "a.sav", [WideColumn("text", texts, label=(texts[0] or "")[:300])])
    values, _metadata = pyreadstat.read_sav(folder / "a.sav", output_format="dict")
    for read, text in zip(values["text"], expected, strict=True):
        whole = (text or "").replace("\0", " ")
        assert whole.startswith(read)
        is_cut = len(whole.encode()) > MAX_TEXT_BYTES
        assert len(read.encode()) > MAX_TEXT_BYTES - 4 if is_cut else read == whole.rstrip(" ")
    write_excel(folder / "a.xlsx", [("a", ["text"], [[text] for text in texts])])
    sheet = sheet_of(folder / "a.xlsx")
    assert not list(sheet.iter(f"{SPACE}f"))
    assert {cell.get("t") for cell in sheet.iter(f"{SPACE}c")} == {"inlineStr"}


@pytest.mark.parametrize("length", [1, 8, 200, 255, 256, 504, 505, 2000, 4000, 32_767])
def test_sav_is_read_by_pyreadstat(tmp_path: Path, length: int) -> None:
    texts = [None, "é" * (length // 2) + "x" * (length % 2), "y"]
    columns = [
        WideColumn("participant", texts, label="Participant"),
        WideColumn(
            "q1",
            [1.0, None, 2.0],
            ColumnType.NUMBER,
            "Which is better?",
            {1.0: "A", 2.0: "B is much better"},
        ),
        WideColumn("a_long_name_of_a_column", ["a", None, "b"]),
    ]
    path = tmp_path / "a.sav"
    write_sav(path, columns)
    values, metadata = pyreadstat.read_sav(path, output_format="dict")
    assert list(values) == ["participant", "q1", "a_long_name_of_a_column"]
    assert [text or None for text in values["participant"]] == texts
    assert [text or None for text in values["a_long_name_of_a_column"]] == ["a", None, "b"]
    assert values["q1"] == [1.0, None, 2.0]
    assert metadata.column_names_to_labels["q1"] == "Which is better?"
    assert metadata.variable_value_labels["q1"] == {1.0: "A", 2.0: "B is much better"}
    assert metadata.variable_measure["q1"] == "nominal"
    assert metadata.number_rows == 3
    assert metadata.creation_time.year == 1980


def test_texts_and_labels_in_sav_are_cut_between_characters(tmp_path: Path) -> None:
    path = tmp_path / "a.sav"
    write_sav(path, [WideColumn("q1", ["x" + "é" * MAX_TEXT_BYTES], label="é" * 300)])
    values, metadata = pyreadstat.read_sav(path, output_format="dict")
    assert values["q1"][0] == "x" + "é" * (MAX_TEXT_BYTES // 2)
    assert metadata.column_labels[0] == "é" * 127


def test_names_of_sav_variables_are_valid_and_unique() -> None:
    table = table_of([record("p", "t", "better", "a")], {"t": {"A": "1", "a": "2", "é =\ud800": "3"}})
    names = [column.name for column in wide_columns(table, [""])]
    assert all(name.isidentifier() and name.isascii() and len(name) <= 64 for name in names)
    assert len({name.casefold() for name in names}) == len(names)


def test_excel_has_texts_as_texts(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.xlsx", "b.xlsx")]
    for path in paths:
        write_excel(path, [("answers", HEADER, ROWS), ("empty", ["a"], [])])
    assert paths[0].read_bytes() == paths[1].read_bytes()
    with zipfile.ZipFile(paths[0]) as archive:
        assert b"empty" in archive.read("xl/workbook.xml")
    sheet = sheet_of(paths[0])
    rows = [[cell.get("t") for cell in row] for row in sheet.iter(f"{SPACE}row")]
    assert rows[:2] == [["inlineStr", "inlineStr"], ["inlineStr", None]]
    assert not list(sheet.iter(f"{SPACE}f"))
    assert "=1+1" in {text.text for text in sheet.iter(f"{SPACE}t")}


@pytest.mark.parametrize(("count", "names"), [(0, 1), (5, 1), (6, 2), (10, 2), (11, 3)])
def test_rows_beyond_the_maximum_of_a_sheet_continue_on_the_next(
    tmp_path: Path, count: int, names: int
) -> None:
    path = tmp_path / "a.xlsx"
    write_excel(path, [("answers", ["row"], [[f"r{row}"] for row in range(count)]), ("b", ["x"], [])], 5)
    with zipfile.ZipFile(path) as archive:
        workbook = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    sheets = [sheet.get("name") for sheet in workbook.iter(f"{SPACE}sheet")]
    assert sheets == [*["answers", "answers 2", "answers 3"][:names], "b"]
    texts = [[text.text for text in sheet_of(path, n + 1).iter(f"{SPACE}t")] for n in range(names)]
    assert [first for first, *_rows in texts] == ["row"] * names
    assert [row for _first, *rows in texts for row in rows] == [f"r{row}" for row in range(count)]


def test_columns_beyond_the_maximum_of_a_sheet_continue_on_the_next(tmp_path: Path) -> None:
    path, last = tmp_path / "a.xlsx", 16_384
    columns = [f"c{number}" for number in range(last + 2)]
    rows = [[f"r{row} {column}" for column in columns] for row in range(2)]
    write_excel(path, [("wide", columns, rows)], 1)
    with zipfile.ZipFile(path) as archive:
        workbook = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    sheets = [sheet.get("name") for sheet in workbook.iter(f"{SPACE}sheet")]
    assert sheets == ["wide", "wide 2", "wide 3", "wide 4"]
    texts = [[text.text for text in sheet_of(path, n + 1).iter(f"{SPACE}t")] for n in range(4)]
    assert texts[0] == [*columns[:last], *rows[0][:last]]
    assert texts[1] == [*columns[last:], *rows[0][last:]]
    assert texts[2] == [*columns[:last], *rows[1][:last]]
    assert texts[3] == [*columns[last:], *rows[1][last:]]


def sheet_of(path: Path, number: int = 1) -> ElementTree.Element:
    with zipfile.ZipFile(path) as archive:
        return ElementTree.fromstring(archive.read(f"xl/worksheets/sheet{number}.xml"))


DEVICE_FULL = Path("/dev/full")


@pytest.mark.skipif(os.name == "nt" or not DEVICE_FULL.exists(), reason="needs Linux")
@pytest.mark.parametrize("name", ["csv", "jsonl", "parquet", "sav"])
def test_a_full_disk_is_an_error_of_the_operating_system(name: str) -> None:
    reason = os.strerror(errno.EIO if name == "sav" else errno.ENOSPC)
    write: dict[str, Any] = {
        "csv": lambda: write_csv(DEVICE_FULL, HEADER, ROWS * 9999, is_spreadsheet_safe=False),
        "jsonl": lambda: write_jsonl(DEVICE_FULL, HEADER, ROWS * 9999),
        "sav": lambda: write_sav(DEVICE_FULL, [WideColumn("q1", ["x" * 9000] * 999)]),
        "parquet": lambda: write_parquet(DEVICE_FULL, COLUMNS),
    }
    with pytest.raises(OSError, match=reason):
        write[name]()


def test_all_files_are_written_or_none(tmp_path: Path) -> None:
    def fail(path: Path) -> None:
        path.write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    good = OutputFile("a.txt", lambda path: void(path.write_text("new")))
    folder = tmp_path / "new" / "folder"
    with pytest.raises(OSError, match="No space") as caught:
        write_files([good, OutputFile("b.txt", fail)], folder)
    assert caught.value.filename == str(folder / "b.txt")
    assert not list(folder.iterdir())
    done: list[tuple[int, str]] = []
    write_files([good], folder, lambda number, name: done.append((number, name)))
    assert done == [(0, "a.txt"), (1, "")]
    assert [path.read_text() for path in folder.iterdir()] == ["new"]
    (folder / "a.txt").chmod(0o444)
    with pytest.raises(PermissionError, match="read-only"):
        write_files([good], folder)


def void(_value: object) -> None:
    return None


def test_bytes_do_not_depend_on_the_order_of_sets(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tests.analysis.output import test_output_files; "
        "test_output_files.write_everything(Path(sys.argv[1]))"
    )
    for seed in ("1", "2"):
        folder = tmp_path / seed
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", program, str(folder)], env=environment, check=True)
    names = sorted(path.name for path in (tmp_path / "1").iterdir())
    assert {
        "answers.sav",
        "answers.parquet",
        "answers.xlsx",
        "labels.jsonl",
        "preference-pairs.jsonl",
    } <= set(names)
    for name in names:
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes(), name


@pytest.mark.parametrize("kind", OutputKind)
def test_every_kind_of_files_is_written_by_the_module_of_its_row(kind: OutputKind) -> None:
    table = table_of(ratings([["a", "b"]], "better"), {"t0": {"topic": "x", "left": "1", "right": "2"}})
    choices = OutputChoices({kind}, PairFields("topic", "left", "right"))
    assert output_files(analyse(table, AnalysisSettings()), choices)


@pytest.mark.parametrize("kind", [OutputKind.XLSX, OutputKind.SAV])
def test_texts_that_a_format_cuts_are_counted(kind: OutputKind) -> None:
    texts = {"whole": "x" * 32_767, "cut": "x" * 32_768, "cut too": "🙂" * 16_384, "same": "x" * 32_768}
    table = table_of([record("p", "t", "reason", "Because.")], {"t": texts})
    (file, *_others) = output_files(analyse(table, AnalysisSettings()), OutputChoices({kind}))
    assert file.note.startswith("2 texts are cut in the ")
    short = table_of([record("p", "t", "reason", "Because.")], {"t": {"whole": texts["whole"]}})
    (file, *_others) = output_files(analyse(short, AnalysisSettings()), OutputChoices({kind}))
    assert file.note == ""


def test_preference_pairs_are_from_the_answers_to_records_that_came_first(tmp_path: Path) -> None:
    """A copy of a record says how far participants agree with themselves only."""
    sides = {"prompt": "Why?", "left": "Thus.", "right": "So."}
    fields = {
        "t0": {**sides, "META_RECORD_ID": "1", "META_COPY_OF": ""},
        "t1": {**sides, "META_RECORD_ID": "1", "META_COPY_OF": "1"},
        "t2": {**sides, "META_RECORD_ID": "2", "META_COPY_OF": "", "prompt": ""},
        "t3": {**sides, "META_RECORD_ID": "2", "META_COPY_OF": "2", "prompt": ""},
    }
    table = table_of(ratings([["a"], ["b"], ["a"], ["a"]], "better"), fields)
    choices = OutputChoices({OutputKind.PAIRS}, PairFields("prompt", "left", "right"))
    write_files(output_files(analyse(table, AnalysisSettings()), choices), tmp_path)
    lines = (tmp_path / "preference-pairs.jsonl").read_text().splitlines()
    assert [json.loads(line)["task"] for line in lines] == ["t0"]
    omitted = (tmp_path / "preference-pairs-omitted.csv").read_text()
    assert "t2" in omitted
    assert "t3" not in omitted


def write_everything(folder: Path) -> None:
    fields = {f"t{n}": {"topic": "xy"[n % 2], "left": "1", "right": "2"} for n in range(3)}
    table = table_of(
        [
            *ratings([["a", "b"], ["b", "b"], ["a", "a"]], "better"),
            record("p1", "t1", "faults", "wrong", "short"),
            record("p1", "t1", "reason", "Because."),
        ],
        fields,
    )
    choices = OutputChoices(set(OutputKind), PairFields("topic", "left", "right"))
    write_files(output_files(analyse(table, AnalysisSettings()), choices), folder)


def test_labels_have_the_fields_of_their_record(tmp_path: Path) -> None:
    write_everything(tmp_path)
    lines = (tmp_path / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    first = json.loads(lines[1])
    assert (first["task"], first["label"], first["question_text"]) == (
        "t1",
        "B is better",
        "Which answer is better?",
    )
    assert first["record"] == {"topic": "y", "left": "1", "right": "2"}


def test_versions_are_those_of_all_libraries() -> None:
    names = ["batchwright", "numpy", "duckdb", "pandas", "pyreadstat", "xlsxwriter"]
    assert list(versions()) == names


def test_one_row_per_participant_and_task_with_a_column_per_question() -> None:
    table = table_of(
        [
            record("p2", "t1", "better", "b"),
            record("p2", "t1", "faults", "wrong"),
            record("p1", "t1", "better", "gone"),
            record("p1", "t1", "faults"),
            record("p2", "t2", "scale", 4),
            record("p2", "t2", "duration", {"value": "2", "unit": "h"}),
            record("p2", "t2", "picture", {"file_key": "a", "file_name": "a.png"}, {"file_key": "b"}),
            record("p2", "t2", "reason", "Because."),
        ],
        {"t1": {"topic": "a"}, "t2": {"topic": "b"}},
    )
    columns = {column.name: column for column in wide_columns(table, ["Test", "Test", *[""] * 6])}
    values: dict[str, list[Any]] = {name: column.values for name, column in columns.items()}
    assert values["participant"] == ["p2", "p1", "p2"]
    assert values["task"] == ["t1", "t1", "t2"]
    assert values["excluded"] == ["Test", None, None]
    assert values["q1"] == [2, None, None]
    assert (values["q2_1"], values["q2_2"]) == ([1, 0, None], [0, 0, None])
    assert (values["q3"], values["q4"], values["q4_unit"]) == (
        [None, None, 4],
        [None, None, 2],
        [None, None, "h"],
    )
    assert (values["q5"], values["q6"]) == ([None, None, "Because."], [None, None, "a.png; b"])
    assert values["field1"] == ["a", "a", "b"]
    rows = [
        (row.column, row.value, row.value_label, row.count, row.count_excluded)
        for row in codebook_rows([*columns.values()])
    ]
    assert ("q1", "", "", 0, 1) in rows, "the only answer is excluded"
    assert ("q1", "2", "B is better", 0, 1) in rows
    assert ("q2_1", "0", "not selected", 1, 0) in rows
    assert ("q2_1", "1", "selected", 0, 1) in rows
    assert ("field1", "a", "", 1, 1) in rows


def test_long_codes_are_complete_in_the_codebook() -> None:
    codes = {11000000.0: "Physics", 11000001.0: "Chemistry", 0.5: "Half"}
    column = WideColumn("q1", [11000001.0], ColumnType.NUMBER, value_labels=codes)
    values = [row.value for row in codebook_rows([column])]
    assert values == ["", "11000000", "11000001", "0.5"]


def test_long_and_wide_files_of_an_empty_table() -> None:
    table = table_of([])
    assert not long_columns(table, [])[0].values
    assert not wide_columns(table, [])[0].values


def test_the_number_of_rows_is_reported_while_files_are_written(tmp_path: Path) -> None:
    table = table_of(record(f"p{n}", f"t{n}", "better", "a") for n in range(2500))
    reported: list[int] = []
    choices = OutputChoices({OutputKind.XLSX})
    write_files(output_files(analyse(table, AnalysisSettings()), choices, reported.append), tmp_path)
    assert reported == [0, 1000, 1000, 0, 1000, 1000], "the answers, long and wide"


def test_an_error_while_rows_are_reported_leaves_no_file(tmp_path: Path) -> None:
    def stop(count: int) -> None:
        if count:
            raise InterruptedError

    table = table_of(record(f"p{n}", f"t{n}", "better", "a") for n in range(2500))
    files = output_files(analyse(table, AnalysisSettings()), OutputChoices({OutputKind.CSV}), stop)
    with pytest.raises(InterruptedError):
        write_files(files, tmp_path)
    assert not list(tmp_path.iterdir())


TIMES = ["2026-03-03T08:00:00.001Z", None, "0001-01-01T00:00:00.000Z", "1850-01-01T00:00:00.000Z"]


def test_times_in_excel_are_times_since_the_year_of_its_calendar(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    values = FileColumn("answered_at", TIMES, ColumnType.TIME).typed.values
    write_excel(path, [("answers", ["answered_at"], [[value] for value in values])])
    cells = [(cell.get("t"), cell.findtext(f"{SPACE}v")) for cell in sheet_of(path).iter(f"{SPACE}c")][1:]
    days = (datetime(2026, 3, 3, 8) - datetime(1899, 12, 30)) / timedelta(days=1)
    assert cells[0][0] is None
    assert float(cells[0][1] or 0) == pytest.approx(days + 0.001 / 86_400, abs=1e-9)
    assert [kind for kind, _value in cells[1:]] == ["inlineStr", "inlineStr"]


def test_times_in_sav_are_times_since_the_first_year_of_its_calendar(tmp_path: Path) -> None:
    path = tmp_path / "a.sav"
    write_sav(path, [WideColumn("answered_at", TIMES, ColumnType.TIME)])
    frame, metadata = pyreadstat.read_sav(path)
    assert metadata.original_variable_types["answered_at"].startswith("DATETIME")
    assert metadata.variable_measure["answered_at"] == "scale"
    first, *others = frame["answered_at"].dt.round("ms")
    assert first == datetime(2026, 3, 3, 8, 0, 0, 1000)
    assert [value == datetime(1850, 1, 1) for value in others] == [False, False, True]


@pytest.mark.parametrize(
    ("level", "measure"),
    [("", "ordinal"), ("nominal", "nominal"), ("ordinal", "ordinal"), ("interval", "scale")],
)
def test_a_scale_is_ordinal_in_sav_unless_a_level_was_chosen(
    tmp_path: Path, level: str, measure: str
) -> None:
    table = table_of(ratings([[1, 5]]))
    columns = [
        replace(column, level=level) if column.value_labels else column
        for column in wide_columns(table, ["", ""])
    ]
    path = tmp_path / "a.sav"
    write_sav(path, columns)
    _values, metadata = pyreadstat.read_sav(path)
    measures = {name: metadata.variable_measure[name] for name in metadata.variable_value_labels}
    assert set(measures.values()) == {measure} if level else measures["q3"] == measure


@pytest.mark.parametrize(
    ("texts", "is_number"),
    [
        (["2020", "2021"], True),
        (["-1.50", "0", "3"], True),
        (["1.1", "1.10"], False),
        (["007", "8"], False),
        (["1234567890123456"], False),
        (["123456789012345"], True),
        (["1e3", "2"], False),
        (["NA", "2"], False),
        (["", "2"], True),
        ([""], False),
        (["1,5", "2"], False),
    ],
)
def test_a_field_is_numeric_if_all_its_texts_are_different_numbers(
    texts: list[str], is_number: bool, tmp_path: Path
) -> None:
    answers = [record("p", f"t{number}", "better", "a") for number in range(len(texts))]
    table = table_of(answers, {f"t{number}": {"x": text} for number, text in enumerate(texts)})
    reasons = [""] * len(texts)
    for columns in (long_columns(table, reasons), wide_columns(table, reasons)):
        assert (columns[-1].type is ColumnType.NUMBER) is is_number
        assert [value or "" for value in columns[-1].values] == texts
    path = tmp_path / "a.parquet"
    write_parquet(path, long_columns(table, reasons))
    ((kind,),) = duckdb.sql(f"select typeof(field_x) from '{path}' limit 1").fetchall()
    assert kind == ("DOUBLE" if is_number else "VARCHAR")


def test_files_have_the_weights_of_a_preparation_unless_they_were_switched_off() -> None:
    records = [record("p", f"t{task}", "better", "a", metadata={WEIGHT: of}) for task, of in enumerate("31")]
    table, settings = table_of(records), AnalysisSettings()
    assert analyse(table, settings).settings.weight_field == WEIGHT
    assert not analyse(table, settings.with_changes(weight_field="")).settings.weight_field


def test_a_key_that_another_save_has_extended_meanwhile_loses_no_pseudonym(tmp_path: Path) -> None:
    choices, key = OutputChoices(kinds=frozenset({OutputKind.CSV})), tmp_path / "key.csv"
    tables = {id: table_of([record(id, "t", "better", "a")]) for id in ("anna", "bert")}
    first, second = (
        result_files(table, AnalysisSettings(), choices, tmp_path / id, key) for id, table in tables.items()
    )
    second.write()
    with pytest.raises(KeyChanged):
        first.write()
    assert not (tmp_path / "anna").exists()
    result_files(tables["anna"], AnalysisSettings(), choices, tmp_path / "anna", key).write()
    assert read_key(key) == {"bert": "P0001", "anna": "P0002"}
