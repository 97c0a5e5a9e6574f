"""Rehearsals with records appended after setup: appended, synced, answered and verified."""

import csv
import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.faulty_proxy import RESETS, Fault, FaultyProxy
from tests.flows.program import Results, run, serving

pytestmark = pytest.mark.whole_program

NTHS = range(11, 15)
"""The requests of a rehearsal after its setup that are reset, one at a time."""

SCHEMA: dict[str, Any] = {
    "strict": True,
    "fields": {"prompt": {"type": "text"}, "model": {"type": "metadata"}},
}
GROUPED: dict[str, Any] = {**SCHEMA, "fields": {**SCHEMA["fields"], "model": {"type": "task_group_id"}}}
LAYOUT = [
    {
        "rows": [
            {
                "columns": [
                    {
                        "items": [
                            {"type": "dataset_field", "field": "prompt"},
                            {"type": "free_text", "description": "Why?"},
                        ]
                    }
                ]
            }
        ]
    }
]


def lines(first: int, end: int) -> str:
    """Records with these numbers as JSON lines."""
    return "".join(json.dumps({"prompt": f"p{n}", "model": f"m{n % 3}"}) + "\n" for n in range(first, end))


def rehearsed(
    folder: Path,
    more: str | bytes,
    *further: object,
    schema: Any = SCHEMA,
    name: str = "more.jsonl",
    code: int = 0,
) -> Results:
    """Rehearse ten records, and append more."""
    folder.mkdir(exist_ok=True)
    files = {"l.json": json.dumps(LAYOUT), "s.json": json.dumps(schema), "d.jsonl": lines(0, 10), name: more}
    for file, content in files.items():
        (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())
    requests = [
        "--layout",
        "l.json",
        "--schema",
        "s.json",
        "--data",
        "d.jsonl",
        "--append",
        name,
        "--out",
        "out",
    ]
    run("rehearse", *requests, *further, home=folder / "home", folder=folder, code=code)
    return Results(folder / "out")


def prompts(results: Results) -> list[str]:
    """The prompts in the report."""
    with (results.folder / "report.csv").open(encoding="utf-8", newline="") as file:
        return [row["prompt"] for row in csv.DictReader(file)]


@pytest.mark.spec("K-02", "AP-01", "AP-08", "Y-01", "Y-05", sides="C")
def test_appended_records_are_synced_answered_and_verified(tmp_path: Path) -> None:
    results = rehearsed(tmp_path, lines(10, 1225), "--tasks-per-group", 45, "--participants", 27, "--seed", 3)
    summary = results.summary
    assert (summary["records"], summary["accepted"], summary["tasks"]) == (10, 10, 1225)
    appended = summary["appended"]
    assert (appended["accepted"], appended["rejected"], appended["tasks_created"]) == (1215, 0, 1215)
    assert summary["participants"] == 27
    assert sorted(prompts(results)) == sorted(f"p{n}" for n in range(1225))
    assert len(results.responses) > 1000, "tasks of the sync are answered, too"


def test_appended_records_join_existing_task_groups(tmp_path: Path) -> None:
    summary = rehearsed(tmp_path, lines(10, 16), schema=GROUPED).summary
    assert (summary["tasks"], summary["task_groups"]) == (16, 3)
    assert (summary["appended"]["groups_created"], summary["appended"]["groups_expanded"]) == (0, 3)


def test_duplicate_records_create_no_second_task(tmp_path: Path) -> None:
    summary = rehearsed(tmp_path, lines(8, 12) + "\n\n" + lines(11, 12)).summary
    assert summary["tasks"] == 12
    assert (summary["appended"]["records"], summary["appended"]["accepted"]) == (5, 5)


@pytest.mark.spec("AP-09", sides="C")
def test_a_rejected_record_is_reported_and_the_others_are_appended(tmp_path: Path) -> None:
    results = rehearsed(tmp_path, lines(10, 1011) + '{"model": 1}\nno json\n' + lines(1011, 1012), code=1)
    appended = results.summary["appended"]
    assert (appended["records"], appended["accepted"], appended["rejected"]) == (1004, 1002, 2)
    assert [(error["record_index"], error["field"]) for error in appended["errors"]] == [
        (1002, "prompt"),
        (1003, "_raw"),
    ]
    failed = [check["statement"] for check in results.summary["proofs"] if not check["holds"]]
    assert failed == ["The service has accepted every appended record."]
    assert results.summary["tasks"] == 1012


@pytest.mark.matrix(2)
@pytest.mark.parametrize("more", [b"prompt,model\na\n", b'prompt,model\n"a,b\n'])
def test_a_row_with_too_few_cells_is_rejected_with_its_index(tmp_path: Path, more: bytes) -> None:
    appended = rehearsed(tmp_path, more, name="more.csv", code=1).summary["appended"]
    assert (appended["records"], appended["accepted"], appended["rejected"]) == (1, 0, 1)
    assert [error["record_index"] for error in appended["errors"]] == [1]


@pytest.mark.spec("AP-12", sides="C")
def test_csv_records_are_appended_as_json_lines(tmp_path: Path) -> None:
    results = rehearsed(tmp_path, '\ufeffprompt, model\n"a ""b""\nc",1\nd,2\n'.encode(), name="more.csv")
    assert (results.summary["appended"]["accepted"], results.summary["tasks"]) == (2, 12)
    assert {'a "b"\nc', "d"} <= set(prompts(results))


@pytest.mark.matrix(3)
@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("more.jsonl", b""),
        ("more.jsonl", b"\n \n"),
        ("more.csv", b""),
    ],
)
def test_a_file_without_records_ends_with_a_message(tmp_path: Path, name: str, more: bytes) -> None:
    rehearsed_nothing = rehearsed(tmp_path, more, name=name, code=2)
    assert not (rehearsed_nothing.folder / "summary.json").exists()


def test_a_missing_file_is_reported_before_the_rehearsal_starts(tmp_path: Path) -> None:
    (tmp_path / "more.jsonl").write_text(lines(10, 11))
    for name, text in (
        ("l.json", json.dumps(LAYOUT)),
        ("s.json", json.dumps(SCHEMA)),
        ("d.jsonl", lines(0, 1)),
    ):
        (tmp_path / name).write_text(text)
    files = ["--layout", "l.json", "--schema", "s.json", "--data", "d.jsonl", "--out", "out"]
    for more in ("nothing.jsonl", "."):
        run("rehearse", *files, "--append", more, home=tmp_path / "home", folder=tmp_path, code=2)
    assert not (tmp_path / "out").exists()


@pytest.mark.matrix(2)
@pytest.mark.parametrize("error", RESETS)
def test_a_connection_reset_at_a_random_request_stores_nothing_twice(
    tmp_path: Path, seed: int, error: Fault
) -> None:
    nth = random.Random(f"{seed} {error.name}").choice(NTHS)
    print(f"seed {seed}: {error.name} at request {nth}")
    survive(tmp_path, nth, error)


@pytest.mark.long
@pytest.mark.parametrize("error", RESETS)
@pytest.mark.parametrize("nth", NTHS)
def test_a_connection_reset_at_any_request_stores_nothing_twice(
    tmp_path: Path, nth: int, error: Fault
) -> None:
    survive(tmp_path, nth, error)


def survive(tmp_path: Path, nth: int, error: Fault) -> None:
    """Rehearse with appended records behind a proxy that resets the connection at the n-th request."""
    with serving(tmp_path / "service") as service, FaultyProxy(service["url"], error, nth) as proxy:
        at = [
            "--url",
            proxy.url,
            "--workspace",
            service["workspace_id"],
            "--token-file",
            service["token_file"],
        ]
        results = rehearsed(tmp_path / "study", lines(10, 30), *at)
        assert proxy.fault_count
    assert (results.summary["tasks"], len(prompts(results))) == (30, 30)
    assert results.summary["appended"]["accepted"] == 20
