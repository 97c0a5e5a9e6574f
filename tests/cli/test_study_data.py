"""Commands read the data file of a study as the study says, with what was changed beside it."""

import json
from pathlib import Path

import pytest

from batchwright.__main__ import main
from batchwright.data_files.conversion.column_edits import FillColumn, RenameColumn
from batchwright.data_files.conversion.conversion import CONVERTED, Changes, Conversion
from batchwright.data_files.conversion.edit_list import ReplacementEdit, cell_edit
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.sources.source import SourceOptions
from batchwright.local.projects import DataFile, Project
from batchwright.local.study_files.study_archive import write_archive
from batchwright.local.study_files.study_file import StudyFile, write_study
from batchwright.schema.parsing import read_schema
from tests.data_files.conversion.test_convert import workbook

SCHEMA = read_schema({"strict": True, "fields": {"question": {"type": "text"}, "title": {"type": "text"}}})
EDITS = (
    cell_edit(("prompt", "n"), 1, {"prompt": "y", "n": "2"}, "prompt", ""),
    RenameColumn("prompt", "question"),
    FillColumn("title", "{question} {n}"),
    ReplacementEdit("x", "“X”"),
)
RECORDS = [{"question": "“X”", "n": "1", "title": "“X” 1"}, {"n": "2", "title": " 2"}]


def study(folder: Path, data: DataFile) -> Path:
    path = folder / "study.batchwright"
    write_study(Project("Study", schema=SCHEMA, data=data), StudyFile(path, ""))
    return path


def table(folder: Path) -> DataFile:
    path = folder / "table.csv"
    path.write_text("prompt;n\nx;1\ny;2\n")
    plain = Format(FormatKind.CSV, delimiter=";")
    return DataFile(path, path.stat().st_size, plain).with_changes(Changes(EDITS))


def written(path: Path) -> list[object]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("is_archive", [False, True])
def test_the_records_of_a_study_are_written_with_its_edits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_archive: bool
) -> None:
    monkeypatch.setenv("BATCHWRIGHT_HOME", str(tmp_path / "home"))
    data, out = table(tmp_path), tmp_path / "out.jsonl"
    if is_archive:
        path = tmp_path / "archive.batchwright"
        write_archive(Project("Study", schema=SCHEMA, data=data), path)
        data.path.unlink()
    else:
        path = study(tmp_path, data)
    assert main(["convert", str(path), "--out", str(out)]) == 0
    assert written(out) == RECORDS


def test_options_of_the_source_are_those_of_the_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = workbook(tmp_path / "book.xlsx", [["a"], ["1"]], [["prompt", "n"], ["x", "1"], [], ["y", "2"]])
    conversion = Conversion(SourceOptions(sheet="Sheet2"), EDITS)
    path = study(tmp_path, DataFile(book, 1, CONVERTED, conversion=conversion))
    out = tmp_path / "out.jsonl"
    assert main(["convert", str(path), "--out", str(out)]) == 0
    assert written(out) == RECORDS
    assert main(["convert", str(path), "--out", "-", "--sheet", "Sheet1"]) == 2
    assert "--sheet has no effect" in capsys.readouterr().err
    assert main(["check-data", str(path)]) == 1
    assert capsys.readouterr().out.startswith("line 4, question: ")


def test_the_schema_of_the_study_is_used_unless_another_is_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, schema = study(tmp_path, table(tmp_path)), tmp_path / "schema.json"
    schema.write_text(json.dumps({"strict": True, "fields": {"n": {"type": "text"}}}))
    assert main(["check-data", str(path)]) == 1
    assert capsys.readouterr().out.startswith("line 3, question: ")
    assert main(["check-data", str(path), "--schema", str(schema)]) == 0
    assert main(["check-data", str(tmp_path / "table.csv")]) == 2
    assert "--schema" in capsys.readouterr().err


def test_a_study_without_data_or_a_damaged_one_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "study.batchwright"
    write_study(Project("Study", schema=SCHEMA), StudyFile(path, ""))
    assert main(["check-data", str(path)]) == 2
    assert "without a data file" in capsys.readouterr().err
    path.write_text('{"batchwright": 9999}')
    assert main(["convert", str(path), "--out", "-"]) == 2
    assert "cannot be opened" in capsys.readouterr().err


@pytest.mark.parametrize("is_archive", [False, True])
def test_the_steps_of_a_study_are_made_with_its_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_archive: bool
) -> None:
    monkeypatch.setenv("BATCHWRIGHT_HOME", str(tmp_path / "home"))
    steps = (
        {"step": "filter", "column": "question", "values": ["“X”"]},
        {"step": "leave_out", "column": "n"},
    )
    data, out = table(tmp_path).with_changes(Changes(EDITS, steps)), tmp_path / "out.jsonl"
    path = tmp_path / "archive.batchwright"
    if is_archive:
        write_archive(Project("Study", schema=SCHEMA, data=data), path)
        data.path.unlink()
    else:
        path = study(tmp_path, data)
    assert main(["convert", str(path), "--out", str(out)]) == 0
    assert written(out) == [{"question": "“X”", "title": "“X” 1"}]
    assert main(["check-data", str(path)]) == 0


def test_a_step_of_a_study_that_cannot_be_made_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = ({"step": "filter", "column": "model"},)
    path = study(tmp_path, table(tmp_path).with_changes(Changes(EDITS, steps)))
    assert main(["check-data", str(path)]) == 2
    assert "Step 1 (Filter): There is no column “model”." in capsys.readouterr().err
