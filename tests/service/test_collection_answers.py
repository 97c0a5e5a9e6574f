"""Answers to collections: participants, responses and archives (wire reference, sections 8 and 10.3)."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from batchwright.service.clock import HOUR, MINUTE
from batchwright.service.process import ServiceAddress
from batchwright.service.signing import Signer
from batchwright.wire.local_routes import simulated_participant
from tests.service.api_helpers import Researcher, eventually, storage_request
from tests.service.collections_helpers import (
    CHOICE,
    EXPLAINED,
    FILE,
    PICTURE,
    TEXT,
    UNIT,
    UNKNOWN,
    WHY,
    as_sent,
    items_of,
    link_of,
    named,
)
from tests.service.kill_helpers import paused_worker, service_run
from tests.service.participant import answer_task_group
from tests.service.participate.study_store import Participant


@pytest.mark.spec("C-21", "C-13")
def test_participants_can_answer_right_after_creation(researcher: Researcher) -> None:
    created = researcher.collection(TEXT, WHY, CHOICE, FILE, UNIT, EXPLAINED)
    instructions = {item["id"]: item for item in items_of(created)}
    path = f"/collections/{created['id']}/responses"
    assert researcher.request("GET", path, status=200) == {"results": [], "meta": {"count": 0}}
    submission = answer_task_group(link_of(researcher, created), simulated_participant(1, 1), _answers)
    listed = researcher.request("GET", f"{path}/", status=200)
    assert listed["meta"]["count"] == len(listed["results"]) == 5
    answers = {}
    for record in listed["results"]:
        assert record.keys() == {
            "id",
            "created_at",
            "collection_id",
            "participant_id",
            "submission_id",
            "response",
        }
        assert (record["collection_id"], record["submission_id"]) == (created["id"], submission)
        assert record["participant_id"] == simulated_participant(1, 1)
        response = record["response"]
        assert instructions[response["instruction_id"]]["type"] == response["type"]
        answers[response["type"]] = response["answer"]
    assert answers["free_text"] == [{"value": "Fine"}]
    assert answers["multiple_choice"] == [{"value": False}]
    assert answers["free_text_with_unit"] == [{"value": "25", "unit": "m"}]
    assert answers["multiple_choice_with_free_text"] == [{"value": 1, "explanation": "All"}]
    assert answers["file_upload"][0]["file_name"] == "notes, first.png"
    second_page = researcher.request("GET", f"{path}?limit=2&offset=1", status=200)
    assert second_page == {"results": listed["results"][1:3], "meta": {"count": 5}}
    assert researcher.status_of("GET", f"{path}?limit=-1") == 400


def _answers(position: int, instruction: Any) -> dict[str, list[str]]:
    field = f"i{position}"
    match instruction["type"]:
        case "multiple_choice":
            return {field: ["1"]}
        case "free_text_with_unit":
            return {field: ["25"], f"{field}.u": ["0"]}
        case "multiple_choice_with_free_text":
            return {field: ["0"], f"{field}.e0": ["All"]}
    return {field: ["Fine"]}


def test_participants_get_pages_and_items_in_order(researcher: Researcher) -> None:
    created = researcher.collection(
        collection_items=[
            {"order": 2, "display_position": "intro", "page_items": [{**WHY, "description": "Last?"}]},
            {"order": 1, "page_items": [CHOICE, {**WHY, "order": 0}, {**PICTURE, "order": -1}]},
        ]
    )
    with named(link_of(researcher, created), 5) as person:
        start = person.open()
        assert (start.state, "Compare" in start.text) == ("start", True)
        first = person.send(start)
        assert first.progress == "Page 1 of 2"
        descriptions = [instruction["description"] for instruction in first.data["instructions"]]
        assert descriptions == ["Why?", "Which?"]
        assert [instruction.attrib["alt"] for instruction in first.find(".//main//img")] == ["A kitchen"]
        assert first.data["task_id"] is None
        assert first.data["record"] is None
        rejected = person.send(first, {"i1": "0"})
        assert (rejected.status, bool(rejected.errors_at(0))) == (422, True)
        second = person.send(rejected, {"i0": "Because", "i1": "0"})
        assert second.progress == "Page 2 of 2"
        assert [instruction["description"] for instruction in second.data["instructions"]] == ["Last?"]
        again = person.get(f"{second.address}?step=0")
        assert "Because" in again.response.text
        assert person.send(second, {"i0": "Yes"}).state == "finished"
        assert person.start().state == "nothing-left"
    for number in range(6, 10):
        with named(link_of(researcher, created), number) as person:
            assert person.start().state == "page"


def test_a_collection_of_content_alone_can_be_read_to_its_end(researcher: Researcher) -> None:
    created = researcher.collection(collection_items=[{"page_items": [TEXT]}, {"page_items": [PICTURE]}])
    with named(link_of(researcher, created), 1) as person:
        assert person.send(person.send(person.start())).state == "finished"
    assert researcher.request("GET", f"/collections/{created['id']}/responses")["meta"]["count"] == 0


def test_links_without_their_key_are_rejected(researcher: Researcher) -> None:
    link = link_of(researcher, researcher.collection(WHY))
    with Participant(link.replace("key=", "key=x")) as person:
        assert (person.open().status, person.open().state) == (404, "unknown")


def test_replaced_pages_start_again_and_earlier_answers_remain(researcher: Researcher) -> None:
    created = researcher.collection(WHY, CHOICE)
    link, path = link_of(researcher, created), f"/collections/{created['id']}"
    answer_task_group(link, f"{1:024x}", _answers)
    with named(link, 2) as person:
        started = person.start()
        researcher.request("PUT", path, as_sent(created, name="Other"), 200)
        rejected = person.send(started, {"i0": "Because"})
        assert (rejected.status, rejected.state) == (422, "page"), "what is shown has not changed"
        items_of(created)[0]["description"] = "Why not?"
        researcher.request("PUT", path, as_sent(created), 200)
        late = person.send(started, {"i0": "Because", "i1": "0"})
        assert (late.status, late.state) == (410, "replaced")
        assert "task" not in late.text
        assert "Why not?" in person.start().response.text
    assert link_of(researcher, created) == link
    assert researcher.request("GET", f"{path}/responses")["meta"]["count"] == 2
    answer_task_group(link, f"{2:024x}", _answers)
    assert researcher.request("GET", f"{path}/responses")["meta"]["count"] == 4
    lines = researcher.exported(created["id"], "collections").read("responses.jsonl").splitlines()
    assert len(lines) == 2


@pytest.mark.spec("C-14", "C-18", "C-20", "C-15")
def test_the_archive_contains_every_answer_and_file(researcher: Researcher) -> None:
    created = researcher.collection(WHY, FILE)
    link, path = link_of(researcher, created), f"/collections/{created['id']}"
    for number in (1, 2):
        answer_task_group(link, simulated_participant(1, number))
    archive = researcher.exported(created["id"], "collections")
    assert archive.testzip() is None
    names = archive.namelist()
    assert names[:3] == ["responses.jsonl", "collection.json", "README.md"]
    lines = [json.loads(line) for line in archive.read("responses.jsonl").decode().splitlines()]
    assert [line["participant_id"] for line in lines] == [simulated_participant(1, n) for n in (1, 2)]
    records = researcher.request("GET", f"{path}/responses")["results"]
    responses = [response for line in lines for response in line["responses"]]
    assert sorted(responses, key=lambda response: response["id"]) == sorted(
        records, key=lambda response: response["id"]
    )
    files = [
        response["response"]["answer"][0]
        for response in records
        if response["response"]["type"] == "file_upload"
    ]
    assert sorted(names[3:]) == sorted(f"files/{file['file_key']}/{file['file_name']}" for file in files)
    assert {archive.read(name) for name in names[3:]} == {b"\x89PNG picture"}
    assert json.loads(archive.read("collection.json")) == created
    assert b"responses.jsonl" in archive.read("README.md")
    complete = researcher.request("POST", f"{path}/export/", status=200)
    assert complete["status"] == "complete"
    export = researcher.request("GET", f"{path}/export/{complete['export_id']}/", status=200)
    assert (export["status"], export["export_id"]) == ("complete", complete["export_id"])


@pytest.mark.spec("C-16")
def test_a_running_export_is_returned_again(waiting: Researcher) -> None:
    path = f"/collections/{waiting.collection(WHY)['id']}/export"
    first = waiting.request("POST", path, status=202)
    assert first["status"] == "generating"
    assert waiting.request("POST", path, status=202) == first
    assert waiting.request("GET", f"{path}/{first['export_id']}", status=200) == first


@pytest.mark.spec("ST-25", "C-15")
def test_after_a_failed_export_another_one_can_be_started(
    researcher: Researcher, service_folder: Path
) -> None:
    created = researcher.collection(WHY)["id"]
    researcher.exported(created, "collections")
    path = f"/collections/{created}/export"
    first = researcher.request("POST", path, status=200)["export_id"]
    with closing(sqlite3.connect(service_folder / "service.db")) as database, database:
        database.execute("UPDATE export SET status = 'failed' WHERE id = ?", (first,))
    assert researcher.request("GET", f"{path}/{first}", status=200)["status"] == "failed"
    assert researcher.exported(created, "collections").testzip() is None
    assert researcher.request("POST", path, status=200)["export_id"] != first


@pytest.mark.spec("K-06", "K-07")
def test_an_archive_with_an_expired_url_gets_a_new_one(
    running: ServiceAddress, researcher: Researcher, earlier: Callable[[int], Signer]
) -> None:
    created = researcher.collection(WHY)["id"]
    researcher.exported(created, "collections")
    path = f"/collections/{created}/export"
    export = researcher.request("POST", path, status=200)
    url_path = urlsplit(export["url"]).path
    for age, status in ((HOUR + 1000, 403), (HOUR - MINUTE, 200)):
        signed = earlier(age).sign("GET", url_path, HOUR)
        assert storage_request("GET", running.url + signed.target).status == status
    export_path = f"{path}/{export['export_id']}"
    for fresh in (
        researcher.request("POST", path, status=200),
        researcher.request("GET", export_path, status=200),
    ):
        remaining = datetime.fromisoformat(fresh["expires_at"]) - datetime.now().astimezone()
        assert timedelta(minutes=59) < remaining < timedelta(minutes=61)
        assert storage_request("GET", fresh["url"]).status == 200


@pytest.mark.spec("C-19")
def test_unknown_exports_are_404(researcher: Researcher) -> None:
    collection, second = researcher.collection(WHY)["id"], researcher.collection(WHY)["id"]
    researcher.exported(second, "collections")
    export = researcher.request("POST", f"/collections/{second}/export", status=200)["export_id"]
    batch = researcher.batch()["id"]
    for unknown in (UNKNOWN, "x", export):
        assert researcher.status_of("GET", f"/collections/{collection}/export/{unknown}") == 404
    assert researcher.status_of("GET", f"/batches/{batch}/export/{export}") == 404
    assert researcher.status_of("GET", f"/batches/{second}/export/{export}") == 404


def test_nothing_is_lost_when_the_service_is_killed(tmp_path: Path) -> None:
    with service_run(tmp_path, job_delay=3600) as first:
        created = first.researcher.collection(
            collection_items=[{"page_items": [WHY]}, {"page_items": [FILE]}]
        )
        path = f"/collections/{created['id']}"
        answer_task_group(link_of(first.researcher, created), f"{1:024x}")
        with named(link_of(first.researcher, created), 2) as person:
            person.send(person.start(), {"i0": "Because"})
        before = first.researcher.request("GET", f"{path}/responses", status=200)
        assert before["meta"]["count"] == 3
        export = first.researcher.request("POST", f"{path}/export", status=202)["export_id"]
        first.kill()
    with service_run(tmp_path) as second:
        assert second.researcher.request("GET", path, status=200) == created
        assert second.researcher.request("GET", f"{path}/responses", status=200) == before
        export_path = f"{path}/export/{export}"
        eventually(
            lambda: second.researcher.request("GET", export_path)["status"],
            lambda status: status == "complete",
        )
        with named(link_of(second.researcher, created), 2) as person:
            response = person.start()
            assert response.progress == "Page 2 of 2"
            photo = ("i0", ("a.png", b"picture", "image/png"))
            assert person.send(response, files=[photo]).state == "finished"
        assert second.researcher.request("GET", f"{path}/responses")["meta"]["count"] == 4


def test_a_reset_deletes_answers_and_archives(researcher: Researcher) -> None:
    created = researcher.collection(WHY)
    link = link_of(researcher, created)
    answer_task_group(link, simulated_participant(1, 1))
    researcher.exported(created["id"], "collections")
    assert researcher.request("POST", f"/local/v1/collections/{created['id']}/reset", status=204) is None
    assert researcher.request("GET", f"/collections/{created['id']}/responses")["meta"]["count"] == 0
    answer_task_group(link, simulated_participant(1, 1))
    assert researcher.exported(created["id"], "collections").read("responses.jsonl").count(b"\n") == 1


def test_an_export_names_the_file_of_a_participant_that_cannot_be_read(tmp_path: Path) -> None:
    with service_run(tmp_path) as alive:
        created = alive.researcher.collection(FILE)
        answer_task_group(link_of(alive.researcher, created), f"{1:024x}")
        for file in (tmp_path / "blobs" / "participant").glob("*/*"):
            file.unlink()
        path = f"/collections/{created['id']}/export"
        export = alive.researcher.request("POST", path, status=202)["export_id"]
        failed = eventually(
            lambda: alive.researcher.request("GET", f"{path}/{export}"),
            lambda job: job["status"] != "generating",
        )
        assert failed["status"] == "failed"
        assert "The file files/" in failed["reason"]
        assert "cannot be read" in failed["reason"]


def test_an_import_whose_file_is_lost_says_so(tmp_path: Path) -> None:
    with service_run(tmp_path) as alive:
        dataset = alive.researcher.dataset()["id"]
        with paused_worker(alive.pid):
            upload = alive.researcher.upload(dataset, "a.jsonl", b'{"prompt": "a"}\n')
            for file in (tmp_path / "blobs" / "upload").glob("*/*"):
                file.unlink()
        job = alive.researcher.settled(dataset, upload)
        assert (job["status"], "no longer exists" in job["reason"]) == ("failed", True)
