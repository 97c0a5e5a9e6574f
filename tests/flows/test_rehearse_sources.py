"""Rehearsals with data files that are converted: every value is in the report as it is in the source."""

import csv
import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd
import polars as pl
import pyreadstat
import pytest

from batchwright.__main__ import main
from tests.data_files.conversion.test_convert import workbook
from tests.flows.program import run
from tests.flows.test_rehearse_append import LAYOUT, SCHEMA

pytestmark = pytest.mark.whole_program

Values = Sequence[tuple[str, str]]
"""The prompt and the model of each record."""

FIRST: Values = [("“Wo?” – 日本", "007"), ("two\nlines", "12345678901234567890"), ("1+1=2", "NA")]
MORE: Values = [("more, and; more", "1.0"), (" \ttabs", "TRUE")]


def frame(values: Values) -> pl.DataFrame:
    return pl.DataFrame(values, schema=["prompt", "model"], orient="row")


def write_json(path: Path, values: Values) -> None:
    items = [{"prompt": prompt, "model": model} for prompt, model in values]
    path.write_text(json.dumps({"data": {"items": items}}), encoding="utf-8")


def write_gzip(path: Path, values: Values) -> None:
    path.write_bytes(gzip.compress(frame(values).write_csv().encode()))


WRITE: dict[str, Callable[[Path, Values], object]] = {
    "xlsx": lambda path, values: workbook(path, [["prompt", "model"], *values]),
    "json": write_json,
    "parquet": lambda path, values: frame(values).write_parquet(path),
    "arrow": lambda path, values: frame(values).write_ipc(path, compression="zstd"),
    "sav": lambda path, values: pyreadstat.write_sav(pd.DataFrame(values, columns=["prompt", "model"]), path),
    "csv.gz": write_gzip,
}


@pytest.mark.parametrize(("data", "more"), [("xlsx", "parquet"), ("json", "arrow"), ("csv.gz", "sav")])
def test_every_value_of_data_and_appended_records_is_in_the_report(
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
    assert sorted(rows) == sorted([*FIRST, *MORE])


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
    for data, line in (("table.csv", 4), ("book.xlsx", 6)):
        assert main([*command, "--data", data]) == 1
        assert f"line {line}, prompt: " in capsys.readouterr().err
    assert main([*command, "--data", "good.csv", "--append", "book.xlsx"]) == 1
    assert "Appended, line 6, prompt: " in capsys.readouterr().err
