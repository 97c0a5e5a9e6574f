"""Appending records (specification, Datasets rule 3; wire reference, section 4.8)."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.limits import MAX_JSON_KEYS
from batchwright.service.store.database import FILE_NAME, open_database
from batchwright.service.store.record_digests import digest_of
from tests.service.accounts import ANN, write_accounts
from tests.service.api_helpers import Researcher, eventually, jsonl

MIXED = {
    "strict": True,
    "fields": {"prompt": {"type": "text"}, "photo": {"type": "image_url"}, "model": {"type": "metadata"}},
}
GOOD = {"prompt": "Soup?", "photo": "https://example.org/1.png", "model": 7}


@pytest.mark.spec("AP-01", "AP-02", "AP-03", "AP-04", "AP-06", "AP-07", "AP-08", "AP-09")
def test_each_record_is_accepted_or_rejected_individually(researcher: Researcher) -> None:
    dataset = researcher.dataset(MIXED)["id"]
    invalid = [json.dumps({**GOOD, "photo": "no"}), "   ", "[1]", "no json", '{"prompt": 1}']
    result = researcher.append(dataset, "\n".join([json.dumps(GOOD), "", *invalid]).encode())
    assert (result["accepted"], result["rejected"]) == (1, 4)
    assert [(error["record_index"], error["field"]) for error in result["errors"]] == [
        (2, "photo"),
        (3, "_raw"),
        (4, "_raw"),
        (5, "photo"),
    ]
    assert all(error["reason"] for error in result["errors"])
    nothing = researcher.append(dataset, b"no json\n")
    assert (nothing["accepted"], nothing["rejected"]) == (0, 1)
    assert researcher.request("GET", f"/datasets/{dataset}")["total_datapoint_count"] == 1


@pytest.mark.spec("AP-05")
def test_appended_records_are_available_immediately_and_come_last(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(2)
    researcher.append(dataset, jsonl({"prompt": "z"}, {"prompt": "a"}))
    assert researcher.prompts_of(dataset) == ["p0", "p1", "z", "a"]


@pytest.mark.spec("AP-10")
def test_an_identical_record_is_accepted_and_stored_once(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(3)
    twice = jsonl({"prompt": "new"}, {"prompt": "p1"}, {"prompt": "new", "unknown": 5})
    assert researcher.append(dataset, twice) == {"accepted": 3, "rejected": 0, "errors": []}
    assert researcher.append(dataset, twice)["accepted"] == 3
    assert researcher.prompts_of(dataset) == ["p0", "p1", "p2", "new"]


def test_a_file_that_repeats_appended_records_is_stored_and_detected_later(researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    researcher.append(dataset, jsonl({"prompt": "a"}))
    researcher.imported(dataset, "more.jsonl", jsonl({"prompt": "a"}, {"prompt": "b"}))
    researcher.append(dataset, jsonl({"prompt": "b"}, {"prompt": "c"}))
    assert researcher.prompts_of(dataset) == ["a", "a", "b", "c"]


@pytest.mark.spec("K-01")
def test_a_thousand_records_are_accepted_and_one_more_is_not(researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    records = [{"prompt": str(number)} for number in range(1001)]
    rejected = researcher.append(dataset, jsonl(*records), 400)
    assert "1000" in rejected["error"]["detail"]
    assert researcher.request("GET", f"/datasets/{dataset}")["total_datapoint_count"] == 0
    assert researcher.append(dataset, jsonl(*records[:1000]))["accepted"] == 1000


@pytest.mark.spec("AP-11")
@pytest.mark.parametrize("body", [b"", b"  \n\n", b"\xef\xbb\xbf\n"])
def test_a_request_without_records_is_rejected(body: bytes, researcher: Researcher) -> None:
    researcher.append(researcher.dataset()["id"], body, 400)


@pytest.mark.spec("AP-06", "AP-07")
@pytest.mark.parametrize(
    "line",
    ['{"prompt": "a"}'.encode("utf-16"), b"\0" * 100, b'{"prompt": "' + b"x" * 10_500_000 + b'"}'],
    ids=["utf-16", "zero bytes", "longer than a line may be"],
)
@pytest.mark.parametrize("position", [0, 1, 2])
def test_only_the_unreadable_line_is_rejected_at_any_position(
    line: bytes, position: int, researcher: Researcher
) -> None:
    dataset = researcher.dataset()["id"]
    lines = [b'{"prompt": "a"}', b"", b'{"prompt": "b"}']
    lines.insert(position, line)
    result = researcher.append(dataset, b"\n".join(lines))
    assert (result["accepted"], result["rejected"]) == (2, 1)
    ((index, field),) = ((error["record_index"], error["field"]) for error in result["errors"])
    assert (index, field) == ({0: 1, 1: 2, 2: 2}[position], "_raw")
    assert researcher.prompts_of(dataset) == ["a", "b"]
    assert researcher.append(dataset, line)["rejected"] == 1


@pytest.mark.spec("AP-12")
@pytest.mark.parametrize(
    "content_type",
    [
        *("text/csv", "application/csv; charset=utf-8", "", "text/plain", "application/octet-stream"),
        *("application/json", "application/x-www-form-urlencoded", "multipart/form-data", "nonsense"),
    ],
)
def test_csv_is_rejected(content_type: str, researcher: Researcher) -> None:
    rejected = researcher.append(researcher.dataset()["id"], b"prompt\nHello\n", 400, content_type)
    assert "JSONL" in rejected["error"]["detail"]


@pytest.mark.spec("AP-12")
@pytest.mark.parametrize("content_type", ["text/csv", "application/csv; charset=utf-8"])
def test_a_body_that_is_declared_as_csv_is_rejected(content_type: str, researcher: Researcher) -> None:
    rejected = researcher.append(researcher.dataset()["id"], jsonl({"prompt": "a"}), 400, content_type)
    assert "JSONL" in rejected["error"]["detail"]


@pytest.mark.spec("AP-02")
@pytest.mark.parametrize(
    "content_type",
    [
        "application/ndjson",
        "application/jsonl; charset=utf-8",
        "application/JSON-lines",
        "",
        "text/plain",
        "application/octet-stream",
        "application/json",
    ],
)
def test_every_name_of_jsonl_is_understood(content_type: str, researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    assert researcher.append(dataset, jsonl({"prompt": "a"}), 200, content_type)["accepted"] == 1


@pytest.mark.spec("AP-13")
def test_a_dataset_without_a_schema_accepts_no_records(researcher: Researcher) -> None:
    rejected = researcher.append(researcher.dataset(None)["id"], jsonl({"prompt": "a"}), 400)
    assert "schema" in rejected["error"]["detail"]


@pytest.mark.spec("AP-15")
def test_unauthorised_appends_are_rejected(
    researcher: Researcher, sign_in: Callable[..., Researcher], accounts: Path
) -> None:
    researcher.append("01a1fcad-85a7-72b8-a56f-7c7ffe268cef", jsonl({"prompt": "a"}), 404)
    write_accounts(accounts, [ANN], [{"id": "f" * 24, "features": ["v4"]}])
    ann = sign_in(token="ann-1", workspace="f" * 24)
    researcher.append(ann.dataset()["id"], jsonl({"prompt": "a"}), 403)


@pytest.mark.spec("AP-16")
def test_nothing_is_appended_while_a_file_is_imported(waiting: Researcher) -> None:
    dataset = waiting.dataset()["id"]
    waiting.upload_url(dataset, "never.jsonl")
    assert waiting.append(dataset, jsonl({"prompt": "a"}))["accepted"] == 1
    waiting.upload(dataset, "some.jsonl", jsonl({"prompt": "b"}))
    waiting.append(dataset, jsonl({"prompt": "c"}), 409)
    assert waiting.request("GET", f"/datasets/{dataset}")["total_datapoint_count"] == 1


def test_imported_records_are_indexed_before_the_first_append(
    researcher: Researcher, service_folder: Path
) -> None:
    dataset = researcher.filled_dataset(3)

    def indexed() -> int:
        with closing(sqlite3.connect(service_folder / FILE_NAME)) as database:
            rows = database.execute("SELECT identified_count FROM dataset WHERE id = ?", (dataset,))
            return int(rows.fetchone()[0])

    eventually(indexed, lambda count: count == 3)


def test_a_body_or_a_line_with_too_many_keys_is_rejected_before_it_is_parsed(researcher: Researcher) -> None:
    keys = {f"key {number}": 1 for number in range(MAX_JSON_KEYS)}
    dataset = researcher.dataset(MIXED)["id"]
    result = researcher.append(dataset, jsonl({**GOOD, **keys}, GOOD))
    assert (result["accepted"], result["rejected"]) == (1, 1)
    assert "250000 keys" in result["errors"][0]["reason"]
    assert "250000 keys" in str(researcher.request("POST", "/datasets", {"name": "n", **keys}, 400))


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.booleans(), max_size=5), st.randoms())
def test_the_order_of_keys_is_ignored_in_comparing_records(record: dict[str, Any], chance: Random) -> None:
    keys = list(record)
    chance.shuffle(keys)
    assert digest_of({key: record[key] for key in keys}) == digest_of(record)


def test_a_data_folder_of_the_previous_version_is_migrated(tmp_path: Path) -> None:
    first = Path(__file__).parents[2] / "src/batchwright/service/store/schema/0001.sql"
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as old:
        old.executescript(first.read_text(encoding="utf-8"))
        old.execute("PRAGMA user_version = 1")
        old.execute(
            "INSERT INTO batch (id, workspace_id, name, created_at, created_by, task_details, status,"
            " total_task_count, participation_key) VALUES ('b', 'w', 'n', 1, 'u', '{}', 'READY', 5, 'k')"
        )
        old.commit()
    with closing(open_database(tmp_path)) as database, database.read() as connection:
        assert connection.execute("SELECT handled_count FROM batch").fetchone()[0] == 5
