"""Legacy datasets: specification, Dataset; wire reference, sections 4.2, 4.5, 4.7, 7.3."""

import csv
import io
import zipfile
from typing import Any

import pytest

from tests.service.independent_client.client import Client
from tests.service.independent_client.participants import participant
from tests.service.independent_client.researcher import (
    PREFIX,
    Record,
    batch,
    dataset,
    page,
    poll,
    read_batch,
    send,
    set_up,
    sync,
    upload_address,
)
from tests.service.independent_client.shapes import V3_DATASET

GROUPED = b"prompt,META_TASK_GROUP_ID,META_source\na,k1,s1\nb,k1,s2\nc,k2,s3\nd,,s4\n"


def zipped(**files: bytes) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name, body in files.items():
            file.writestr(name.replace("__", "/") + ".csv", body)
    return archive.getvalue()


def read_in(client: Client, data: Record, filename: str, body: bytes) -> Any:
    address = upload_address(client, data, filename)
    assert address["content_type"] == {"csv": "text/csv", "zip": "application/zip"}[filename[-3:].lower()]
    send(client, address, body)
    path = f"{PREFIX}/datasets/{data['id']}"
    status = poll(
        lambda: client.expect(200, "GET", f"{path}/status"),
        lambda response: response["status"] != "PROCESSING",
    )
    fetched = client.expect(200, "GET", path)
    assert V3_DATASET(fetched)
    assert status.pop("reason", "") == "" or fetched["status"] == "ERROR"
    assert status == {"status": fetched["status"]}
    return fetched


def test_a_new_dataset_has_no_file_yet(client: Client) -> None:
    created = dataset(client)
    assert (created["status"], created["filename"]) == ("UNINITIALISED", None)
    assert created["has_predetermined_grouping_id"] is None
    assert client.expect(200, "GET", f"{PREFIX}/datasets/{created['id']}/status") == {
        "status": "UNINITIALISED"
    }
    assert client.expect(200, "GET", f"{PREFIX}/datasets/{created['id']}") == created


@pytest.mark.parametrize(("filename", "body"), [("Old.CSV", GROUPED), ("old.zip", zipped(rows=GROUPED))])
def test_csv_and_zip_are_read(client: Client, filename: str, body: bytes) -> None:
    fetched = read_in(client, dataset(client), filename, body)
    assert (fetched["status"], fetched["filename"]) == ("READY", filename)
    assert (fetched["total_datapoint_count"], fetched["has_predetermined_grouping_id"]) == (4, True)


def test_a_file_without_group_column_is_reported(client: Client) -> None:
    assert read_in(client, dataset(client), "a.csv", b"a\n1\n")["has_predetermined_grouping_id"] is False


@pytest.mark.parametrize(
    ("filename", "body"),
    [
        ("a.zip", b"no archive"),
        ("a.zip", zipped()),
        ("a.zip", zipped(one=b"a\n1\n", two=b"a\n1\n")),
        ("a.zip", zipped(deep__one=b"a\n1\n")),
        ("a.csv", b""),
        ("a.csv", b'a\n"open'),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error(client: Client, filename: str, body: bytes) -> None:
    assert read_in(client, dataset(client), filename, body)["status"] == "ERROR"


def test_jsonl_is_for_v4_only(client: Client) -> None:
    data = dataset(client)
    for filename in ("a.jsonl", "a.txt", "a"):
        client.expect(400, "GET", f"{PREFIX}/datasets/{data['id']}/upload-url/{filename}")


def test_the_batch_of_a_legacy_dataset_shows_all_but_meta_columns(client: Client) -> None:
    data = dataset(client)
    created = batch(client, data=data)
    assert "batch_items" not in created
    path = f"{PREFIX}/batches/{created['id']}"
    question = {"type": "free_text", "description": "Say"}
    client.expect(201, "POST", f"{path}/instructions", {"instructions": [question]})
    client.expect(400, "POST", f"{path}/setup", {})
    read_in(client, data, "old.csv", GROUPED)
    set_up(client, created["id"], tasks_per_group=4)
    fetched = read_batch(client, created["id"])
    assert fetched["batch_items"] is None
    assert (
        fetched["total_task_count"],
        fetched["total_task_groups"],
        fetched["total_instruction_count"],
    ) == (
        4,
        3,
        1,
    )
    assert fetched["datasets"] == [{"id": data["id"], "total_datapoint_count": 4, "filename": "old.csv"}]
    assert sync(client, created["id"])["tasks_created"] == 0
    somebody = participant(client, f"batches/{created['id']}")
    assert somebody.start().state == "page"
    assert "prompt" in somebody.page.html
    assert "META" not in somebody.page.html
    assert "s1" not in somebody.page.html
    client.expect(200, "GET", f"{path}/report")
    while somebody.page.state == "page":
        somebody.answer({"Say": "it"})
    records = client.expect(200, "GET", f"{path}/responses")["results"]
    assert {record["metadata"]["META_source"] for record in records} <= {"s1", "s2", "s3", "s4"}
    report = client.store(client.expect(200, "GET", f"{path}/report/")["url"], "GET")
    rows = list(csv.DictReader(io.StringIO(report.body.decode())))
    assert [row["prompt"] for row in rows] == ["a", "b", "c", "d"]
    assert [row["META_source"] for row in rows] == ["s1", "s2", "s3", "s4"]
    assert len({row["Task_Group_ID"] for row in rows}) == 3


def test_a_layout_of_dataset_fields_needs_v4(client: Client) -> None:
    data = dataset(client)
    body = {"name": "x", "workspace_id": client.workspace, "dataset_id": data["id"]}
    layout = [page({"type": "dataset_field", "field": "prompt"})]
    details = {"task_name": "t", "task_introduction": "i", "task_steps": "s"}
    issues = client.expect(
        422, "POST", f"{PREFIX}/batches", {**body, "task_details": details, "batch_items": layout}
    )
    assert [(issue["type"], issue["field"]) for issue in issues] == [("dataset_field", "prompt")]
