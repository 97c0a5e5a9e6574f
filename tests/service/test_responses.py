"""Responses, the report and the archive (specification, Batches rule 9; wire reference, sections 7 and 8)."""

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from batchwright.service.process import ServiceAddress
from batchwright.wire.local_routes import simulated_participant
from tests.service.api_helpers import QUESTION, JsonDict, Researcher, jsonl, page, storage_request
from tests.service.participant import Fields, answer_task_group, participation

SCHEMA: JsonDict = {
    "strict": True,
    "fields": {
        "prompt": {"type": "text"},
        "source": {"type": "metadata"},
        "session": {"type": "task_group_id"},
    },
}
NASTY = 'two\nlines, "quotes" – 漢字 🙂'
RECORDS: list[JsonDict] = [
    {"prompt": NASTY, "source": "m-1", "session": "s"},
    {"prompt": "=1+1", "source": 2.5, "session": "s"},
    {"prompt": "last", "source": False, "session": "t"},
]
LAYOUT = [
    page(
        {"type": "dataset_field", "field": "prompt"},
        {
            "type": "multiple_choice",
            "description": "Which?",
            "answer_limit": -1,
            "options": [{"label": "Wrong", "value": 0}, {"label": "Unclear", "value": False}],
        },
        {
            "type": "free_text_with_unit",
            "description": "How long?",
            "unit_options": [{"label": "min", "value": "m"}],
            "unit_position": "suffix",
        },
    ),
    page(
        {"type": "free_text", "description": "Why?"},
        {"type": "file_upload", "description": "Show", "accepted_file_types": [".png"]},
    ),
]
QUESTIONS = ["Which?", "How long?", "Why?", "Show"]


def _answers(position: int, instruction: Mapping[str, Any]) -> Fields:
    match instruction["type"]:
        case "multiple_choice":
            return {f"i{position}": ["0", "1"]}
        case "free_text_with_unit":
            return {f"i{position}": ["25"], f"i{position}.u": ["0"]}
    return {f"i{position}": [NASTY]}


@pytest.fixture(scope="module")
def study(running: ServiceAddress) -> Any:
    """A batch of three tasks in two groups for two participants each; one answered both groups."""
    researcher = Researcher(running)
    dataset = researcher.dataset(SCHEMA)["id"]
    researcher.imported(dataset, "a.jsonl", jsonl(*RECORDS))
    batch = researcher.batch(dataset_id=dataset, batch_items=LAYOUT)["id"]
    researcher.set_up(batch)
    researcher.request(
        "PUT", f"/local/v1/batches/{batch}/annotators-per-task", {"annotators_per_task": 2}, 200
    )
    link = researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"]
    for person in (1, 1, 2):
        answer_task_group(link, simulated_participant(7, person), _answers)
    yield batch
    researcher.close()


@pytest.mark.spec("R-01")
def test_every_answer_is_a_record_newest_first(researcher: Researcher, study: str) -> None:
    listed = researcher.request("GET", f"/batches/{study}/responses", status=200)
    records = listed["results"]
    tasks_answered = 5
    assert listed["meta"]["count"] == len(records) == tasks_answered * len(QUESTIONS)
    assert [record["created_at"] for record in records] == sorted(
        (record["created_at"] for record in records), reverse=True
    )
    assert {record["batch_id"] for record in records} == {study}
    assert {record["participant_id"] for record in records} == {simulated_participant(7, n) for n in (1, 2)}
    instructions = {
        item["id"]: item["type"]
        for entry in researcher.get_batch(study)["batch_items"]
        for item in entry["rows"][0]["columns"][0]["items"]
    }
    for record in records:
        assert len(record["submission_id"]) == 24
        assert instructions[record["response"]["instruction_id"]] == record["response"]["type"]
        assert record["metadata"] in ({"source": "m-1"}, {"source": "2.5"}, {"source": "false"})
    answers = {record["response"]["type"]: record["response"]["answer"] for record in records}
    assert answers["multiple_choice"] == [{"value": 0}, {"value": False}]
    assert answers["free_text_with_unit"] == [{"value": "25", "unit": "m"}]
    assert answers["free_text"][0]["value"].replace("\r\n", "\n") == NASTY
    (file,) = answers["file_upload"]
    assert (file["file_name"], file["content_type"]) == ("notes, first.png", "image/png")


def test_a_slice_of_the_responses_has_the_total_count(researcher: Researcher, study: str) -> None:
    path = f"/batches/{study}/responses"
    everything = researcher.request("GET", path, status=200)
    second_page = researcher.request("GET", f"{path}?limit=3&offset=2", status=200)
    assert second_page["results"] == everything["results"][2:5]
    assert second_page["meta"] == everything["meta"]
    assert researcher.request("GET", f"{path}?limit=0", status=200)["results"] == []


def test_a_lone_surrogate_in_a_question_does_not_truncate_the_report(researcher: Researcher) -> None:
    batch = researcher.batch(dataset_id=researcher.filled_dataset())["id"]
    invalid = json.dumps({"batch_items": [page({"type": "free_text", "description": "half \ud800"})]})
    changed = researcher.http.patch(f"/api/v1/data-collection/batches/{batch}", content=invalid.encode())
    assert changed.status_code == 200
    researcher.set_up(batch)
    assert [row["Question"] for row in researcher.report(batch)] == ["half ?"] * 3


def test_a_batch_without_answers_has_an_empty_list(researcher: Researcher) -> None:
    empty = researcher.request("GET", f"/batches/{researcher.batch()['id']}/responses", status=200)
    assert empty == {"results": [], "meta": {"count": 0}}


@pytest.mark.spec("R-02", "R-03")
def test_the_report_has_a_row_for_each_datapoint_and_instruction(researcher: Researcher, study: str) -> None:
    before = datetime.now().astimezone()
    download = researcher.request("GET", f"/batches/{study}/report", status=200)
    assert download["http_method"] == "GET"
    assert (
        timedelta(minutes=59)
        < datetime.fromisoformat(download["expires_at"]) - before
        < timedelta(minutes=61)
    )
    rows = researcher.report(study)
    assert list(rows[0])[:7] == ["DataPoint_ID", "Task_Group_ID", "Task_Type", "Question", *SCHEMA["fields"]]
    assert list(rows[0])[7:10] == ["Annotator1_ID", "Annotator1_Response", "Annotator1_Timestamp"]
    assert [row["Question"] for row in rows] == QUESTIONS * 3
    assert [row["prompt"] for row in rows[::4]] == [NASTY, "=1+1", "last"]
    assert [row["source"] for row in rows[::4]] == ["m-1", "2.5", "false"]
    assert rows[0]["Task_Group_ID"] == rows[4]["Task_Group_ID"] != rows[8]["Task_Group_ID"]
    assert [row["Annotator1_Response"] for row in rows[:2]] == ["Wrong, Unclear", "25 min"]
    assert rows[2]["Annotator1_Response"].replace("\r\n", "\n") == NASTY
    assert rows[3]["Annotator1_Response"] == "notes, first.png"
    assert all(row["Annotator1_ID"] for row in rows)
    assert len({row["DataPoint_ID"] for row in rows}) == 3


def test_the_report_of_a_batch_without_tasks_shows_its_dataset(researcher: Researcher) -> None:
    batch = researcher.batch(dataset_id=researcher.filled_dataset(2))["id"]
    assert [row["prompt"] for row in researcher.report(batch)] == ["p0", "p1"]
    assert researcher.report(researcher.batch()["id"]) == []


@pytest.mark.spec("R-04", "R-08", "R-11", "ST-24")
def test_the_archive_contains_every_answer_and_file(researcher: Researcher, study: str) -> None:
    archive = researcher.exported(study)
    assert archive.testzip() is None
    names = archive.namelist()
    assert names[:4] == [
        "responses-by-submission.jsonl",
        "responses-by-task.jsonl",
        "batch.json",
        "README.md",
    ]
    records = researcher.request("GET", f"/batches/{study}/responses", status=200)["results"]
    by_submission, by_task = (
        [json.loads(line) for line in archive.read(name).decode().splitlines()] for name in names[:2]
    )
    for lines in (by_submission, by_task):
        responses = [response for line in lines for response in line["responses"]]
        assert sorted(responses, key=lambda response: response["id"]) == sorted(
            records, key=lambda response: response["id"]
        )
    assert [line["datapoint"] for line in by_task] == RECORDS
    assert len(by_submission) == 3
    files = [
        response["response"]["answer"][0]
        for response in records
        if response["response"]["type"] == "file_upload"
    ]
    assert sorted(names[4:]) == sorted(f"files/{file['file_key']}/{file['file_name']}" for file in files)
    assert {archive.read(name) for name in names[4:]} == {b"\x89PNG picture"}
    batch = json.loads(archive.read("batch.json"))
    assert batch == researcher.get_batch(study)


def test_the_archive_contains_no_file_of_a_page_that_was_not_accepted(researcher: Researcher) -> None:
    layout = [page({"type": "file_upload", "description": "Show", "accepted_file_types": [".png"]}, QUESTION)]
    batch = str(researcher.batch(dataset_id=researcher.filled_dataset(1), batch_items=layout)["id"])
    researcher.set_up(batch)
    link = researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"]
    with participation(link, "a" * 24) as participant:
        participant.answer(lambda _position, _instruction: {})
    assert researcher.request("GET", f"/batches/{batch}/responses", status=200)["results"] == []
    assert not [name for name in researcher.exported(batch).namelist() if name.startswith("files/")]


def test_an_export_has_the_layout_whose_ids_the_answers_have(researcher: Researcher) -> None:
    batch = researcher.batch(dataset_id=researcher.filled_dataset(), batch_items=[page(QUESTION)])["id"]
    answered = researcher.set_up(batch)["batch_items"]
    researcher.request("PATCH", f"/batches/{batch}", {"batch_items": [page(QUESTION)]}, 200)
    assert researcher.get_batch(batch)["batch_items"] != answered
    exported = json.loads(researcher.exported(batch).read("batch.json"))
    assert exported["batch_items"] == answered


@pytest.mark.spec("R-05", "K-07", "T-09")
def test_a_complete_export_is_not_started_again(researcher: Researcher) -> None:
    batch = researcher.batch()["id"]
    researcher.exported(batch)
    again = researcher.request("POST", f"/batches/{batch}/export", status=200)
    assert (again["status"], bool(again["url"])) == ("complete", True)
    later = researcher.request("GET", f"/batches/{batch}/export/{again['export_id']}", status=200)
    assert later["export_id"] == again["export_id"]
    assert storage_request("GET", later["url"]).status == 200


@pytest.mark.spec("K-06")
def test_a_download_url_is_valid_for_an_hour_and_rejects_a_token(researcher: Researcher) -> None:
    batch = researcher.batch()["id"]
    researcher.exported(batch)
    before = datetime.now().astimezone()
    export = researcher.request("POST", f"/batches/{batch}/export", status=200)
    assert (
        timedelta(minutes=59) < datetime.fromisoformat(export["expires_at"]) - before < timedelta(minutes=61)
    )
    assert storage_request("GET", export["url"], headers={"Authorization": "Token x"}).status == 400
    assert storage_request("GET", export["url"].replace("%2F", "/")).status == 403


@pytest.mark.spec("R-06")
def test_a_running_export_is_returned_again(waiting: Researcher) -> None:
    batch = waiting.batch()["id"]
    first = waiting.request("POST", f"/batches/{batch}/export", status=202)
    assert first["status"] == "generating"
    assert waiting.request("POST", f"/batches/{batch}/export", status=202) == first
    assert waiting.request("GET", f"/batches/{batch}/export/{first['export_id']}", status=200) == first


@pytest.mark.spec("ST-25")
def test_after_a_failed_export_another_one_can_be_started(
    researcher: Researcher, service_folder: Path
) -> None:
    batch = researcher.batch()["id"]
    researcher.exported(batch)
    first = researcher.request("POST", f"/batches/{batch}/export", status=200)["export_id"]
    with closing(sqlite3.connect(service_folder / "service.db")) as database, database:
        database.execute("UPDATE export SET status = 'failed' WHERE id = ?", (first,))
    failed = researcher.request("GET", f"/batches/{batch}/export/{first}", status=200)
    assert failed == {"status": "failed", "export_id": first}
    assert researcher.exported(batch).testzip() is None
    assert researcher.request("POST", f"/batches/{batch}/export", status=200)["export_id"] != first


@pytest.mark.spec("R-09")
def test_unknown_exports_are_404(researcher: Researcher) -> None:
    batch = researcher.batch()["id"]
    unknown = "0193a7c0-01ff-71ff-8a1b-4c5d6e7f01ff"
    assert researcher.status_of("POST", f"/batches/{unknown}/export") == 404
    assert researcher.status_of("GET", f"/batches/{batch}/export/{unknown}") == 404
    second = researcher.batch()["id"]
    researcher.exported(second)
    export = researcher.request("POST", f"/batches/{second}/export", status=200)["export_id"]
    assert researcher.status_of("GET", f"/batches/{batch}/export/{export}") == 404


def test_a_reset_deletes_all_answers_and_archives(researcher: Researcher) -> None:
    batch = researcher.batch(
        dataset_id=researcher.filled_dataset(2),
        batch_items=[page({"type": "free_text", "description": "Why?"})],
    )["id"]
    researcher.set_up(batch)
    link = researcher.request("GET", f"/local/v1/batches/{batch}/participation", status=200)["url"]
    answer_task_group(link, simulated_participant(1, 1))
    researcher.exported(batch)
    progress = f"/local/v1/batches/{batch}/progress"
    assert [group["completed"] for group in researcher.request("GET", progress)["groups"]] == [1, 0]
    assert researcher.request("POST", f"/local/v1/batches/{batch}/reset", status=204) is None
    assert [group["completed"] for group in researcher.request("GET", progress)["groups"]] == [0, 0]
    assert researcher.request("GET", f"/batches/{batch}/responses")["meta"]["count"] == 0
    assert researcher.get_batch(batch)["status"] == "READY"
    answer_task_group(link, simulated_participant(1, 1))
    assert b'"responses": [{' in researcher.exported(batch).read("responses-by-task.jsonl")


def test_a_preview_shows_one_page_with_one_record(researcher: Researcher) -> None:
    body = {"batch_items": LAYOUT, "page": 0, "schema": SCHEMA, "record": RECORDS[2]}
    created = researcher.request("POST", "/local/v1/previews", body, 201)
    shown = storage_request("GET", created["url"])
    assert shown.status == 200
    assert b"last" in shown.body


@pytest.mark.parametrize("number", [10**9 + 1, 10**4300 - 1])
def test_a_preview_rejects_invalid_page_numbers(researcher: Researcher, number: int) -> None:
    body = f'{{"batch_items": [], "page": {"9" * 4300 if number > 10**9 + 1 else number}}}'
    assert researcher.http.post("/local/v1/previews", content=body).status_code == 400


@pytest.mark.parametrize("invalid", [0, -1, 1.0, "2", None, 10**20], ids=repr)
def test_the_number_of_annotators_is_a_count(researcher: Researcher, invalid: object) -> None:
    batch = researcher.batch()["id"]
    body = {"annotators_per_task": invalid}
    assert researcher.status_of("PUT", f"/local/v1/batches/{batch}/annotators-per-task", body) == 400


def archives_of(folder: Path) -> list[Path]:
    """The stored archives of all exports."""
    return list((folder / "blobs" / "export").glob("*/*"))


@pytest.mark.spec("ST-25", "R-06")
@pytest.mark.parametrize("asks_first", [True, False])
def test_an_export_whose_archive_is_lost_has_failed_and_is_made_again(
    researcher: Researcher, service_folder: Path, asks_first: bool
) -> None:
    batch = researcher.batch()["id"]
    before = set(archives_of(service_folder))
    researcher.exported(batch)
    first = researcher.request("POST", f"/batches/{batch}/export", status=200)
    for archive in set(archives_of(service_folder)) - before:
        archive.unlink()
    lost = storage_request("GET", first["url"])
    assert (lost.status, b"NoSuchKey" in lost.body) == (404, True)
    if asks_first:
        failed = researcher.request("GET", f"/batches/{batch}/export/{first['export_id']}", status=200)
        assert (failed["status"], "no longer exists" in failed["reason"]) == ("failed", True)
    second = researcher.request("POST", f"/batches/{batch}/export", status=202)
    assert second["export_id"] != first["export_id"]
    failed = researcher.request("GET", f"/batches/{batch}/export/{first['export_id']}", status=200)
    assert failed["status"] == "failed"
    path = f"/batches/{batch}/export/{second['export_id']}"
    assert researcher.archive(path).testzip() is None


def test_an_upload_url_whose_file_is_lost_rejects_the_file_again(
    researcher: Researcher, service_folder: Path
) -> None:
    dataset = researcher.dataset()["id"]
    upload = researcher.upload_url(dataset, "a.jsonl")
    before = set((service_folder / "blobs" / "upload").glob("*/*"))
    researcher.put(upload, b'{"prompt": "a"}\n')
    assert researcher.settled(dataset, upload["import_id"])["status"] == "complete"
    for file in set((service_folder / "blobs" / "upload").glob("*/*")) - before:
        file.unlink()
    headers = {"Content-Type": upload["content_type"]} if "content_type" in upload else {}
    again = storage_request("PUT", upload["upload_url"], b'{"prompt": "a"}\n', headers)
    assert (again.status, b"AccessDenied" in again.body) == (403, True)
    assert researcher.import_job(dataset, upload["import_id"])["status"] == "complete"
