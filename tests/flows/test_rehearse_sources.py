"""Rehearsals with data files of each type: every value is in report and export as it is in the source."""

import csv
import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from batchwright.__main__ import main
from tests.data_files.conversion.test_convert import workbook
from tests.data_files.sources.written_tables import VALUES, WRITE
from tests.flows.program import run
from tests.flows.test_rehearse_append import LAYOUT, SCHEMA

pytestmark = pytest.mark.whole_program

FIRST, MORE = VALUES[:3], VALUES[3:]
PAIRS = [
    ("xlsx", "parquet"),
    ("json", "arrow"),
    ("csv.gz", "sav"),
    ("ods", "jsonl"),
    ("zip", "csv"),
    ("txt", "txt"),
]
"""The types of the data file and of the file whose records are appended."""


def test_each_type_is_tried() -> None:
    assert {type for pair in PAIRS for type in pair} == set(WRITE)


@pytest.mark.parametrize(("data", "more"), PAIRS)
def test_every_value_of_data_and_appended_records_is_in_report_and_export(
    tmp_path: Path, data: str, more: str
) -> None:
    WRITE[data](tmp_path / f"data.{data}", FIRST)
    WRITE[more](tmp_path / f"more.{more}", MORE)
    (tmp_path / "layout.json").write_text(json.dumps(LAYOUT))
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA))
    files = ["--layout", "layout.json", "--schema", "schema.json"]
    files += ["--data", f"data.{data}", "--append", f"more.{more}", "--out", "out"]
    run("rehearse", *files, home=tmp_path / "home", folder=tmp_path)
    with (tmp_path / "out" / "report.csv").open(encoding="utf-8", newline="") as report:
        rows = [(row["prompt"], row["model"]) for row in csv.DictReader(report)]
    assert sorted(rows) == sorted(VALUES)
    assert sorted(exported(tmp_path / "out")) == sorted(VALUES)


def exported(folder: Path) -> list[tuple[str, str]]:
    """The values of the records in the export."""
    with ZipFile(folder / "export.zip") as archive:
        lines = archive.read("responses-by-task.jsonl").decode().splitlines()
    records = [json.loads(line)["datapoint"] for line in lines]
    return [(record["prompt"], record["model"]) for record in records]


def test_rejected_records_are_named_by_their_line_or_by_the_row_of_the_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BATCHWRIGHT_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    Path("layout.json").write_text(json.dumps(LAYOUT))
    Path("schema.json").write_text(json.dumps(SCHEMA))
    Path("table.csv").write_text('prompt,model\n"two\nlines",1\n,2\n')
    Path("good.csv").write_text("prompt,model\nx,1\n")
    workbook(Path("book.xlsx"), [["Study"], [], ["prompt", "model"], ["x", "1"], [], ["", "2"]])
    command = ["rehearse", "--layout", "layout.json", "--schema", "schema.json", "--out", "out"]
    Path("excel.csv").write_text('sep=;\nprompt;model\n"two\nlines";1\n;2\n')
    for data, line in (("table.csv", 4), ("excel.csv", 5), ("book.xlsx", 6)):
        assert main([*command, "--data", data]) == 1
        assert f"line {line}, prompt: " in capsys.readouterr().err
    assert main([*command, "--data", "good.csv", "--append", "book.xlsx"]) == 1
    assert "Appended, line 6, prompt: " in capsys.readouterr().err
