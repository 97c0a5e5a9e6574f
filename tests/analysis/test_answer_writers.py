"""Files with answers, read back with other programs' libraries."""

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import duckdb
import pyreadstat
import pytest

from batchwright.analysis.answer_writers import csv_file, jsonl_file
from batchwright.analysis.excel import excel_file
from batchwright.analysis.long_format import LongColumn, long_columns
from batchwright.analysis.parquet import parquet_file
from batchwright.analysis.spss import MAX_TEXT_BYTES, sav_file
from batchwright.analysis.wide_format import WideColumn, codebook_rows, wide_columns
from tests.analysis.answers import record, table_of

TEXTS = ["Größe 🙂", None, "", "=1+1", "line\nbreak, “quoted”", "x" * 300]
NUMBERS = [1.5, None, -0.0, 1e300, 0.1, 3.0]
COLUMNS = [LongColumn("text", TEXTS), LongColumn("number", NUMBERS, is_number=True)]


def test_csv_and_jsonl() -> None:
    rows = list(csv.reader(io.StringIO(csv_file(COLUMNS).decode(), newline="")))
    assert rows[0] == ["text", "number"]
    assert [row[0] for row in rows[1:]] == [text or "" for text in TEXTS]
    objects = [json.loads(line) for line in jsonl_file(COLUMNS).decode().split("\n")[:-1]]
    assert [one.get("text") for one in objects] == TEXTS
    assert [one.get("number") for one in objects] == NUMBERS


def test_parquet_is_read_by_duckdb(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(parquet_file(COLUMNS, "batchwright 1"))
    read = duckdb.sql(f"select text, number from read_parquet('{path}')").fetchall()
    assert read == list(zip(TEXTS, NUMBERS, strict=True))
    columns = [LongColumn(f"c{n}", [str(row) for row in range(150_000)]) for n in range(2)]
    path.write_bytes(parquet_file(columns, ""))
    assert duckdb.sql(f"select count(distinct c0), max(c1) from '{path}'").fetchall() == [(150_000, "99999")]
    path.write_bytes(parquet_file([LongColumn(f"c{n}", ["a", "b"]) for n in range(20)], ""))
    assert len(duckdb.sql(f"select * from '{path}'").fetchall()[1]) == 20
    path.write_bytes(parquet_file([LongColumn("empty", [])], ""))
    assert duckdb.sql(f"select * from '{path}'").fetchall() == []


@pytest.mark.parametrize("length", [1, 8, 200, 255, 256, 504, 505, 2000, 4000])
def test_sav_is_read_by_pyreadstat(tmp_path: Path, length: int) -> None:
    texts = [None, "é" * (length // 2) + "x" * (length % 2), "y"]
    columns = [
        WideColumn("participant", "Participant", texts),
        WideColumn("q1", "Which is better?", [1.0, None, 2.0], True, {1.0: "A", 2.0: "B is much better"}),
        WideColumn("a_long_name_of_a_column", "", ["a", None, "b"]),
    ]
    path = tmp_path / "a.sav"
    path.write_bytes(sav_file(columns))
    values, metadata = pyreadstat.read_sav(path, output_format="dict")
    assert list(values) == ["participant", "q1", "a_long_name_of_a_column"]
    assert [text or None for text in values["participant"]] == texts
    assert [text or None for text in values["a_long_name_of_a_column"]] == ["a", None, "b"]
    assert values["q1"] == [1.0, None, 2.0]
    assert metadata.column_names_to_labels["q1"] == "Which is better?"
    assert metadata.variable_value_labels["q1"] == {1.0: "A", 2.0: "B is much better"}
    assert metadata.number_rows == 3


def test_texts_in_sav_are_cut_between_characters(tmp_path: Path) -> None:
    path = tmp_path / "a.sav"
    path.write_bytes(sav_file([WideColumn("q1", "é" * 300, ["x" + "é" * MAX_TEXT_BYTES])]))
    values, metadata = pyreadstat.read_sav(path, output_format="dict")
    assert values["q1"][0] == "x" + "é" * (MAX_TEXT_BYTES // 2 - 1)
    assert metadata.column_labels[0].startswith("é" * 100)


def test_excel_has_texts_as_texts() -> None:
    content = excel_file(
        [("answers", ["text", "number"], zip(TEXTS, NUMBERS, strict=True)), ("empty", ["a"], [])]
    )
    assert content == excel_file(
        [("answers", ["text", "number"], zip(TEXTS, NUMBERS, strict=True)), ("empty", ["a"], [])]
    )
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        sheet = ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml"))
        assert b"empty" in archive.read("xl/workbook.xml")
    space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    rows = [[cell.get("t") for cell in row] for row in sheet.iter(f"{space}row")]
    assert rows[:2] == [["inlineStr", "inlineStr"], ["inlineStr", None]]
    assert not list(sheet.iter(f"{space}f"))
    assert "=1+1" in {text.text for text in sheet.iter(f"{space}t")}


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
    rows = [(row.column, row.value, row.value_label, row.count) for row in codebook_rows([*columns.values()])]
    assert ("q1", "", "", 1) in rows
    assert ("q1", "2", "B is better", 1) in rows
    assert ("q2_1", "0", "not selected", 1) in rows
    assert ("field1", "a", "", 2) in rows


def test_long_and_wide_files_of_an_empty_table() -> None:
    table = table_of([])
    assert not long_columns(table, [])[0].values
    assert not wide_columns(table, [])[0].values
