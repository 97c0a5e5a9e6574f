"""Responses, report and export of a batch (specification, Batches rules 5 and 9; wire reference, sections 7
and 8).
"""

import csv
import io
import json
import zipfile
from collections import Counter
from typing import Any

import pytest

from tests.service.independent_client.batch_shapes import EXPORTS, REPORT, RESPONSE
from tests.service.independent_client.client import Client
from tests.service.independent_client.participants import participant
from tests.service.independent_client.researcher import (
    PREFIX,
    SCHEMA,
    Record,
    batch,
    dataset,
    exported,
    filled,
    page,
    poll,
    read_batch,
    set_up,
)
from tests.service.independent_client.shapes import listed, timestamp
from tests.service.independent_client.surveys import ANSWERS, CELLS, FILE, QUESTIONS, check_answers

PROMPTS = ("one\nline, more", 'two "quoted"', "three")
INTRO = page({"type": "rich_text", "content": "<p>Welcome</p>"}, display_position="intro")
LAYOUT = [INTRO, page({"type": "dataset_field", "field": "prompt"}, *QUESTIONS[:2]), page(*QUESTIONS[2:])]


@pytest.fixture(scope="module")
def answered(client: Client) -> Record:
    """A batch of three tasks in two groups, each answered by one of two participants."""
    data = filled(client, *({"prompt": text, "source": 1} for text in PROMPTS))
    created = batch(client, LAYOUT, data)
    set_up(client, created["id"], tasks_per_group=2)
    pages = [participant(client, f"batches/{created['id']}").answer_all(ANSWERS) for _ in range(2)]
    assert sorted(pages) == [3, 5]
    assert participant(client, f"batches/{created['id']}").start().state != "page"
    return created


def test_each_answer_is_a_record(client: Client, answered: Record) -> None:
    path = f"{PREFIX}/batches/{answered['id']}"
    envelope = client.expect(200, "GET", f"{path}/responses")
    assert listed(RESPONSE)(envelope)
    responses = envelope["results"]
    assert len(responses) == len(PROMPTS) * len(QUESTIONS)
    assert len({response["id"] for response in responses}) == len(responses)
    assert {response["task_id"] for response in responses} == set(client.expect(200, "GET", f"{path}/tasks"))
    assert len({response["participant_id"] for response in responses}) == 2
    assert {response["submission_id"] for response in responses}
    assert all(response["batch_id"] == answered["id"] for response in responses)
    assert all(response["metadata"] == {"source": "1"} for response in responses)
    assert Counter(response["response"]["type"] for response in responses) == {
        question["type"]: 3 for question in QUESTIONS
    }
    check_answers(responses)
    second_page = client.expect(200, "GET", f"{path}/responses?limit=2&offset=1")
    assert (second_page["results"], second_page["meta"]) == (responses[1:3], envelope["meta"])


def test_the_report_has_a_row_for_each_datapoint_and_instruction(client: Client, answered: Record) -> None:
    download = client.expect(200, "GET", f"{PREFIX}/batches/{answered['id']}/report/")
    assert REPORT(download)
    response = client.store(download["url"], download["http_method"])
    assert response.status == 200
    assert response.headers.get_content_type() == "text/csv"
    reader = csv.DictReader(io.StringIO(response.body.decode("utf-8"), newline=""))
    rows = list(reader)
    assert reader.fieldnames == [
        *("DataPoint_ID", "Task_Group_ID", "Task_Type", "Question"),
        *SCHEMA["fields"],
        *("Annotator1_ID", "Annotator1_Response", "Annotator1_Timestamp"),
    ]
    assert [row["prompt"] for row in rows[:: len(QUESTIONS)]] == list(PROMPTS)
    assert [row["Question"] for row in rows] == [question["description"] for question in QUESTIONS] * 3
    assert {row["Task_Group_ID"] for row in rows} == set(
        client.expect(200, "GET", f"{PREFIX}/batches/{answered['id']}/task-groups")
    )
    for row in rows:
        if row["Task_Type"] in CELLS:
            assert row["Annotator1_Response"] in (CELLS[row["Task_Type"]], "25 min")


def test_the_archive_contains_answers_and_files(client: Client, answered: Record) -> None:
    resource = f"batches/{answered['id']}"
    job = exported(client, resource)
    download = client.store(job["url"], "GET")
    assert download.status == 200
    with zipfile.ZipFile(io.BytesIO(download.body)) as archive:
        names = archive.namelist()
        listed_names = {name for name in names if not name.startswith("files/")}
        assert listed_names == {
            *("responses-by-submission.jsonl", "responses-by-task.jsonl", "batch.json", "README.md")
        }
        by_submission, by_task = (
            [json.loads(record) for record in archive.read(name).decode().splitlines()]
            for name in ("responses-by-submission.jsonl", "responses-by-task.jsonl")
        )
        files = [archive.read(name) for name in names if name.startswith("files/") and not name.endswith("/")]
        assert json.loads(archive.read("batch.json"))["id"] == answered["id"]
    assert sorted(map(len, files)) == sorted([len(FILE), 1] * 3)
    assert {frozenset(record) for record in by_submission} == {
        frozenset(("submission_id", "participant_id", "responses"))
    }
    assert {frozenset(record) for record in by_task} == {frozenset(("task_id", "datapoint", "responses"))}
    assert len(by_submission) == 2
    assert len(by_task) == 3
    everything = {
        response["id"] for response in client.expect(200, "GET", f"{PREFIX}/{resource}/responses")["results"]
    }
    for lines in (by_submission, by_task):
        inside: list[Any] = [response for record in lines for response in record["responses"]]
        assert {response["id"] for response in inside} == everything
        assert all(RESPONSE(response) for response in inside)


def test_a_finished_export_is_returned_again(client: Client, answered: Record) -> None:
    resource = f"batches/{answered['id']}"
    exported(client, resource)
    again = client.expect(200, "POST", f"{PREFIX}/{resource}/export")
    assert EXPORTS["complete"](again)
    assert client.store(again["url"], "GET").body[:2] == b"PK"


def test_a_running_export_is_the_same_one(slow_client: Client) -> None:
    path = f"{PREFIX}/batches/{batch(slow_client, [page(*QUESTIONS[:1])])['id']}/export"
    jobs = [slow_client.expect(202, "POST", path) for _ in range(2)]
    assert EXPORTS["generating"](jobs[0])
    assert jobs[0] == jobs[1]
    path_of_job = f"{path}/{jobs[0]['export_id']}"
    assert slow_client.expect(200, "GET", path_of_job) == jobs[0]
    poll(lambda: slow_client.expect(200, "GET", path_of_job), lambda job: job["status"] == "complete")


def test_invalid_answers_are_shown_again_and_not_stored(client: Client) -> None:
    created = batch(client, [page(*QUESTIONS)], filled(client, {"prompt": "a"}))
    set_up(client, created["id"])
    somebody = participant(client, f"batches/{created['id']}")
    somebody.start()
    for invalid in (
        {},
        {**ANSWERS, "Say it": "x"},
        {**ANSWERS, "Pick": ["Number one", "None of these"]},
        {**ANSWERS, "How long": ("", "hours")},
        {**ANSWERS, "Show it": [("a.exe", b"x")]},
        {**ANSWERS, "Rate it": {"Good": ""}},
    ):
        somebody.answer(invalid)
        assert (somebody.status, somebody.page.state) == (422, "page")
        assert client.expect(200, "GET", f"{PREFIX}/batches/{created['id']}/responses")["results"] == []
    somebody.answer(ANSWERS)
    assert len(client.expect(200, "GET", f"{PREFIX}/batches/{created['id']}/responses")["results"]) == 5


def test_the_report_has_three_columns_for_each_of_the_people(client: Client) -> None:
    created = batch(client, [page(*QUESTIONS[:2])], filled(client, {"prompt": "a"}))
    path = f"/local/v1/batches/{created['id']}/annotators-per-task"
    client.expect(200, "PUT", path, {"annotators_per_task": 2})
    set_up(client, created["id"])
    for _ in range(2):
        participant(client, f"batches/{created['id']}").answer_all(ANSWERS)
    report = client.store(client.expect(200, "GET", f"{PREFIX}/batches/{created['id']}/report")["url"], "GET")
    rows = list(csv.DictReader(io.StringIO(report.body.decode(), newline="")))
    people = [[row[f"Annotator{number}_ID"] for number in (1, 2)] for row in rows]
    assert people[0] == people[1]
    assert len(set(people[0])) == 2
    assert {row[f"Annotator{number}_Response"] for row in rows for number in (1, 2)} == {
        CELLS["free_text"],
        CELLS["multiple_choice"],
    }
    assert all(timestamp(row["Annotator2_Timestamp"]) for row in rows)


def test_a_batch_without_answers_has_empty_results(client: Client) -> None:
    created = batch(client, [page(QUESTIONS[0])], dataset(client, SCHEMA))
    assert client.expect(200, "GET", f"{PREFIX}/batches/{created['id']}/responses") == {
        "results": [],
        "meta": {"count": 0},
    }
    for what in ("tasks", "task-groups"):
        assert client.expect(200, "GET", f"{PREFIX}/batches/{created['id']}/{what}") == []
    assert read_batch(client, created["id"])["status"] == "UNINITIALISED"
