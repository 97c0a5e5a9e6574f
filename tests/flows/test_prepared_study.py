"""A study is prepared, rehearsed and analysed on the command line: Results finds what the steps decided."""

import csv
import json
from pathlib import Path

import pytest

from batchwright.base.json_values import JsonObject, to_json
from batchwright.data_files.conversion.conversion import Conversion
from batchwright.data_files.formats import Format, FormatKind
from batchwright.local.projects import DataFile, Project, project_content
from batchwright.prepare.columns import COPY_OF, PAIR_ID
from batchwright.schema.model import GROUPING_COLUMN
from tests.flows.program import run
from tests.prepare.tables import outputs

pytestmark = pytest.mark.whole_program

STEPS: list[JsonObject] = [
    {"step": "pairs", "prompt": "prompt", "system": "system", "outputs": ["output"]},
    {"step": "sides", "seed": 3},
    {
        "step": "checks",
        "answers": ["left", "right"],
        "texts": {"prompt": "A check", "output_left": "{answer}", "output_right": "{answer}"},
    },
    {"step": "groups", "size": 6, "apart": "prompt", "repeats": 1},
    {"step": "known", "per_group": 1},
]
SHOWN = ("prompt", "output_left", "output_right")
CHOICE = {
    "type": "multiple_choice",
    "description": "Which is better?",
    "answer_limit": 1,
    "options": [{"label": side.title(), "value": side} for side in ("left", "right")],
}


def test_a_prepared_study_is_analysed_without_saying_what_its_fields_mean(tmp_path: Path) -> None:
    home = tmp_path / "home"
    long_table = tmp_path / "outputs.jsonl"
    long_table.write_text("".join(to_json(record) + "\n" for record in outputs(8, "ABC")))
    (tmp_path / "steps.json").write_text(json.dumps(STEPS))
    data = tmp_path / "records.jsonl"
    run("prepare", tmp_path / "steps.json", long_table, "--out", data, home=home)
    records = [json.loads(line) for line in data.read_text().splitlines()]
    fields = {name: {"type": "metadata"} for record in records for name in record}
    fields |= {name: {"type": "text"} for name in SHOWN}
    fields[GROUPING_COLUMN] = {"type": "task_group_id"}
    (tmp_path / "schema.json").write_text(json.dumps({"strict": False, "fields": fields}))
    shown = [{"type": "dataset_field", "field": name} for name in SHOWN]
    layout = [{"rows": [{"columns": [{"items": [*shown, CHOICE]}]}]}]
    (tmp_path / "layout.json").write_text(json.dumps(layout))
    study = tmp_path / "study.batchwright"
    study.write_bytes(project_content(prepared_study(long_table)))
    files = ["--layout", "layout.json", "--schema", "schema.json", "--data", study, "--out", "out"]
    run("rehearse", *files, "--participants", 8, "--first-option-share", 0.5, home=home, folder=tmp_path)
    run(
        "analyse", "out/export.zip", "--layout", "layout.json", "--out", "results", home=home, folder=tmp_path
    )
    with (tmp_path / "out" / "report.csv").open(encoding="utf-8", newline="") as rehearsed:
        answered = {tuple(row[name] for name in SHOWN) for row in csv.DictReader(rehearsed)}
    assert answered == {tuple(str(record[name]) for name in SHOWN) for record in records}
    systems, participants, sides = (rows_of(tmp_path / "results", name) for name in RESULTS)
    assert sorted(row["system"] for row in systems) == ["A", "B", "C"]
    assert all(abs(int(row["left"]) - int(row["right"])) <= 1 for row in sides)
    compared = [record for record in records if PAIR_ID in record and COPY_OF not in record]
    assert sum(int(row["comparisons"]) for row in systems) == 2 * len(compared)
    groups = {record[GROUPING_COLUMN] for record in records}
    assert len(participants) == len(groups) == 4
    for row in participants:
        assert (row["gold_answers"], row["repeated_answers"]) == ("1", "1")
        assert row["gold_accuracy"] in ("0.0", "1.0")
        assert row["self_agreement"] in ("0.0", "1.0")
    report = (tmp_path / "results" / "report.html").read_text(encoding="utf-8")
    assert "4 answers about repeated records" in report


def prepared_study(table: Path) -> Project:
    """A study whose data file is a table, and which has the steps."""
    conversion = Conversion(text_format=Format(FormatKind.JSONL), steps=tuple(STEPS))
    data = DataFile(table, table.stat().st_size, Format(FormatKind.JSONL), conversion=conversion)
    return Project("Systems", data=data)


RESULTS = ("systems", "participants", "sides")


def rows_of(folder: Path, result: str) -> list[dict[str, str]]:
    with (folder / f"{result}.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))
