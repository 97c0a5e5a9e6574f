"""Rehearsals on the command line: from files to a verified export, in real processes over real HTTP."""

import csv
import io
import json
import random
import zipfile
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from batchwright.analysis.statistics.agreement.agreement_results import ALPHA, agreement_rows
from batchwright.analysis.store.answer_files import read_saved_answers
from tests.fakes.faulty_proxy import RESETS, Fault, FaultyProxy
from tests.flows.program import SAMPLE, SHARED_DATA, Results, run, serving, study

pytestmark = pytest.mark.whole_program

NTHS = range(1, 11)
"""The requests of a rehearsal that are reset, one at a time."""

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
    """Count the answers by participant and content, without the ids of the service."""
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
def test_a_task_group_field_groups_the_records(tmp_path: Path) -> None:
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


def test_the_behaviour_of_participants_is_chosen_and_recorded(tmp_path: Path) -> None:
    layout = [page(WHICH)]
    data = "".join(json.dumps({"t": f"Record {n}"}) + "\n" for n in range(6))
    schema = {"strict": True, "fields": {"t": {"type": "text"}}}
    options = ("--first-option-share", 1, "--random-share", 0.5, "--seconds-per-page", 0.01)
    people = ("--participants", 2, "--annotators-per-task", 2, "--tasks-per-group", 6)
    results = rehearsed_with(tmp_path, layout, schema, data, *people, *options)
    behaviour = {"random_share": 0.5, "first_option_share": 1.0, "seconds_per_page": 0.01}
    assert results.summary["behaviour"] == behaviour
    assert [answer["response"]["answer"] for answer in results.responses] == [[{"value": "a"}]] * 12


@pytest.mark.long
@pytest.mark.parametrize("random_share", [0.1, 0.4, 0.7])
def test_the_agreement_of_a_rehearsed_study_follows_from_the_share_of_random_answers(
    random_share: float, tmp_path: Path
) -> None:
    """The interval of Krippendorff's alpha that Results shows covers (1 - share)²."""
    data = "".join(json.dumps({"t": f"Record {n}"}) + "\n" for n in range(300))
    schema = {"strict": True, "fields": {"t": {"type": "text"}}}
    people = ("--participants", 30, "--annotators-per-task", 3, "--tasks-per-group", 30)
    options = ("--random-share", random_share, "--seed", 11)
    rehearsed_with(tmp_path, [page(WHICH)], schema, data, *people, *options)
    with closing(read_saved_answers(tmp_path / "out" / "export.zip").store) as store:
        rows = agreement_rows(store.table())
    (alpha,) = [row for row in rows if row.coefficient == ALPHA and not row.option]
    assert (alpha.records, alpha.raters, alpha.ratings) == (300, 30, 900)
    assert alpha.low <= (1 - random_share) ** 2 <= alpha.high


def test_a_group_can_have_several_participants(tmp_path: Path) -> None:
    options = ("--participants", 7, "--annotators-per-task", 3, "--tasks-per-group", 12)
    results = rehearsed(tmp_path, SAMPLE / "records.csv", SAMPLE / "schema.json", *options)
    assert (results.summary["participants"], results.summary["turned_away"]) == (6, 1)
    with (results.folder / "report.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert all(row["Annotator3_ID"] for row in rows)


def test_a_running_service_is_used_without_simulated_participants(tmp_path: Path) -> None:
    with serving(tmp_path / "service") as service:
        run(*at(service, service["url"], tmp_path), home=tmp_path / "home")
    results = Results(tmp_path / "out")
    assert (results.summary["tasks"], results.summary["participants"], results.responses) == (24, 0, [])


def test_a_service_with_a_certificate_of_its_own_is_trusted_by_ca_file(tmp_path: Path) -> None:
    with serving(tmp_path / "service", "--tls-self-signed") as service:
        command = at(service, service["url"], tmp_path)
        run(*command, home=tmp_path / "home", code=2)
        run(*command, "--ca-file", service["certificate_file"], home=tmp_path / "home")
    assert Results(tmp_path / "out").summary["tasks"] == 24


@pytest.mark.matrix(2)
@pytest.mark.parametrize("error", RESETS)
def test_a_connection_reset_at_a_random_request_is_retried(tmp_path: Path, seed: int, error: Fault) -> None:
    nth = random.Random(f"{seed} {error.name}").choice(NTHS)
    print(f"seed {seed}: {error.name} at request {nth}")
    survive(tmp_path, nth, error)


@pytest.mark.long
@pytest.mark.parametrize("error", RESETS)
@pytest.mark.parametrize("nth", NTHS)
def test_a_connection_reset_at_any_request_creates_nothing_twice(
    tmp_path: Path, nth: int, error: Fault
) -> None:
    survive(tmp_path, nth, error)


def survive(tmp_path: Path, nth: int, error: Fault) -> None:
    """Rehearse behind a proxy that resets the connection at the n-th request."""
    with serving(tmp_path / "service") as service, FaultyProxy(service["url"], error, nth) as proxy:
        run(*at(service, proxy.url, tmp_path), home=tmp_path / "home")
        assert proxy.fault_count
        assert batches_at(service) == 1
    assert Results(tmp_path / "out").summary["tasks"] == 24


def page(*items: dict[str, Any]) -> dict[str, Any]:
    return {"rows": [{"columns": [{"items": list(items)}]}]}


def rehearsed_with(
    tmp_path: Path, layout: list[Any], schema: dict[str, Any], data: str, *further: object, code: int = 0
) -> Results:
    """Rehearse a study written by the test; all paths are relative to its folder."""
    for name, text in (("l.json", json.dumps(layout)), ("s.json", json.dumps(schema)), ("d.jsonl", data)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = ["--layout", "l.json", "--schema", "s.json", "--data", "d.jsonl", "--out", "out"]
    run("rehearse", *files, *further, home=tmp_path / "home", folder=tmp_path, code=code)
    return Results(tmp_path / "out")


WHY: dict[str, Any] = {"type": "free_text", "description": "Why?"}
UNUSUAL_NAMES = [
    "a b",
    "日本 ü",
    "q\"uo'te",
    "x" * 128,
    "com,ma",
    "line\nbreak",
    "Annotator1_ID",
    "DataPoint_ID",
]
OPTIONS: list[dict[str, Any]] = [
    {"label": "A", "value": "a"},
    {"label": "B", "value": 2},
    {"label": "C", "value": True},
]
WHICH: dict[str, Any] = {
    "type": "multiple_choice",
    "description": "Which?",
    "answer_limit": 1,
    "options": OPTIONS,
}
EVERY_QUESTION: list[dict[str, Any]] = [
    WHY,
    {**WHY, "validation": {"type": "number", "min": 1, "max": 5}},
    {
        "type": "free_text_with_unit",
        "description": "How long?",
        "unit_options": [{"label": "min", "value": "min"}],
        "unit_position": "suffix",
    },
    {"type": "multiple_choice", "description": "Which?", "answer_limit": -1, "options": OPTIONS},
    {
        "type": "multiple_choice_with_free_text",
        "description": "Which, and why?",
        "answer_limit": 2,
        "options": [{**option, "heading": "Because"} for option in OPTIONS],
    },
    {"type": "file_upload", "description": "Proof", "min_file_count": 2, "accepted_file_types": [".png"]},
]
NON_QUESTIONS: list[dict[str, Any]] = [
    {"type": "image", "url": "https://example.org/a.png", "alt_text": "A"},
    {"type": "rich_text", "content": "<b>Look</b>"},
    {"type": "video_narration", "description": "Tell us.", "kept": True},
]


def test_unusual_field_names_are_preserved(tmp_path: Path) -> None:
    layout = [page(*({"type": "dataset_field", "field": name} for name in UNUSUAL_NAMES), WHY)]
    schema = {"strict": True, "fields": {name: {"type": "text"} for name in UNUSUAL_NAMES}}
    data = json.dumps({name: f"{name} = {name}" for name in UNUSUAL_NAMES}) + "\n"
    results = rehearsed_with(tmp_path, layout, schema, data, "--participants", 1)
    with (results.folder / "report.csv").open(encoding="utf-8", newline="") as file:
        header, row = csv.reader(file)
    assert header[4 : 4 + len(UNUSUAL_NAMES)] == UNUSUAL_NAMES
    assert row[4 : 4 + len(UNUSUAL_NAMES)] == [f"{name} = {name}" for name in UNUSUAL_NAMES]


def test_every_item_type_is_shown_and_answered(tmp_path: Path) -> None:
    fields = {"t": "text", "i": "image_url", "a": "audio_url", "v": "video_url"}
    schema = {"strict": True, "fields": {name: {"type": type} for name, type in fields.items()}}
    shown = [{"type": "dataset_field", "field": name} for name in fields]
    record = {"t": "x", "i": "https://e.org/i", "a": "https://e.org/a.mp3", "v": "https://e.org/v.mp4"}
    layout = [page(*shown, *NON_QUESTIONS), page(*EVERY_QUESTION)]
    options = ("--participants", 3, "--seed", -5)
    results = rehearsed_with(tmp_path, layout, schema, json.dumps(record), *options)
    assert (results.summary["participants"], results.summary["turned_away"]) == (1, 2)
    assert [answer["response"]["type"] for answer in results.responses[::-1]] == [
        question["type"] for question in EVERY_QUESTION
    ]


def test_a_layout_without_questions_can_be_rehearsed(tmp_path: Path) -> None:
    layout, schema = [page(*NON_QUESTIONS)], {"strict": True, "fields": {"t": {"type": "text"}}}
    results = rehearsed_with(tmp_path, layout, schema, '{"t": "x"}', "--participants", 1)
    assert (results.summary["participants"], results.responses) == (1, [])


def test_a_rejected_record_ends_the_rehearsal_with_a_data_error(tmp_path: Path) -> None:
    schema = {"strict": True, "fields": {"t": {"type": "text"}}}
    results = rehearsed_with(tmp_path, [page(WHY)], schema, '{"t": "x"}\n{"u": 1}\n', code=1)
    assert list(results.folder.iterdir()) == []


def test_a_result_file_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "out" / "report.csv").mkdir(parents=True)
    schema = {"strict": True, "fields": {"t": {"type": "text"}}}
    results = rehearsed_with(tmp_path, [page(WHY)], schema, '{"t": "x"}\n', code=2)
    assert sorted(path.name for path in results.folder.iterdir()) == ["report.csv", "responses.json"]


def batches_at(service: dict[str, Any]) -> int:
    """The number of batches of a service."""
    token = Path(service["token_file"]).read_text(encoding="utf-8").strip()
    address = f"{service['url']}/api/v1/data-collection/batches?workspace_id={service['workspace_id']}"
    answer = httpx.get(address, headers={"Authorization": f"Token {token}"}, trust_env=False)
    count: int = answer.json()["meta"]["count"]
    return count


def at(service: dict[str, Any], url: str, folder: Path) -> list[object]:
    """The command that rehearses the sample study on a running service."""
    connection = ["--url", url, "--workspace", service["workspace_id"], "--token-file", service["token_file"]]
    return ["rehearse", *study(SAMPLE / "records.csv"), *connection, "--out", folder / "out"]


def report_shows(
    results: Results, records: list[dict[str, str]], columns: list[str], instructions: int
) -> bool:
    """Whether the report has each record verbatim, once for each instruction."""
    text = (results.folder / "report.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    shown = Counter(tuple(row[column] for column in columns) for row in rows)
    expected = Counter(tuple(record[column] for column in columns) for record in records)
    return shown == Counter({record: count * instructions for record, count in expected.items()})
