"""`read.py` and `read.R`, run beside saved files: every value has its type and is as it was answered."""

import json
import runpy
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.analysis.analyse import analyse
from batchwright.analysis.output.output_files import OutputChoices, output_files
from batchwright.analysis.output.output_kinds import OutputKind
from batchwright.analysis.output.write_files import write_files
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.data_files.spreadsheet_cells import PRECEDED, PRECEDED_NUMBER, original_cell, safe_cell
from tests.analysis.answers import record, table_of

TEXTS = ["NA", "=1+1", "'=1+1", "+5", "'+5", "null", 'a "quoted"\nline', " indented ", "  "]
FIELDS = {"id": "007", "year": "2020", 'odd "name"': "é", "=sum": "-1.50"}
TIME = datetime(2026, 3, 3, 8, 0, 0, 1000, UTC)


@pytest.fixture(params=[True, False], ids=["safe for spreadsheets", "literal"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with saved answers and the code that reads them."""
    answers = [
        record(f"0{number}", f"t{number}", "reason", text, created_at="2026-03-03T08:00:00.001Z")
        for number, text in enumerate(TEXTS)
    ]
    answers.append(record("00", "t0", "scale", 5, created_at="2026-03-03T08:00:00.001Z"))
    table = table_of(answers, {f"t{number}": FIELDS for number in range(len(TEXTS))})
    kinds = {OutputKind.CSV, OutputKind.SAV, OutputKind.PARQUET}
    choices = OutputChoices(kinds, is_spreadsheet_safe=request.param)
    write_files(output_files(analyse(table, AnalysisSettings()), choices), tmp_path)
    return tmp_path


def run(folder: Path, library: str) -> dict[str, Any]:
    tables: dict[str, Any] = runpy.run_path(str(folder / "read.py"))[f"with_{library}"]()
    return tables


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_table_that_is_read_has_every_answer_and_its_type(folder: Path, library: str) -> None:
    tables = run(folder, library)
    long = tables["answers-long.csv"]
    texts = [
        value for value, question in zip(long["value"], long["question"], strict=True) if question == "reason"
    ]
    assert texts == TEXTS
    assert list(long["participant"])[:2] == ["00", "01"]
    assert set(long["field_id"]) == {"007"}
    assert set(long["field_year"]) == {2020.0}
    assert set(long['field_odd "name"']) == {"é"}
    assert set(long["field_=sum"]) == {-1.5}
    assert set(long["answered_at"]) == {TIME}
    wide = tables["answers-wide.csv"]
    (scale,) = [name for name in wide.columns if name.endswith("how_good_is_it")]
    assert next(iter(wide[scale])) == 5.0
    assert str(wide[scale].dtype) == "Float64"


def test_parquet_and_spss_files_are_read_with_their_types(folder: Path) -> None:
    parquet = run(folder, "polars")["answers.parquet"]
    assert parquet.schema["answered_at"] == pl.Datetime("us", "UTC")
    assert parquet.schema["field_year"] == pl.Float64
    assert parquet.schema["field_id"] == pl.String
    assert parquet.row(0, named=True)["answered_at"] == TIME
    times = run(folder, "pandas")["answers.sav"]["answered_at"].dt.round("ms")
    assert set(times) == {TIME.replace(tzinfo=None)}


def test_without_a_file_that_it_reads_there_is_no_code(tmp_path: Path) -> None:
    table = table_of([record("p", "t", "reason", "x")])
    files = output_files(analyse(table, AnalysisSettings()), OutputChoices({OutputKind.JSONL}))
    assert [file.name for file in files] == ["answers.jsonl"]


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="needs R, readr, haven and nanoparquet")
def test_r_reads_every_answer_and_its_type(folder: Path) -> None:
    code = (
        'source("read.R", chdir = TRUE); cat(jsonlite::toJSON(list(texts = answers_long$value, '
        "ids = answers_long$participant, years = answers_long$`field_year`, rows = nrow(answers_sav), "
        'times = format(answers_long$answered_at, tz = "UTC")), na = "null"))'
    )
    output = subprocess.run(["Rscript", "-e", code], cwd=folder, check=True, capture_output=True, text=True)
    read = json.loads(output.stdout)
    assert set(TEXTS) <= set(read["texts"])
    assert read["ids"][0] == "00"
    assert set(read["years"]) == {2020}
    assert set(read["times"]) == {"2026-03-03 08:00:00"}
    assert read["rows"] == len(TEXTS)


@given(st.lists(st.text("'+-=@.,019eE% \t\ufeffx", max_size=8), min_size=1))
def test_apostrophes_are_removed_as_this_program_removes_them(texts: list[str]) -> None:
    """The regular expressions in the code say the same as `original_cell`."""
    cells = pl.Series([safe_cell(text) for text in texts])
    assert [original_cell(cell) for cell in cells] == texts
    is_added = cells.str.contains(PRECEDED) & ~cells.str.contains(f"^{PRECEDED_NUMBER}$")
    assert cells.zip_with(~is_added, cells.str.slice(1)).to_list() == texts
