"""The main job by the command line: from files to a proved export, in real processes over real HTTP."""

import csv
import io
import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.resetting_proxy import ResettingProxy, When
from tests.whole_program.program import SAMPLE, SHARED_DATA, Results, run, serving, study

pytestmark = pytest.mark.whole_program

needs_shared_data = pytest.mark.skipif(
    not SHARED_DATA.is_dir(), reason="the shared data is not beside the project"
)

PREFERENCE = {"prompt": "text", "response_a": "text", "response_b": "text", "source": "metadata"}


def schema_file(folder: Path, fields: dict[str, str]) -> Path:
    path = folder / "schema.json"
    path.write_text(
        json.dumps({"strict": True, "fields": {key: {"type": type} for key, type in fields.items()}})
    )
    return path


def rehearsed(tmp_path: Path, data: Path, schema: Path, *further: object) -> Results:
    out = tmp_path / "out"
    run("rehearse", *study(data, schema), *further, "--out", out, home=tmp_path / "home")
    return Results(out)


def answers_by_content(results: Results) -> Counter[str]:
    """Each answer with its participant and the content it is about; ids of the service left out."""
    with zipfile.ZipFile(results.folder / "export.zip") as archive:
        tasks = [json.loads(line) for line in archive.read("responses-by-task.jsonl").splitlines()]
    return Counter(
        json.dumps(
            [task["datapoint"], answer["participant_id"], answer["response"]["answer"]], sort_keys=True
        )
        for task in tasks
        for answer in task["responses"]
    )


@needs_shared_data
def test_preference_pairs_go_from_a_csv_file_to_report_and_export(tmp_path: Path) -> None:
    data = SHARED_DATA / "preference-pairs.csv"
    options = ("--participants", 12, "--tasks-per-group", 5, "--seed", 7)
    results = rehearsed(tmp_path, data, schema_file(tmp_path, PREFERENCE), *options)
    summary = results.summary
    assert (summary["accepted"], summary["rejected"], summary["tasks"], summary["task_groups"]) == (
        240,
        0,
        240,
        48,
    )
    assert len(results.responses) == 12 * 5 * 3
    with data.open(encoding="utf-8", newline="") as file:
        records = list(csv.DictReader(file))
    assert report_shows(results, records, list(PREFERENCE), instructions=3)
    with zipfile.ZipFile(results.folder / "export.zip") as archive:
        submissions = archive.read("responses-by-submission.jsonl").splitlines()
    assert len(submissions) == 12
    assert {len(json.loads(line)["responses"]) for line in submissions} == {15}


@needs_shared_data
def test_a_field_of_the_file_can_say_what_belongs_together(tmp_path: Path) -> None:
    data = SHARED_DATA / "preference-pairs.jsonl"
    schema = schema_file(tmp_path, {**PREFERENCE, "session": "task_group_id"})
    results = rehearsed(tmp_path, data, schema, "--participants", 3, "--tasks-per-group", 5, "--seed", 7)
    summary = results.summary
    assert (summary["accepted"], summary["tasks"], summary["task_groups"]) == (240, 240, 40)
    assert len(results.responses) == 3 * 6 * 3


def test_the_same_seed_gives_the_same_answers(tmp_path: Path) -> None:
    def once(name: str, seed: int) -> Counter[str]:
        folder = tmp_path / name
        options = ("--participants", 3, "--tasks-per-group", 4, "--seed", seed)
        return answers_by_content(rehearsed(folder, SAMPLE / "records.csv", SAMPLE / "schema.json", *options))

    first = once("first", 5)
    assert once("second", 5) == first
    assert once("third", 6) != first


def test_several_people_can_be_given_the_same_group(tmp_path: Path) -> None:
    options = ("--participants", 7, "--annotators-per-task", 3, "--tasks-per-group", 12)
    results = rehearsed(tmp_path, SAMPLE / "records.csv", SAMPLE / "schema.json", *options)
    assert (results.summary["participants"], results.summary["turned_away"]) == (6, 1)
    with (results.folder / "report.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert all(row["Annotator3_ID"] for row in rows)


def test_a_service_that_runs_already_is_used_without_participants(tmp_path: Path) -> None:
    with serving(tmp_path / "service") as service:
        run(*at(service, service["url"], tmp_path), home=tmp_path / "home")
    results = Results(tmp_path / "out")
    assert (results.summary["tasks"], results.summary["participants"], results.responses) == (24, 0, [])


@pytest.mark.parametrize("when", When)
@pytest.mark.parametrize("nth", range(1, 11))
def test_one_reset_connection_is_survived_and_nothing_is_made_twice(
    tmp_path: Path, nth: int, when: When
) -> None:
    with serving(tmp_path / "service") as service, ResettingProxy(service["url"], nth, when) as proxy:
        run(*at(service, proxy.url, tmp_path), home=tmp_path / "home")
        assert proxy.was_reset
    assert Results(tmp_path / "out").summary["tasks"] == 24


def at(service: dict[str, Any], url: str, folder: Path) -> list[object]:
    """The command that rehearses the sample study on a running service."""
    connection = ["--url", url, "--workspace", service["workspace_id"], "--token-file", service["token_file"]]
    return ["rehearse", *study(SAMPLE / "records.csv"), *connection, "--out", folder / "out"]


def report_shows(
    results: Results, records: list[dict[str, str]], columns: list[str], instructions: int
) -> bool:
    """Whether each record stands in the report as often as there are instructions, to the letter."""
    text = (results.folder / "report.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    shown = Counter(tuple(row[column] for column in columns) for row in rows)
    wanted = Counter(tuple(record[column] for column in columns) for record in records)
    return shown == Counter({record: count * instructions for record, count in wanted.items()})
