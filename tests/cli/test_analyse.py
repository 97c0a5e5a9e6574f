"""`batchwright analyse`: files with statistics from saved answers."""

import csv
import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import duckdb
import pyreadstat
import pytest

from batchwright.__main__ import main
from batchwright.analysis.output.pseudonyms import read_key
from batchwright.analysis.output.write_files import ResultFiles
from batchwright.cli import analyse as analyse_command
from tests.analysis.answers import ITEMS, layout, record
from tests.analysis.statistics.best_worst.sets import asked
from tests.flows.program import SHARED_DATA
from tests.policies import WritePolicy

ARENA = SHARED_DATA / "statistics" / "arena-options.csv"

RECORDS = [
    record(f"p{person}", f"t{task}", "better", "ab"[(person + task) % 2])
    for person in range(4)
    for task in range(5)
] + [record("p1", "t1", "faults", "wrong", "short"), record("p2", "t1", "reason", "Too short, – maybe 🙂")]


@pytest.fixture
def study(tmp_path: Path) -> Path:
    (tmp_path / "answers.json").write_text(json.dumps(RECORDS), encoding="utf-8")
    (tmp_path / "layout.json").write_text(json.dumps(layout()), encoding="utf-8")
    return tmp_path


def analyse(folder: Path, *options: str, out: str = "out") -> int:
    files = [str(folder / "answers.json"), "--layout", str(folder / "layout.json")]
    return main(["analyse", *files, "--out", str(folder / out), *options])


def test_the_same_input_gives_the_same_bytes(study: Path) -> None:
    assert analyse(study) == 0
    assert analyse(study, out="again") == 0
    files = sorted(path.name for path in (study / "out").iterdir())
    results = {"results.json", "report.html", "choices.csv", "codebook.csv", "figure-choices-q1.svg"}
    answers = {f"answers{end}" for end in ("-long.csv", "-wide.csv", ".jsonl", ".parquet", ".xlsx", ".sav")}
    assert results | answers <= set(files)
    for name in files:
        assert (study / "out" / name).read_bytes() == (study / "again" / name).read_bytes()


def test_codes_are_written_as_in_the_codebook(study: Path) -> None:
    assert analyse(study, "--formats", "csv") == 0
    with (study / "out" / "answers-wide.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with (study / "out" / "codebook.csv").open(encoding="utf-8", newline="") as file:
        codebook = list(csv.DictReader(file))
    (heading,) = {row["heading"] for row in codebook if row["column"] == "q1"}
    values = {row["value"] for row in codebook if row["heading"] == heading}
    assert heading.startswith("q1_which")
    assert {"1", "2"} == {row[heading] for row in rows} < values


def test_columns_are_named_by_fields_and_the_codebook_is_beside_them(study: Path) -> None:
    assert analyse(study, "--formats", "csv") == 0
    with (study / "out" / "answers-wide.csv").open(encoding="utf-8", newline="") as file:
        header = next(csv.reader(file))
    with (study / "out" / "codebook.csv").open(encoding="utf-8", newline="") as file:
        headings = {row["heading"] for row in csv.DictReader(file)}
    assert set(header) == headings


def test_no_file_has_a_formula_unless_raw_csv_is_wanted(study: Path) -> None:
    formula = "=HYPERLINK(1)"
    named = json.dumps(layout()).replace("Which answer is better?", formula)
    (study / "layout.json").write_text(named, encoding="utf-8")
    records = [
        record(formula, "t1", "reason", formula, metadata={"topic": formula}),
        record(formula, "t1", "better", "a"),
        record("p2", "t1", "scale", 4),
    ]
    (study / "answers.json").write_text(json.dumps(records), encoding="utf-8")
    (study / "exclude.csv").write_text(f"kind,id,reason\nparticipant,p2,{formula}\n")
    assert analyse(study, "--exclude", str(study / "exclude.csv")) == 0
    tables = sorted((study / "out").glob("*.csv"))
    assert {"answers-long.csv", "answers-wide.csv", "codebook.csv", "exclusions.csv"} <= {
        path.name for path in tables
    }
    for path in tables:
        with path.open(encoding="utf-8", newline="") as file:
            cells = list(chain.from_iterable(csv.reader(file)))
        assert not [cell for cell in cells if cell.startswith("=")], path
    assert f"'{formula}" in (study / "out" / "answers-long.csv").read_text(encoding="utf-8")
    with zipfile.ZipFile(study / "out" / "answers.xlsx") as workbook:
        sheets = [workbook.read(name) for name in workbook.namelist() if "worksheets/" in name]
    assert any(formula.encode() in sheet for sheet in sheets)
    assert not any(b"<f>" in sheet for sheet in sheets)
    assert analyse(study, "--no-spreadsheet-safe", out="raw") == 0
    assert f",{formula}," in (study / "raw" / "answers-long.csv").read_text(encoding="utf-8")


def test_the_report_is_titled(study: Path) -> None:
    assert analyse(study, "--title", "Cats & dogs") == 0
    text = (study / "out" / "report.html").read_text(encoding="utf-8")
    assert "<h1>Cats &amp; dogs</h1>" in text
    assert re.search(r"Results from answers of \w{3} \d+, 2026", text)


def test_json_prints_all_results(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert analyse(study, "--json", "--seed", "7") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads((study / "out" / "results.json").read_bytes())
    assert (printed["answers"], printed["seed"]) == (len(RECORDS), 7)
    assert printed["results"]["choices"]["rows"][0]["count"] == 10


def test_exclusions_are_in_every_file(study: Path) -> None:
    (study / "exclude.csv").write_text("kind,id,reason\nparticipant,p1,Straight-lining\n")
    assert analyse(study, "--exclude", str(study / "exclude.csv")) == 0
    for path in (study / "out").iterdir():
        if path.suffix in (".csv", ".json", ".jsonl", ".html", ".svg"):
            content = path.read_text(encoding="utf-8")
            stated = ("Straight-lining", '"answers_excluded": 6', ",6\n", "6 answers were excluded")
            assert any(text in content for text in stated), path
    values, _metadata = pyreadstat.read_sav(study / "out" / "answers.sav", output_format="dict")
    assert values["excluded"].count("Straight-lining") == 5
    rows = duckdb.sql(f"select excluded from '{study / 'out' / 'answers.parquet'}'").fetchall()
    assert rows.count(("Straight-lining",)) == 7
    with (study / "out" / "answers-long.csv").open(encoding="utf-8", newline="") as file:
        excluded = [row["participant"] for row in csv.DictReader(file) if row["excluded"]]
    assert excluded == ["p1"] * 7


def test_a_layout_without_ids_and_unreadable_files_are_reported(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    without_ids = [{key: value for key, value in item.items() if key != "id"} for item in ITEMS]
    (study / "layout.json").write_text(json.dumps(layout(*without_ids)), encoding="utf-8")
    assert analyse(study) == 2
    assert "no ids" in capsys.readouterr().err
    (study / "answers.json").write_text("[]", encoding="utf-8")
    assert analyse(study) == 2
    assert "no answers" in capsys.readouterr().err
    assert not (study / "out").exists()
    assert analyse(study, "--data", str(study / "missing.csv")) == 2


def test_fields_that_name_the_systems_and_the_right_answers(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    metadata = {f"t{n}": {"on_left": "xy"[n % 2], "right": "A is better"} for n in range(5)}
    records = [{**one, "metadata": metadata[one["task_id"]]} for one in RECORDS]
    (study / "answers.json").write_text(json.dumps(records), encoding="utf-8")
    assert analyse(study, "--systems", "on_left", "--gold", "right", "--json") == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert {row["system"]: row["wins"] for row in results["systems"]["rows"]} == {"x": 10, "y": 10}
    assert {row["gold_accuracy"] for row in results["participants"]["rows"]} == {0.4, 0.6}
    (check,) = results["labels"]["notes"]["better"]
    assert check.startswith("The answers to 5 records are known: the majority is right about ")
    assert results["positions"]["rows"][0]["left_share"] == 0.5
    assert [(row["left"], row["right"]) for row in results["sides"]["rows"]] == [(3, 2)]
    assert "order" not in results
    assert analyse(study, "--systems", "on_left", "--order-effect", "--json") == 0
    (order,) = json.loads(capsys.readouterr().out)["results"]["order"]["rows"]
    assert abs(order["effect"]) < 1
    more = ("--regularised", "--intervals-about", "both", "--json")
    assert analyse(study, "--systems", "on_left", *more) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert {row["estimate"] for row in results["systems"]["rows"]} == {"regularised"}
    assert [(row["system"], row["opponent"]) for row in results["differences"]["rows"]] == [("x", "y")]
    assert any("Cameron" in method for method in results["choices"]["methods"])
    html = (study / "out" / "report.html").read_text(encoding="utf-8")
    assert "They are about further records, answered by further participants" in html
    for option in (["--systems", "nowhere"], ["--gold", "nowhere"]):
        assert analyse(study, *option) == 2
        assert "on_left" in capsys.readouterr().err


def test_questions_about_the_best_and_the_worst_item_are_named_and_the_design_is_described(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("one", "two", "three")
    shown = {f"t{n}": dict(zip(names, "xyz"[n:] + "xyz"[:n], strict=True)) for n in range(3)}
    records = [
        {**record("p1", task, question, "abc"[(n + place) % 3]), "metadata": shown[task]}
        for n, task in enumerate(shown)
        for question, place in (("top", 0), ("low", 1))
    ]
    items = asked("top", "Which do you like most?", 3), asked("low", "Which do you like least?", 3)
    (study / "answers.json").write_text(json.dumps(records), encoding="utf-8")
    (study / "layout.json").write_text(json.dumps(layout(*items)), encoding="utf-8")
    (study / "steps.json").write_text(json.dumps([{"step": "sample", "size": 3, "seed": 8}]))
    options = ("--best-worst", "top", "low", *names, "--json")
    assert analyse(study, *options, "--steps", str(study / "steps.json")) == 0
    rows = json.loads(capsys.readouterr().out)["results"]["items"]["rows"]
    assert {row["item"]: (row["best"], row["worst"]) for row in rows} == {
        "x": (1, 1),
        "y": (1, 1),
        "z": (1, 1),
    }
    assert "3 rows were drawn at random (seed 8)." in (study / "out" / "report.html").read_text("utf-8")
    assert analyse(study, "--best-worst", "top", "low", "one") == 2
    assert "at least 3" in capsys.readouterr().err
    (study / "steps.json").write_text(json.dumps([{"step": "unknown"}]))
    assert analyse(study, "--steps", str(study / "steps.json")) == 2
    assert "Step 1 is unknown" in capsys.readouterr().err


def test_records_are_weighted_by_a_field(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Task 0 stands for three records, the others for one; only its answers are all the same."""
    values = [[("a" if task == 0 else "ab"[person % 2]) for person in range(4)] for task in range(5)]
    records = [
        {**record(f"p{person}", f"t{task}", "better", value), "metadata": {"weight": 1 + 2 * (not task)}}
        for task, row in enumerate(values)
        for person, value in enumerate(row)
    ]
    (study / "answers.json").write_text(json.dumps(records), encoding="utf-8")
    assert analyse(study, "--weights", "weight", "--json") == 0
    results = json.loads(capsys.readouterr().out)["results"]
    first = results["choices"]["rows"][0]
    assert (first["label"], first["count"], first["answers"]) == ("A is better", 12, 20)
    assert first["share"] == pytest.approx(5 / 7, abs=1e-6)
    assert any("Post stratification" in method for method in results["choices"]["methods"])
    html = (study / "out" / "report.html").read_text(encoding="utf-8")
    assert "Records are weighted by “weight”" in html
    assert analyse(study, "--weights", "nowhere") == 2
    records[3]["metadata"] = {"weight": "heavy"}
    records[5]["metadata"] = {}
    (study / "answers.json").write_text(json.dumps(records[3:]), encoding="utf-8")
    assert analyse(study, "--weights", "weight") == 2
    assert "“weight” has no weight of 1 record" in capsys.readouterr().err


def test_labels_by_the_model_and_the_precision_with_further_answers_are_computed_if_wanted(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert analyse(study, "--json") == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert {row["model_label"] for row in results["labels"]["rows"]} == {""}
    assert analyse(study, "--json", "--labels", "dawid-skene", "--further-answers", "77") == 0
    results = json.loads(capsys.readouterr().out)["results"]
    labels = [row["model_label"] for row in results["labels"]["rows"] if row["question"] == "better"]
    assert set(labels) <= {"A is better", "B is better"}
    assert len(labels) == 5
    assert results["labels"]["notes"]["better"][0].startswith("Answers per participant: ")
    assert any("Dawid" in method for method in results["labels"]["methods"])
    assert 77 in {row["more"] for row in results["precision"]["rows"]}


def test_a_table_and_an_archive_need_no_layout(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = study / "table.csv"
    rows = ["participant,task,question,value,kind", *(f"p{n},t{n},q,{'ab'[n % 2]},choice" for n in range(4))]
    table.write_text("\n".join(rows), encoding="utf-8")
    assert main(["analyse", str(table), "--out", str(study / "out"), "--json"]) == 0
    shares = json.loads(capsys.readouterr().out)["results"]["choices"]["rows"]
    assert [(row["option"], row["label"], row["count"]) for row in shares] == [("a", "a", 2), ("b", "b", 2)]
    assert main(["analyse", str(study / "answers.json"), "--out", str(study / "out")]) == 2
    assert "Give the layout with --layout" in capsys.readouterr().err


def test_options_without_effect_are_named(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert analyse(study, "--labels", "one-coin", "--further-answers", "5") == 0
    assert "Without effect" not in capsys.readouterr().err
    (study / "units.csv").write_text("unit,to,factor\nmiles,km,1.609\n", encoding="utf-8")
    options = ["--order-effect", "--gold-question", "gone", "--units", str(study / "units.csv")]
    options += ["--kind", "gone=text"]
    assert analyse(study, *options) == 0
    message = capsys.readouterr().err
    assert "Without effect on these answers: --order-effect, --gold-question, --units, --kind." in message


def test_right_answers_to_one_question_that_has_no_options(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [{**one, "metadata": {"why": "too short, – MAYBE 🙂"}} for one in RECORDS]
    (study / "answers.json").write_text(json.dumps(records), encoding="utf-8")
    assert analyse(study, "--gold", "why", "--gold-question", "reason", "--json") == 0
    rows = json.loads(capsys.readouterr().out)["results"]["participants"]["rows"]
    assert [(row["gold_answers"], row["gold_accuracy"]) for row in rows] == [
        (0, None),
        (0, None),
        (1, 1),
        (0, None),
    ]


def test_rules_ids_and_files_exclude_together(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (study / "exclude.csv").write_text("kind,id,reason\nparticipant,p1,Straight-lining\n")
    several = ["--exclude", str(study / "exclude.csv"), "--exclude", "p2-t1-reason", "--exclude", "answers<6"]
    assert analyse(study, *several, "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    rows = printed["results"]["exclusions"]["rows"]
    assert [(row["kind"], row["id"], row["answers"]) for row in rows] == [
        ("rule", "answers < 6", 15),
        ("participant", "p1", 6),
        ("answer", "p2-t1-reason", 1),
        ("participant", "p0", 5),
        ("participant", "p2", 5),
        ("participant", "p3", 5),
    ]
    assert printed["answers_excluded"] == len(RECORDS)
    saved = str(study / "out" / "exclusions.csv")
    assert analyse(study, "--exclude", saved, "--json", out="again") == 0
    again = json.loads(capsys.readouterr().out)
    assert again["results"]["exclusions"]["rows"] == rows
    for wrong, text in (
        ("nobody", "neither a file"),
        ("speed<3", "“speed” is not one of"),
        ("gold<0.5", "--gold"),
    ):
        assert analyse(study, "--exclude", wrong) == 2
        assert text in capsys.readouterr().err


def test_final_answers_come_from_a_file(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = study / "final.csv"
    file.write_text("question,task,final,note\nbetter,t1,b,Agreed\n", encoding="utf-8")
    assert analyse(study, "--final", str(file), "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)["results"]["final_answers"]["rows"]
    assert (row["final"], row["label"], row["note"]) == ("b", "B is better", "Agreed")
    file.write_text("question,task,final\nother,t1,b\n", encoding="utf-8")
    assert analyse(study, "--final", str(file)) == 0
    assert "Without effect on these answers: --final." in capsys.readouterr().err
    file.write_text("question\nother\n", encoding="utf-8")
    assert analyse(study, "--final", str(file)) == 2
    assert "final.csv" in capsys.readouterr().err


def test_roles_of_options_that_are_not_recognized(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = {"a": "Vorne", "b": "Hinten", "same": "Egal"}
    options = [{"label": label, "value": label} for label in labels.values()]
    (study / "layout.json").write_text(json.dumps(layout({**ITEMS[0], "options": options})), encoding="utf-8")
    records = [record(f"p{n}", "t", "better", label) for n, label in enumerate(labels.values())]
    (study / "answers.json").write_text(json.dumps(records), encoding="utf-8")
    file = study / "roles.json"
    sides = {"left": ["Vorne"], "right": ["Hinten"], "tie": ["Egal"]}
    file.write_text(json.dumps({"questions": {"better": sides}}), encoding="utf-8")
    assert analyse(study, "--json") == 0
    assert "positions" not in json.loads(capsys.readouterr().out)["results"]
    assert analyse(study, "--json", "--roles", str(file)) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert results["positions"]["rows"][0]["left_share"] == 0.5
    assert [row["outcome"] for row in results["choices"]["rows"]] == ["left", "right", "tie"]


def test_values_that_probably_mean_missing_are_named_and_counted(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = [{"label": label, "value": label} for label in ("good", "poor", "Don't know")]
    (study / "layout.json").write_text(json.dumps(layout({**ITEMS[0], "options": options})), encoding="utf-8")
    records = [record(f"p{n}", "t", "better", option["value"]) for n, option in enumerate(options)]
    (study / "answers.json").write_text(json.dumps(records), encoding="utf-8")
    assert analyse(study, "--json") == 0
    printed = capsys.readouterr()
    assert "better: Probably no answer" in printed.err
    assert "“Don't know”" in printed.err
    assert "--roles" in printed.err
    assert json.loads(printed.out)["results"]["questions"]["rows"][0]["answers"] == 3
    file = study / "roles.json"
    file.write_text(json.dumps({"questions": {"better": {"missing": ["Don't know"]}}}), encoding="utf-8")
    assert analyse(study, "--json", "--roles", str(file)) == 0
    printed = capsys.readouterr()
    assert "Probably no answer" not in printed.err
    assert json.loads(printed.out)["results"]["questions"]["rows"][0]["answers"] == 2


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ('{"questions": {"better": {"level": "ratio"}}}', "questions.better.level:"),
        ('{"questions": {"better": {"missing": "same"}}}', "questions.better.missing:"),
        ('{"questions": {"better": {"missing": ["same", {}]}}}', "questions.better.missing[1]:"),
        ('{"questions": {"better": {"left": ["a"], "right": ["a"]}}}', "questions.better.right:"),
        ('{"questions": {"better": {"left": ["a"]}}}', "questions.better.right:"),
        ('{"questions": {"better": {"order": ["a", "b"]}}}', "questions.better.order:"),
        ('{"questions": {"better": {"level": "interval"}}}', "questions.better.level:"),
        ('{"questions": {"reason": {"level": "nominal"}}}', "questions.reason.level:"),
        ('{"questions": {"other": {}}}', "questions.other:"),
        ('{"questions": {"better": {"mising": []}}}', "questions.better.mising:"),
        ('{"question": {}}', "questions:"),
        ('{"questions": {\n"better": {]}}', "line 2, column 12"),
    ],
)
def test_what_is_wrong_with_roles_has_a_place(
    study: Path, capsys: pytest.CaptureFixture[str], content: str, place: str
) -> None:
    (study / "roles.json").write_text(content, encoding="utf-8")
    assert analyse(study, "--roles", str(study / "roles.json")) == 2
    error = capsys.readouterr().err
    assert "roles.json" in error
    assert place in error


def test_formats_preference_pairs_and_pseudonyms(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fields = {"metadata": {"prompt": "Why?", "one": "So.", "two": "No."}}
    records = json.dumps([{**one, **fields} for one in RECORDS])
    (study / "answers.json").write_text(records, encoding="utf-8")
    pairs = ["--pairs", "prompt", "one", "two", "--ties", "both", "--formats", "csv, sav"]
    key = study / "key.csv"
    assert analyse(study, *pairs, "--pseudonyms", str(key)) == 0
    lines = (study / "out" / "preference-pairs.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 10
    assert {path.name for path in (study / "out").glob("answers*")} == {
        "answers-long.csv",
        "answers-wide.csv",
        "answers.sav",
    }
    with (study / "out" / "participants.csv").open(encoding="utf-8", newline="") as file:
        names = [row["participant"] for row in csv.DictReader(file)]
    assert names == ["P0001", "P0002", "P0003", "P0004"]
    assert analyse(study, "--pseudonyms", str(key), out="again") == 0
    for name in ("participants.csv", "answers-long.csv"):
        assert (study / "out" / name).read_bytes() == (study / "again" / name).read_bytes()
    assert analyse(study, "--pseudonyms", str(study / "out" / "key.csv")) == 2
    assert "outside" in capsys.readouterr().err
    assert analyse(study, "--pairs", "prompt", "one", "nowhere") == 2
    for wrong in (["--formats", "csv,doc"], ["--systems", "a", "b", "c"]):
        with pytest.raises(SystemExit):
            analyse(study, *wrong)


def test_a_key_that_another_command_extends_meanwhile_is_read_again(
    study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, create_files = study / "key.csv", analyse_command.create_files

    def create(*args: Any) -> ResultFiles:
        files = create_files(*args)
        if not key.exists():
            key.write_text("participant,pseudonym\nanother,P0001\n", encoding="utf-8")
        return files

    monkeypatch.setattr(analyse_command, "create_files", create)
    assert analyse(study, "--pseudonyms", str(key)) == 0
    pseudonyms = read_key(key)
    assert pseudonyms["another"] == "P0001"
    assert len(set(pseudonyms.values())) == len(pseudonyms) == 5


def test_the_policy_can_require_pseudonyms(
    study: Path, write_policy: WritePolicy, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_policy("[lock]\npseudonyms = true\n")
    assert analyse(study, "--formats", "csv") == 2
    message = f"--pseudonyms FILE is required. Set by your IT staff in {path}.\n"
    assert capsys.readouterr().err == message
    assert not (study / "out").exists()
    assert analyse(study, "--formats", "csv", "--pseudonyms", str(study / "key.csv")) == 0
    assert b"p1" not in (study / "out" / "answers-long.csv").read_bytes()


def test_a_folder_with_the_name_of_a_file_leaves_everything_as_it_was(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, key = study / "out", study / "key.csv"
    (out / "answers.xlsx").mkdir(parents=True)
    (out / "report.html").write_text("earlier")
    assert analyse(study, "--pseudonyms", str(key), "--overwrite") == 2
    assert "answers.xlsx" in capsys.readouterr().err
    assert {path.name for path in out.iterdir()} == {"answers.xlsx", "report.html"}
    assert (out / "report.html").read_text() == "earlier"
    assert not key.exists()


@pytest.mark.parametrize("link", [os.link, os.symlink])
def test_the_answers_are_never_replaced(
    study: Path, link: Callable[[Path, Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    original = (study / "answers.json").read_bytes()
    (study / "out").mkdir()
    link(study / "answers.json", study / "out" / "answers.jsonl")
    assert analyse(study, "--overwrite") == 2
    assert "answers.jsonl is read by this command" in capsys.readouterr().err
    assert (study / "answers.json").read_bytes() == original
    assert [path.name for path in (study / "out").iterdir()] == ["answers.jsonl"]


def test_a_file_with_exclusions_is_not_replaced(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert analyse(study, "--formats", "csv") == 0
    exclusions = study / "out" / "exclusions.csv"
    exclusions.write_text("kind,id,reason\nparticipant,p2,own words\n")
    assert analyse(study, "--formats", "csv", "--exclude", str(exclusions)) == 2
    assert "exclusions.csv is read by this command" in capsys.readouterr().err
    assert exclusions.read_text().endswith("own words\n")


def test_other_files_are_replaced_only_on_request(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = study / "out" / "participants.csv"
    other.parent.mkdir()
    other.write_text("addresses")
    assert analyse(study, "--formats", "csv") == 2
    assert "participants.csv exists. --overwrite replaces it." in capsys.readouterr().err
    assert other.read_text() == "addresses"
    assert analyse(study, "--formats", "csv", "--overwrite") == 0
    assert other.read_text() != "addresses"


def test_an_analysis_replaces_the_results_of_an_earlier_one(study: Path) -> None:
    assert analyse(study, "--formats", "csv") == 0
    (study / "answers.json").write_text(json.dumps(RECORDS[:-1]), encoding="utf-8")
    assert analyse(study, "--formats", "csv") == 0
    assert json.loads((study / "out" / "results.json").read_bytes())["answers"] == len(RECORDS) - 1


@pytest.mark.skipif(os.name == "nt", reason="there are no such files")
@pytest.mark.parametrize("option", ["--units", "--final", "--roles", "--pseudonyms"])
def test_a_pipe_is_rejected_and_not_waited_for(
    study: Path, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(study / "pipe")
    assert analyse(study, option, str(study / "pipe"), "--formats", "csv") == 2
    assert capsys.readouterr().err.startswith(f"{study / 'pipe'} cannot be read: ")


@pytest.mark.skipif(os.name == "nt", reason="there are no such permissions")
def test_the_key_of_pseudonyms_is_readable_by_its_owner_only(study: Path) -> None:
    key = study / "key.csv"
    assert analyse(study, "--pseudonyms", str(key), "--formats", "csv") == 0
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    key.chmod(0o644)
    assert analyse(study, "--pseudonyms", str(key), "--formats", "csv") == 0
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


@pytest.mark.skipif(os.name == "nt", reason="kills by a signal")
def test_nothing_is_left_of_a_killed_analysis_after_the_next_one(study: Path) -> None:
    out = study / "out"
    killed = """
import os, signal, sys
from batchwright.__main__ import main
from batchwright.analysis.output.pseudonyms import read_key
from batchwright.analysis.output.write_files import ResultFiles
from batchwright.cli import analyse as analyse_command
from batchwright.analysis.output import write_files as save_results
save_results.replace_atomically = lambda *_paths: os.kill(os.getpid(), signal.SIGKILL)
main(sys.argv[1:])
"""
    files = [str(study / "answers.json"), "--layout", str(study / "layout.json")]
    command = [sys.executable, "-c", killed, "analyse", *files, "--out", str(out), "--formats", "csv"]
    subprocess.run(command, check=False, timeout=100)
    (left,) = out.iterdir()
    assert (left / "answers-long.csv").exists()
    long_ago = time.time() - 60
    os.utime(left / "in-use", (long_ago, long_ago))
    assert analyse(study, "--formats", "csv", "--pseudonyms", str(study / "key.csv")) == 0
    assert not list(out.glob(".*"))


@pytest.mark.skipif(os.name == "nt", reason="ends by a signal")
@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_nothing_is_left_of_an_interrupted_analysis(study: Path, signal_number: signal.Signals) -> None:
    out = study / "out"
    interrupted = f"""
import os, signal, sys
from batchwright.__main__ import main
from batchwright.analysis.output.pseudonyms import read_key
from batchwright.analysis.output.write_files import ResultFiles
from batchwright.cli import analyse as analyse_command
from batchwright.analysis.output import write_files
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background process inherits that it is ignored
write_files.replace_atomically = lambda *_paths: os.kill(os.getpid(), {signal_number})
sys.exit(main(sys.argv[1:]))
"""
    files = [str(study / "answers.json"), "--layout", str(study / "layout.json")]
    command = [sys.executable, "-c", interrupted, "analyse", *files, "--out", str(out), "--formats", "csv"]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=100)
    assert (ended.returncode, ended.stderr) == (2, "Interrupted.\n")
    assert not list(out.iterdir())


@pytest.mark.parametrize(
    ("failing", "message"),
    [
        ("", f"{len(RECORDS)} answers analysed"),
        ("KeyboardInterrupt", "Interrupted."),
        ("BrokenPipeError", ""),
    ],
)
def test_only_one_message_is_written_to_standard_error(study: Path, failing: str, message: str) -> None:
    """DuckDB reports objects that are not released when the process ends."""
    program = f"""
import sys
from batchwright.__main__ import main
from batchwright.analysis.output.pseudonyms import read_key
from batchwright.analysis.output.write_files import ResultFiles
from batchwright.cli import analyse as analyse_command
from batchwright.cli import analyse
def fail(*_arguments):
    raise {failing}
if {bool(failing)}:
    analyse.summary = fail
sys.exit(main(sys.argv[1:]))
"""
    files = [str(study / "answers.json"), "--layout", str(study / "layout.json"), "--out", str(study / "out")]
    command = [sys.executable, "-c", program, "analyse", *files, "--formats", "csv"]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=100)
    assert ended.returncode == (2 if failing else 0), ended.stderr
    assert ended.stderr.startswith(message)
    assert len(ended.stderr.splitlines()) == bool(message), ended.stderr


def test_figures_are_also_written_as_png_on_request(study: Path) -> None:
    files = [str(study / "answers.json"), "--layout", str(study / "layout.json"), "--out", str(study / "out")]
    environment = {
        name: value for name, value in os.environ.items() if name not in ("DISPLAY", "QT_QPA_PLATFORM")
    }
    command = [sys.executable, "-m", "batchwright", "analyse", *files, "--formats", "csv", "--png"]
    subprocess.run(command, check=True, env=environment, capture_output=True)
    vector = {path.stem for path in (study / "out").glob("*.svg")}
    pictures = [path.read_bytes() for path in (study / "out").glob("*.png")]
    assert {path.stem for path in (study / "out").glob("*.png")} == vector != set()
    assert all(content.startswith(b"\x89PNG") for content in pictures)


def table(folder: Path, *lines: str, header: str = "participant,task,question,value") -> Path:
    path = folder / "table.csv"
    path.write_text("\n".join([header, *lines]), encoding="utf-8")
    return path


def kinds_of(folder: Path) -> dict[str, str]:
    results = json.loads((folder / "out" / "results.json").read_bytes())["results"]
    return {row["question"]: row["kind"] for row in results["questions"]["rows"]}


def test_what_is_taken_for_options_is_said_and_can_be_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = table(tmp_path, *(f"p{number},t{number},q 1,{'ab'[number % 2]}" for number in range(10)))
    command = ["analyse", str(path), "--out", str(tmp_path / "out"), "--formats", "csv"]
    assert main(command) == 0
    said = capsys.readouterr().err
    assert "“q 1” (one of a, b)" in said
    assert "--kind 'q 1'=text" in said
    assert kinds_of(tmp_path) == {"q 1": "choice"}
    assert main([*command, "--kind", "q 1=text"]) == 0
    assert "taken for options" not in capsys.readouterr().err
    assert kinds_of(tmp_path) == {"q 1": "text"}
    assert main([*command, "--kind", "q 1=texts"]) == 2
    assert "text, file" in capsys.readouterr().err


@pytest.mark.parametrize("id", ["better", "Which answer is better?", "a name of its own"])
def test_the_layout_of_a_table_needs_no_ids(tmp_path: Path, id: str) -> None:
    """Its questions are found by id, by text, or by their order."""
    item = {key: value for key, value in ITEMS[0].items() if key != "id" or id == "better"}
    (tmp_path / "layout.json").write_text(json.dumps(layout(item)), encoding="utf-8")
    path = table(tmp_path, f"p1,t1,{id},a", f"p2,t1,{id},b")
    files = [str(path), "--layout", str(tmp_path / "layout.json"), "--out", str(tmp_path / "out")]
    assert main(["analyse", *files, "--formats", "csv"]) == 0
    results = json.loads((tmp_path / "out" / "results.json").read_bytes())["results"]
    labels = {row["label"] for row in results["choices"]["rows"]}
    assert labels == {"A is better", "B is better", "About the same"}


def test_the_layout_of_a_table_says_whether_rows_are_one_answer(tmp_path: Path) -> None:
    (tmp_path / "layout.json").write_text(json.dumps(layout(ITEMS[1])), encoding="utf-8")
    rows = [
        "p1,t1,faults,wrong",
        *(f"p{number},t1,faults,wrong" for number in range(2, 9)),
        "p1,t1,faults,short",
    ]
    files = [str(table(tmp_path, *rows)), "--layout", str(tmp_path / "layout.json")]
    assert main(["analyse", *files, "--out", str(tmp_path / "out"), "--formats", "csv"]) == 0
    assert json.loads((tmp_path / "out" / "results.json").read_bytes())["answers"] == 8


@pytest.mark.skipif(not ARENA.is_file(), reason="the shared data is not beside the project")
def test_systems_are_compared_with_the_options_of_chatbot_arena(tmp_path: Path) -> None:
    """15 wins, 15 losses and 30 ties; the values are those of the shared data."""
    command = ["analyse", str(ARENA), "--out", str(tmp_path / "out"), "--formats", "csv"]
    assert main([*command, "--systems", "left", "right"]) == 0
    results = json.loads((tmp_path / "out" / "results.json").read_bytes())["results"]
    (row,) = (row for row in results["systems"]["rows"] if row["system"] == "X")
    assert (row["wins"], row["losses"], row["ties"], row["win_rate"]) == (15, 15, 30, 0.5)


def test_a_layout_with_other_questions_than_the_table_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "layout.json").write_text(json.dumps(layout()), encoding="utf-8")
    files = [str(table(tmp_path, "p1,t1,q,a")), "--layout", str(tmp_path / "layout.json")]
    assert main(["analyse", *files, "--out", str(tmp_path / "out")]) == 2
    assert "not those of the table" in capsys.readouterr().err
