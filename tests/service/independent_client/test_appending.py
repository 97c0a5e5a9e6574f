"""Appending datapoints: specification, Datasets rule 3; wire reference, section 4.8."""

import pytest

from tests.service.independent_client.client import Client
from tests.service.independent_client.endpoints import UNKNOWN_ID
from tests.service.independent_client.researcher import (
    PREFIX,
    SCHEMA,
    Record,
    append,
    dataset,
    filled,
    jsonl,
    send,
    upload_address,
)
from tests.service.independent_client.shapes import APPENDED

NDJSON = {"Content-Type": "application/x-ndjson"}


def count(client: Client, data: dict[str, str]) -> int:
    total: int = client.expect(200, "GET", f"{PREFIX}/datasets/{data['id']}")["total_datapoint_count"]
    return total


@pytest.mark.parametrize(
    "content_type",
    [
        *("application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"),
        *("application/json-lines", "application/x-ndjson; charset=utf-8", "Application/X-NDJSON ;v=1"),
    ],
)
def test_every_common_content_type_of_jsonl_is_accepted(client: Client, content_type: str) -> None:
    result = append(client, dataset(client, SCHEMA), jsonl({"prompt": "a"}), content_type)
    assert APPENDED(result)
    assert result == {"accepted": 1, "rejected": 0, "errors": []}


def test_records_are_rejected_individually_and_counted_from_one_without_blank_lines(client: Client) -> None:
    data = dataset(client, SCHEMA)
    body = b'\n  \n{"prompt": "a"}\n\n{"prompt": []}\r\nno json\n[1]\n{"photo": "x"}\n{"prompt": "c"}'
    result = append(client, data, body)
    assert APPENDED(result)
    assert (result["accepted"], result["rejected"]) == (2, 4)
    positions = [(error["record_index"], error["field"]) for error in result["errors"]]
    assert positions == [(2, "prompt"), (3, "_raw"), (4, "_raw"), (5, "photo")]
    assert count(client, data) == 2
    long = b'{"prompt": "' + b"x" * 10_000_000 + b'"}'
    too_long = append(client, data, b'{"prompt": "d"}\n' + long + b'\n{"prompt": "e"}')
    assert (too_long["accepted"], too_long["errors"][0]["record_index"]) == (2, 2)
    everything = append(client, data, b"{no\n")
    assert (everything["accepted"], everything["rejected"]) == (0, 1)


def test_an_identical_record_is_accepted_and_stored_once(client: Client) -> None:
    data = filled(client, {"prompt": "5", "source": "x"})
    same: list[Record] = [
        {"source": "x", "prompt": 5, "unknown": 1},
        {"prompt": "5", "source": "x", "photo": None},
    ]
    assert append(client, data, jsonl(*same, *same))["accepted"] == 4
    assert count(client, data) == 1
    assert append(client, data, jsonl({"prompt": "5", "source": "y"}, {"prompt": "5"}))["accepted"] == 2
    assert count(client, data) == 3


def test_a_thousand_records_and_no_more(client: Client) -> None:
    data = dataset(client, SCHEMA)
    records: list[Record] = [{"prompt": f"p{number}"} for number in range(1001)]
    client.expect(400, "POST", f"{PREFIX}/datasets/{data['id']}/datapoints", jsonl(*records), NDJSON)
    assert count(client, data) == 0
    assert append(client, data, b"\n" + jsonl(*records[:1000]).replace(b"\n", b"\n\n"))["accepted"] == 1000


def test_some_bodies_are_rejected_completely(client: Client) -> None:
    data = dataset(client, SCHEMA)
    path = f"{PREFIX}/datasets/{data['id']}/datapoints"
    for body in (b"", b"\n \n"):
        client.expect(400, "POST", path, body, NDJSON)
    for content_type in ("text/csv", "application/csv", "text/csv; charset=utf-8"):
        client.expect(400, "POST", path, jsonl({"prompt": "a"}), {"Content-Type": content_type})
    client.expect(400, "POST", path, b"prompt,photo\na,b\n", {})
    for content_type in ("text/plain", "application/octet-stream"):
        client.expect(400, "POST", path, b"prompt,photo\na,b\n", {"Content-Type": content_type})
    client.expect(400, "POST", path, b"", {})
    assert count(client, data) == 0


def test_appending_needs_an_existing_v4_dataset(client: Client) -> None:
    record = jsonl({"prompt": "a"})
    client.expect(404, "POST", f"{PREFIX}/datasets/{UNKNOWN_ID}/datapoints", record, NDJSON)
    legacy = dataset(client)
    client.expect(400, "POST", f"{PREFIX}/datasets/{legacy['id']}/datapoints", record, NDJSON)


def test_an_import_that_never_started_blocks_nothing(client: Client) -> None:
    data = dataset(client, SCHEMA)
    upload_address(client, data, "later.jsonl")
    assert append(client, data, jsonl({"prompt": "a"}))["accepted"] == 1


def test_a_running_import_is_a_conflict(slow_client: Client) -> None:
    data = dataset(slow_client, SCHEMA)
    send(slow_client, upload_address(slow_client, data, "a.jsonl"), jsonl({"prompt": "a"}))
    path = f"{PREFIX}/datasets/{data['id']}/datapoints"
    slow_client.expect(409, "POST", path, jsonl({"prompt": "b"}), NDJSON)
    slow_client.expect(409, "POST", path, b"", NDJSON)


def test_a_running_migration_is_a_conflict(slow_client: Client) -> None:
    data = dataset(slow_client, SCHEMA)
    assert append(slow_client, data, jsonl({"prompt": "a"}))["accepted"] == 1
    slow_client.expect(200, "PATCH", f"{PREFIX}/datasets/{data['id']}", {"schema": SCHEMA})
    path = f"{PREFIX}/datasets/{data['id']}/datapoints"
    slow_client.expect(409, "POST", path, jsonl({"prompt": "b"}), NDJSON)
