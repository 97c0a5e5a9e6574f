"""V4 datasets and their files: specification, Datasets; wire reference, sections 4.1 to 4.7."""

import json
from typing import Any

import pytest

from tests.service.independent_client.client import Client
from tests.service.independent_client.researcher import (
    PREFIX,
    SCHEMA,
    append,
    dataset,
    filled,
    jsonl,
    poll,
    send,
    upload,
    upload_address,
)
from tests.service.independent_client.shapes import V4_DATASET

EVERY_TYPE = {
    "strict": True,
    "fields": {
        "text": {"type": "text", "label": "L" * 255},
        "K" * 128: {"type": "text"},
        "photo": {"type": "image_url", "label": ""},
        "audio": {"type": "audio_url"},
        "video": {"type": "video_url"},
        "hidden": {"type": "metadata", "label": "Hidden"},
        "bundle": {"type": "task_group_id"},
    },
}

NO_FIELDS: list[Any] = [{}, [], None, {"a": {}}, {"a": {"type": "colour"}}]


def get_dataset(client: Client, dataset_id: str) -> Any:
    data = client.expect(200, "GET", f"{PREFIX}/datasets/{dataset_id}")
    assert V4_DATASET(data)
    return data


def test_a_schema_is_returned_as_sent_with_version_one(client: Client) -> None:
    created = dataset(client, EVERY_TYPE)
    assert created["schema"] == EVERY_TYPE
    assert (created["schema_version"], created["imports"], created["total_datapoint_count"]) == (1, [], 0)
    assert get_dataset(client, created["id"]) == created
    client.expect(400, "GET", f"{PREFIX}/datasets/{created['id']}/status")


@pytest.mark.parametrize(
    "schema",
    [
        *(5, "text", [], {}, {"strict": True}),
        {"strict": "yes", "fields": {"a": {"type": "text"}}},
        {"strict": None, "fields": {"a": {"type": "text"}}},
        *({"strict": True, "fields": fields} for fields in NO_FIELDS),
        *({"strict": True, "fields": {key: {"type": "text"}}} for key in ("", "K" * 129)),
        *({"strict": True, "fields": {"a": {"type": "text", "label": label}}} for label in ("L" * 256, 5)),
        {"strict": True, "fields": {"a": {"type": "task_group_id"}, "b": {"type": "task_group_id"}}},
        {"strict": True, "fields": {f"f{number}": {"type": "text"} for number in range(201)}},
    ],
)
def test_an_invalid_schema_is_400_under_its_key(client: Client, schema: Any) -> None:
    body = {"name": "Answers", "workspace_id": client.workspace, "schema": schema}
    assert set(client.expect(400, "POST", f"{PREFIX}/datasets", body)) == {"schema"}
    data = dataset(client, SCHEMA)
    client.expect(400, "PATCH", f"{PREFIX}/datasets/{data['id']}", {"schema": schema})
    assert get_dataset(client, data["id"])["schema_version"] == 1


def test_a_schema_is_not_strict_by_default(client: Client) -> None:
    lenient = {"fields": {"a": {"type": "text"}, "b": {"type": "text"}}}
    data = dataset(client, lenient)
    assert data["schema"] == {**lenient, "strict": False}
    assert upload(client, data, "a.jsonl", jsonl({"a": "only"}))["status"] == "complete"


def test_two_hundred_fields_are_allowed(client: Client) -> None:
    dataset(client, {"strict": False, "fields": {f"f{number}": {"type": "text"} for number in range(200)}})


def test_missing_keys_of_a_dataset_are_named(client: Client) -> None:
    assert set(client.expect(400, "POST", f"{PREFIX}/datasets", {})) == {"name", "workspace_id"}
    invalid: list[Any] = [None, 5, [], ""]
    for name in invalid:
        body = {"name": name, "workspace_id": client.workspace}
        assert set(client.expect(400, "POST", f"{PREFIX}/datasets", body)) == {"name"}


@pytest.mark.parametrize(
    ("filename", "content_type"),
    [
        ("a.csv", "text/csv"),
        ("A.CSV", "text/csv"),
        ("a.jsonl", "application/x-ndjson"),
        ("%C3%A4%20b%2Bc%3D.jsonl", "application/x-ndjson"),
    ],
)
def test_an_upload_address_names_its_type_and_import(
    client: Client, filename: str, content_type: str
) -> None:
    data = dataset(client, SCHEMA)
    first, second = (upload_address(client, data, filename) for _ in range(2))
    assert first["content_type"] == content_type
    assert first["import_id"] != second["import_id"]
    assert first["upload_url"] != second["upload_url"]
    listed = get_dataset(client, data["id"])["imports"]
    assert [job["import_id"] for job in listed] == [second["import_id"], first["import_id"]]
    assert {job["status"] for job in listed} == {"uninitialised"}
    send(client, second, b'{"prompt": "x"}\n' if "ndjson" in content_type else b"prompt\nx\n")


@pytest.mark.parametrize("filename", ["a.zip", "a.pdf", "csv", "a", "a.csv.exe", "a.json"])
def test_unsupported_files_are_400(client: Client, filename: str) -> None:
    data = dataset(client, SCHEMA)
    client.expect(400, "GET", f"{PREFIX}/datasets/{data['id']}/upload-url/{filename}")


def test_a_csv_file_is_read_as_spreadsheets_write_them(client: Client) -> None:
    data = dataset(client, SCHEMA)
    rows = '\ufeff prompt ,photo,extra\r\n"a ""quoted""\r\nword",https://img.example.net/1.png,x\r\nb,,\r\n'
    job = upload(client, data, "answers.csv", rows.encode())
    assert (job["status"], job["accepted_count"]) == ("complete", 2)
    after = get_dataset(client, data["id"])
    assert (after["total_datapoint_count"], after["imports"]) == (2, [job])


def test_records_are_validated_individually(client: Client) -> None:
    data = dataset(client, EVERY_TYPE)
    valid: dict[str, Any] = {
        "text": 5,
        "K" * 128: True,
        "photo": "https://img.example.net/1.png",
        "audio": "https://media.example.net/a.MP3?x=1",
        "video": "",
        "hidden": 2.5,
        "bundle": False,
        "unknown": {"is": "ignored"},
    }
    errors: dict[str, list[Any]] = {
        "text": [None, [], {}],
        "photo": ["http://img.example.net/1.png", "1.png", "https://", ""],
        "audio": ["https://media.example.net/a.mp4", "a.mp3"],
        "video": ["https://media.example.net/a.mp3"],
        "hidden": [None, {}],
        "bundle": [[]],
    }
    invalid = [(key, {**valid, key: value}) for key, values in errors.items() for value in values]
    lines = jsonl(valid, *(record for _, record in invalid), valid) + b"[1]\nnot json\n\n\n"
    job = upload(client, data, "answers.jsonl", lines)
    assert (job["status"], job["accepted_count"]) == ("partial", 2)
    assert job["rejected_count"] == len(invalid) + 2
    expected = [(position, key) for position, (key, _) in enumerate(invalid, start=1)]
    last = len(invalid) + 2
    reported = [(error["record_index"], error["field"]) for error in job["errors"]]
    assert reported == [*expected, (last, "_raw"), (last + 1, "_raw")]
    assert all(error["reason"] for error in job["errors"])


def test_a_file_without_valid_records_is_partial_and_an_unreadable_one_failed(client: Client) -> None:
    data = dataset(client, {**SCHEMA, "strict": True})
    nothing_good = upload(client, data, "a.jsonl", b"{}\nno\n")
    assert (nothing_good["status"], nothing_good["accepted_count"]) == ("partial", 0)
    for name, body in (
        ("b.csv", b""),
        ("c.csv", "prompt\nä\n".encode("utf-16")),
        ("d.jsonl", b"\xff\xfe{"),
        ("e.jsonl", b"{}{\nno\n"),
    ):
        assert upload(client, data, name, body)["status"] == "failed", name
    assert get_dataset(client, data["id"])["total_datapoint_count"] == 0


def test_an_import_without_a_schema_waits_for_the_first_one(client: Client) -> None:
    data = dataset(client, None)
    assert (data["schema"], data["schema_version"]) == (None, 0)
    paused = upload(client, data, "answers.jsonl", jsonl({"prompt": "a"}, {"prompt": "b"}))
    assert paused["status"] == "pending_schema"
    append_path = f"{PREFIX}/datasets/{data['id']}/datapoints"
    client.expect(400, "POST", append_path, b"{}", {"Content-Type": "application/x-ndjson"})
    updated = client.expect(200, "PATCH", f"{PREFIX}/datasets/{data['id']}", {"schema": SCHEMA})
    assert V4_DATASET(updated)
    assert updated["schema_version"] == 1
    path = f"{PREFIX}/datasets/{data['id']}/imports/{paused['import_id']}"
    assert poll(lambda: client.expect(200, "GET", path), lambda job: job["status"] == "complete")
    assert append(client, data, jsonl({"prompt": "c"}))["accepted"] == 1
    assert get_dataset(client, data["id"])["total_datapoint_count"] == 3


def test_a_second_import_waits_for_the_first(slow_client: Client) -> None:
    data = dataset(slow_client, SCHEMA)
    addresses = [upload_address(slow_client, data, "a.jsonl") for _ in range(2)]
    for address in addresses:
        send(slow_client, address, jsonl({"prompt": "a"}))
    second, first = get_dataset(slow_client, data["id"])["imports"]
    assert [job["import_id"] for job in (first, second)] == [address["import_id"] for address in addresses]
    assert first["status"] in ("queued", "processing")
    assert second["status"] == "queued"


def test_an_import_belongs_to_its_dataset(client: Client) -> None:
    data, empty_dataset = filled(client, {"prompt": "a"}), dataset(client, SCHEMA)
    job = get_dataset(client, data["id"])["imports"][0]["import_id"]
    client.expect(404, "GET", f"{PREFIX}/datasets/{empty_dataset['id']}/imports/{job}")


def test_a_file_import_stores_repeats(client: Client) -> None:
    data = filled(client, *({"prompt": "same"} for _ in range(3)))
    assert upload(client, data, "again.jsonl", jsonl({"prompt": "same"}))["accepted_count"] == 1
    assert get_dataset(client, data["id"])["total_datapoint_count"] == 4
    assert json.dumps(get_dataset(client, data["id"])["schema"]) == json.dumps(SCHEMA)
