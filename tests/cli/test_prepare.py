"""`batchwright-cli prepare`: steps of a file, made with a data file."""

import json
from pathlib import Path

import pytest

from batchwright.__main__ import main
from batchwright.base.json_values import Json
from batchwright.prepare.columns import SYSTEM_LEFT, SYSTEM_RIGHT
from batchwright.schema.model import GROUPING_COLUMN
from tests.data_files.files import write_file
from tests.prepare.tables import outputs

PAIRS: dict[str, Json] = {"step": "pairs", "prompt": "prompt", "system": "system", "outputs": ["output"]}
STEPS: list[dict[str, Json]] = [
    PAIRS | {"choice": "budget", "amount": 12},
    {"step": "sides"},
    {"step": "groups", "size": 4},
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A CSV file with the outputs of three systems."""
    lines = [",".join(map(str, record.values())) for record in outputs(6, "ABC")]
    return write_file(tmp_path, "\n".join(("prompt,topic,system,output", *lines)) + "\n", "outputs.csv")


def steps_in(folder: Path, steps: object, name: str = "steps.json") -> Path:
    return write_file(folder, json.dumps(steps), name)


def records(path: Path) -> list[dict[str, Json]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_records_of_the_last_step_are_written(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["prepare", str(steps_in(tmp_path, STEPS)), str(table), "--out", str(out)]) == 0
    written = records(out)
    assert len(written) == 12
    for record in written:
        assert str(record["output_left"]).startswith(f"{record[SYSTEM_LEFT]} says")
        assert str(record["output_right"]).startswith(f"{record[SYSTEM_RIGHT]} says")
    assert {record[GROUPING_COLUMN] for record in written} == {"1", "2", "3"}
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "1. Pairs: 12 rows" in printed.err
    assert "as precisely as by a complete design" in printed.err
    assert printed.err.count("There are 12 records then.") == 1
    assert "Which output stood on the left was drawn" in printed.err


def test_the_records_are_written_to_standard_output(
    table: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["prepare", str(steps_in(tmp_path, STEPS)), str(table), "--out", "-"]) == 0
    assert len([json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]) == 12
    assert {path.name for path in tmp_path.iterdir()} == {"outputs.csv", "steps.json"}


def test_the_steps_are_not_replaced(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steps = steps_in(tmp_path, STEPS)
    assert main(["prepare", str(steps), str(table), "--out", str(steps), "--overwrite"]) == 2
    assert "steps.json is read by this command" in capsys.readouterr().err
    assert json.loads(steps.read_text()) == STEPS


def test_the_same_seed_gives_the_same_bytes_and_another_one_other_records(
    table: Path, tmp_path: Path
) -> None:
    written = []
    for number, seed in enumerate((7, 7, 8)):
        steps = [{**step, "seed": seed} for step in STEPS]
        out = tmp_path / f"{number}.jsonl"
        assert main(["prepare", str(steps_in(tmp_path, steps)), str(table), "--out", str(out)]) == 0
        written.append(out.read_bytes())
    assert written[0] == written[1] != written[2]


def test_a_check_prints_the_balance_and_writes_nothing(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["prepare", str(steps_in(tmp_path, STEPS)), str(table), "--check"]) == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert ["1", "Comparisons of a pair", "A | B", "4"] in lines
    assert ["2", "System on the left", "C", "4"] in lines
    assert ["3", "Groups with a number of rows", "4", "3"] in lines
    assert {path.name for path in tmp_path.iterdir()} == {"outputs.csv", "steps.json"}


@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        ({}, "The steps must be a JSON array."),
        ([{"step": "shuffle"}], "Step 1 is unknown: “step” must be one of rename, leave_out"),
        (
            [PAIRS, {"step": "sides", "sed": 1}],
            "there is no option “sed”; there are left, right, known, seed.",
        ),
        ([{"step": "rename", "column": "x", "name": "y"}], "Step 1 (Columns): There is no column “x”."),
        ([PAIRS | {"choice": "some"}], "Step 1 (pairs), “choice”:"),
        ([{"step": "pairs"}], "Step 1 (pairs), “prompt”:"),
        ([PAIRS, PAIRS], "Step 2 (Pairs): There is no column “system”."),
    ],
)
def test_steps_that_cannot_be_made_are_named(
    steps: Json, sentence: str, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["prepare", str(steps_in(tmp_path, steps)), str(table), "--out", str(out)]) == 2
    assert sentence in capsys.readouterr().err
    assert not out.exists()


def test_a_file_is_replaced_only_if_that_is_asked_for(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps, out = steps_in(tmp_path, STEPS), write_file(tmp_path, "precious", "out.jsonl")
    assert main(["prepare", str(steps), str(table)]) == 2
    assert "--out FILE" in capsys.readouterr().err
    assert main(["prepare", str(steps), str(table), "--out", str(out)]) == 2
    assert "--overwrite replaces it" in capsys.readouterr().err
    assert out.read_text() == "precious"
    assert main(["prepare", str(steps), str(table), "--out", str(out), "--overwrite"]) == 0
    assert len(records(out)) == 12


def test_lines_that_are_no_records_are_left_out_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, out = write_file(tmp_path, "a,b\n1,2\n3\n5,6\n", "ragged.csv"), tmp_path / "out.jsonl"
    steps = steps_in(tmp_path, [{"step": "rename", "column": "a", "name": "c"}])
    assert main(["prepare", str(steps), str(table), "--out", str(out)]) == 0
    assert records(out) == [{"c": "1", "b": "2"}, {"c": "5", "b": "6"}]
    assert "1 line that is no record is left out." in capsys.readouterr().err
