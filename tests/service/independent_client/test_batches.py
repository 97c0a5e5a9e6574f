"""Batches from creation to READY, and duplicates (specification, Batches; wire reference, section 5)."""

from typing import Any

import pytest

from tests.service.independent_client.batch_shapes import BATCH, NEW_BATCH
from tests.service.independent_client.client import Client
from tests.service.independent_client.endpoints import UNKNOWN_ID
from tests.service.independent_client.researcher import (
    DETAILS,
    PREFIX,
    SCHEMA,
    Record,
    append,
    batch,
    dataset,
    filled,
    jsonl,
    page,
    poll,
    read_batch,
    set_up,
    sync,
    upload,
)
from tests.service.independent_client.shapes import each, listed, uuid

FIELD = {"type": "dataset_field", "field": "prompt"}
TEXT_QUESTION = {"type": "free_text", "description": "Say"}
LAYOUT = [page(FIELD, TEXT_QUESTION)]


def test_a_batch_is_created_read_and_listed(client: Client) -> None:
    data = dataset(client, SCHEMA)
    created = batch(client, LAYOUT, data)
    assert created["status"] == "UNINITIALISED"
    assert created["datasets"] == [{"id": data["id"], "total_datapoint_count": 0}]
    assert (created["total_task_count"], created["total_instruction_count"]) == (0, 1)
    fetched = read_batch(client, created["id"])
    assert {**fetched, "datasets": None} == {**fetched, **created, "datasets": None}
    assert fetched["datasets"][0]["filename"] == ""
    later = batch(client)
    assert "batch_items" not in later
    assert later["datasets"] == []
    results = client.expect(200, "GET", f"{PREFIX}/batches?workspace_id={client.workspace}")
    assert listed(BATCH)(results)
    assert [entry["id"] for entry in results["results"][:2]] == [later["id"], created["id"]]
    second_page = client.expect(
        200, "GET", f"{PREFIX}/batches?limit=1&offset=1&workspace_id={client.workspace}&x=1"
    )
    assert second_page["meta"] == results["meta"]
    assert second_page["results"] == results["results"][1:2]
    assert client.expect(200, "GET", f"{PREFIX}/batches/{created['id']}/status") == {
        "status": "UNINITIALISED"
    }
    client.expect(400, "GET", f"{PREFIX}/batches")
    client.expect(400, "GET", f"{PREFIX}/batches?workspace_id=")


@pytest.mark.parametrize("key", ["name", "workspace_id", "task_details"])
def test_missing_keys_of_a_batch_are_named(client: Client, key: str) -> None:
    body = {"name": "x", "workspace_id": client.workspace, "task_details": DETAILS}
    assert set(client.expect(400, "POST", f"{PREFIX}/batches", {**body, key: None})) == {key}
    assert set(client.expect(400, "POST", f"{PREFIX}/batches", {**body, key: 5})) == {key}
    if key == "name":
        assert set(client.expect(400, "POST", f"{PREFIX}/batches", {**body, key: ""})) == {key}
    del body[key]
    assert set(client.expect(400, "POST", f"{PREFIX}/batches", body)) == {key}


def test_task_details_are_replaced_completely_and_may_have_more_keys(client: Client) -> None:
    created = batch(client)
    path = f"{PREFIX}/batches/{created['id']}"
    for key in DETAILS:
        incomplete = {name: text for name, text in DETAILS.items() if name != key}
        client.expect(400, "PATCH", path, {"task_details": incomplete})
        client.expect(400, "PATCH", path, {"task_details": {**DETAILS, key: 5}})
    changed_details = {**DETAILS, "task_name": "Other"}
    updated = client.expect(200, "PATCH", path, {"task_details": {**changed_details, "extra": [1]}})
    assert updated["task_details"].items() >= changed_details.items()
    updated = client.expect(200, "PATCH", path, {"task_details": changed_details})
    assert BATCH(updated)
    assert updated["task_details"] == changed_details


def test_an_update_changes_only_the_given_keys(client: Client) -> None:
    data = dataset(client, SCHEMA)
    created = batch(client, [page(TEXT_QUESTION)])
    path = f"{PREFIX}/batches/{created['id']}"
    before = read_batch(client, created["id"])
    assert client.expect(200, "PATCH", path, {}) == before
    steps: list[Record] = [{"name": "Wave 2"}, {"dataset_id": data["id"]}, {"auto_sync_enabled": True}]
    for step in steps:
        updated = client.expect(200, "PATCH", path, step)
        assert BATCH(updated)
        assert updated["batch_items"] == before["batch_items"]
    assert (updated["name"], updated["auto_sync_enabled"]) == ("Wave 2", True)
    assert [entry["id"] for entry in updated["datasets"]] == [data["id"]]
    assert client.expect(200, "PATCH", path, {"auto_sync_enabled": False})["auto_sync_enabled"] is False
    for invalid in (
        {"name": 5},
        {"dataset_id": UNKNOWN_ID},
        {"dataset_id": "no uuid"},
        {"auto_sync_enabled": "yes"},
        {"task_details": "x"},
    ):
        client.expect(400, "PATCH", path, invalid)
    cleared = client.expect(200, "PATCH", path, {"batch_items": None})
    assert (cleared["batch_items"], cleared["total_instruction_count"]) == (None, 0)


def expect_rejected_setup(client: Client, created: Record, **body: Any) -> None:
    client.expect(400, "POST", f"{PREFIX}/batches/{created['id']}/setup", body)
    assert read_batch(client, created["id"])["status"] == "UNINITIALISED"


def test_setup_needs_a_dataset_with_a_complete_import(client: Client) -> None:
    created = batch(client, [page(TEXT_QUESTION)])
    expect_rejected_setup(client, created)
    data = dataset(client, SCHEMA)
    expect_rejected_setup(client, created, dataset_id=data["id"])
    expect_rejected_setup(client, created, dataset_id=UNKNOWN_ID)
    append(client, data, jsonl({"prompt": "a"}))
    expect_rejected_setup(client, created, dataset_id=data["id"])
    assert upload(client, data, "a.jsonl", b'{"prompt": "b"}\nno\n')["status"] == "partial"
    expect_rejected_setup(client, created, dataset_id=data["id"])
    upload(client, data, "b.jsonl", b'{"prompt": "b"}\n')
    for invalid in (0, -1, 1.5, "2", True):
        expect_rejected_setup(client, created, dataset_id=data["id"], tasks_per_group=invalid)
    set_up(client, created["id"], dataset_id=data["id"], tasks_per_group=2)
    fetched = read_batch(client, created["id"])
    assert (fetched["total_task_count"], fetched["total_task_groups"]) == (3, 2)
    assert fetched["datasets"] == [{"id": data["id"], "total_datapoint_count": 3, "filename": "b.jsonl"}]
    assert fetched.get("tasks_per_group", 2) == 2


def test_setup_can_be_requested_without_a_body_and_repeatedly(client: Client) -> None:
    data = filled(client, *({"prompt": f"p{number}"} for number in range(5)))
    created = batch(client, LAYOUT, data)
    path = f"{PREFIX}/batches/{created['id']}"
    assert client.expect(202, "POST", f"{path}/setup") is None
    poll(lambda: client.expect(200, "GET", f"{path}/status"), lambda status: status == {"status": "READY"})
    tasks, groups = (client.expect(200, "GET", f"{path}/{what}") for what in ("tasks", "task-groups"))
    assert each(uuid)(groups)
    assert (len(set(tasks)), len(set(groups))) == (5, 5)
    set_up(client, created["id"], tasks_per_group=10)
    assert len(client.expect(200, "GET", f"{path}/task-groups")) == 1


def test_setup_is_processing_until_it_is_ready(slow_client: Client) -> None:
    data = filled(slow_client, {"prompt": "a"})
    created = batch(slow_client, LAYOUT, data)
    path = f"{PREFIX}/batches/{created['id']}"
    slow_client.expect(202, "POST", f"{path}/setup", {})
    assert slow_client.expect(200, "GET", f"{path}/status") == {"status": "PROCESSING"}
    slow_client.expect(400, "POST", f"{path}/sync")
    poll(
        lambda: slow_client.expect(200, "GET", f"{path}/status"), lambda status: status == {"status": "READY"}
    )
    append(slow_client, data, jsonl({"prompt": "b"}))
    first, second = (slow_client.expect(202, "POST", f"{path}/sync") for _ in range(2))
    statuses = [
        slow_client.expect(200, "GET", f"{path}/syncs/{job['sync_id']}")["status"] for job in (second, first)
    ]
    assert statuses[0] == "queued"
    assert statuses[1] in ("queued", "processing")


def test_a_setup_is_accepted_in_any_state_and_the_last_is_effective(slow_client: Client) -> None:
    few, many = (filled(slow_client, *({"prompt": f"p{n}"} for n in range(count))) for count in (2, 9))
    created = batch(slow_client, LAYOUT, few)
    path = f"{PREFIX}/batches/{created['id']}"
    for body in ({"tasks_per_group": 2}, {"tasks_per_group": 1}, {"dataset_id": many["id"]}):
        slow_client.expect(202, "POST", f"{path}/setup", body)
        assert slow_client.expect(200, "GET", f"{path}/status") == {"status": "PROCESSING"}
    slow_client.expect(400, "POST", f"{path}/setup", {"dataset_id": UNKNOWN_ID})
    set_up(slow_client, created["id"], tasks_per_group=4)
    fetched = read_batch(slow_client, created["id"])
    assert (fetched["total_task_count"], fetched["total_task_groups"]) == (9, 3)
    assert [data["id"] for data in fetched["datasets"]] == [many["id"]]


def test_a_group_field_has_precedence(client: Client) -> None:
    schema = {"strict": False, "fields": {"prompt": {"type": "text"}, "k": {"type": "task_group_id"}}}
    records: list[Record] = [
        {"prompt": "a", "k": 1},
        {"prompt": "b", "k": 1},
        {"prompt": "c", "k": "x"},
        {"prompt": "d"},
    ]
    data = filled(client, *records, schema=schema)
    created = batch(client, LAYOUT, data)
    set_up(client, created["id"], tasks_per_group=4)
    assert read_batch(client, created["id"])["total_task_groups"] == 3
    append(client, data, jsonl({"prompt": "e", "k": "x"}, {"prompt": "f", "k": "new"}))
    job = sync(client, created["id"])
    assert [job[count] for count in ("tasks_created", "groups_created", "groups_expanded")] == [2, 1, 1]


def test_syncs_resume_where_the_last_one_stopped(client: Client) -> None:
    data = filled(client, {"prompt": "a"})
    created = batch(client, LAYOUT, data)
    client.expect(400, "POST", f"{PREFIX}/batches/{created['id']}/sync")
    set_up(client, created["id"], tasks_per_group=2)
    counts = ("tasks_created", "datapoints_processed", "groups_created", "groups_expanded")
    for prompts, expected in (("", [0, 0, 0, 0]), ("bc", [2, 2, 1, 0]), ("", [0] * 4), ("d", [1, 1, 0, 0])):
        if prompts:
            append(client, data, jsonl(*({"prompt": prompt} for prompt in prompts)))
        job = sync(client, created["id"])
        assert [job[count] for count in counts] == expected
        assert (job["batch_id"], job["dataset_id"]) == (created["id"], data["id"])
    fetched = read_batch(client, created["id"])
    assert (fetched["status"], fetched["total_task_count"], fetched["total_task_groups"]) == ("READY", 4, 2)
    second_batch = batch(client, LAYOUT, data)
    client.expect(404, "GET", f"{PREFIX}/batches/{second_batch['id']}/syncs/{job['sync_id']}")


def test_auto_sync_follows_appends_while_it_is_on(client: Client) -> None:
    data = filled(client, {"prompt": "a"})
    created = batch(client, LAYOUT, data, auto_sync_enabled=True)
    assert created["auto_sync_enabled"] is True
    set_up(client, created["id"])
    append(client, data, jsonl({"prompt": "b"}))
    poll(lambda: read_batch(client, created["id"])["total_task_count"], lambda count: count == 2)
    client.expect(200, "PATCH", f"{PREFIX}/batches/{created['id']}", {"auto_sync_enabled": False})
    append(client, data, jsonl({"prompt": "c"}))
    assert read_batch(client, created["id"])["total_task_count"] == 2
    assert sync(client, created["id"])["tasks_created"] == 1


def test_a_copy_shares_the_dataset_or_has_none(client: Client) -> None:
    data = filled(client, {"prompt": "a"})
    created = batch(client, LAYOUT, data, auto_sync_enabled=True)
    set_up(client, created["id"])
    path = f"{PREFIX}/batches/{created['id']}/duplicate"
    plain, bare, named = (
        client.expect(201, "POST", path),
        client.expect(201, "POST", path, {"upload_new_dataset": True}),
        client.expect(201, "POST", path, {"name": "Wave 2", "upload_new_dataset": False}),
    )
    for copy in (plain, bare, named):
        assert NEW_BATCH(copy)
        assert (copy["status"], copy["total_task_count"]) == ("UNINITIALISED", 0)
        assert copy["auto_sync_enabled"] is False
        assert copy["task_details"] == DETAILS
        assert copy["batch_items"][0]["id"] != created["batch_items"][0]["id"]
        read_batch(client, copy["id"])
    assert [copy["name"] for copy in (plain, bare, named)] == ["Wave 1 (Copy)", "Wave 1 (Copy)", "Wave 2"]
    assert [len(copy["datasets"]) for copy in (plain, bare, named)] == [1, 0, 1]
    for invalid in ({"name": 5}, {"name": ""}, {"upload_new_dataset": "yes"}):
        client.expect(400, "POST", path, invalid)
