"""Schema updates and migrations: specification, Datasets rules 1 and 4; wire reference, sections 4.9 and
4.10.
"""

from typing import Any

from tests.service.independent_client.client import Client
from tests.service.independent_client.endpoints import UNKNOWN_ID
from tests.service.independent_client.researcher import (
    PREFIX,
    SCHEMA,
    append,
    dataset,
    filled,
    jsonl,
    migrated,
)
from tests.service.independent_client.shapes import MIGRATED_DATASET


def fields(**types: str) -> dict[str, Any]:
    return {"strict": False, "fields": {key: {"type": type} for key, type in types.items()}}


def update(client: Client, data: dict[str, Any], schema: Any) -> Any:
    updated = client.expect(200, "PATCH", f"{PREFIX}/datasets/{data['id']}", {"schema": schema})
    assert MIGRATED_DATASET(updated)
    assert updated["schema"] == schema
    return migrated(client, data, updated["migration_job_id"])


def test_a_migration_preserves_valid_values(client: Client) -> None:
    data = filled(client, {"prompt": "a", "source": 5}, {"prompt": "b"})
    job = update(client, data, fields(prompt="text", source="text", added="image_url"))
    assert (job["status"], job["schema_version"], job["reprocessed_count"]) == ("complete", 2, 2)
    again = update(client, data, fields(prompt="text", source="text", added="image_url"))
    assert again["schema_version"] == 3
    fetched = client.expect(200, "GET", f"{PREFIX}/datasets/{data['id']}")
    assert fetched["schema_version"] == 3
    assert "migration_job_id" not in fetched
    assert append(client, data, jsonl({"prompt": "a", "source": "5"}))["accepted"] == 1
    assert client.expect(200, "GET", f"{PREFIX}/datasets/{data['id']}")["total_datapoint_count"] == 2


def test_a_migration_clears_and_reports_invalid_values(client: Client) -> None:
    data = filled(client, {"prompt": "https://img.example.net/1.png"}, {"prompt": "a", "source": "x"})
    job = update(client, data, fields(prompt="image_url", source="audio_url"))
    assert (job["status"], job["reprocessed_count"], job["failed_count"]) == ("partial", 1, 1)
    assert [error["field"] for error in job["errors"]] == ["prompt", "source"]
    assert len({error["datapoint_id"] for error in job["errors"]}) == 1


def test_the_task_group_column_cannot_change_once_there_are_datapoints(client: Client) -> None:
    grouped = fields(prompt="text", bundle="task_group_id")
    data = filled(client, {"prompt": "a", "bundle": "k"}, schema=grouped)
    path = f"{PREFIX}/datasets/{data['id']}"
    for group_field in (
        fields(prompt="text"),
        fields(prompt="text", bundle="metadata"),
        fields(prompt="text", renamed="task_group_id"),
        fields(prompt="task_group_id", bundle="text"),
    ):
        client.expect(400, "PATCH", path, {"schema": group_field})
    assert client.expect(200, "GET", path)["schema_version"] == 1
    ungrouped = filled(client, {"prompt": "a"}, schema=fields(prompt="text"))
    client.expect(400, "PATCH", f"{PREFIX}/datasets/{ungrouped['id']}", {"schema": grouped})
    assert update(client, data, fields(other="video_url", bundle="task_group_id"))["status"] == "complete"


def test_the_task_group_column_can_change_while_there_are_no_datapoints(client: Client) -> None:
    data = dataset(client, fields(prompt="text"))
    assert update(client, data, fields(prompt="text", bundle="task_group_id"))["reprocessed_count"] == 0


def test_a_schema_update_needs_a_schema_and_a_v4_dataset(client: Client) -> None:
    data, legacy = dataset(client, SCHEMA), dataset(client)
    client.expect(400, "PATCH", f"{PREFIX}/datasets/{data['id']}", {})
    client.expect(400, "PATCH", f"{PREFIX}/datasets/{data['id']}", {"schema": None})
    client.expect(400, "PATCH", f"{PREFIX}/datasets/{legacy['id']}", {"schema": SCHEMA})
    client.expect(404, "PATCH", f"{PREFIX}/datasets/{UNKNOWN_ID}", {"schema": SCHEMA})
    client.expect(404, "GET", f"{PREFIX}/datasets/{data['id']}/schema-migrations/{UNKNOWN_ID}")


def test_a_running_migration_shows_as_processing_and_the_next_one_waits(slow_client: Client) -> None:
    data = dataset(slow_client, SCHEMA)
    assert append(slow_client, data, jsonl({"prompt": "a"}))["accepted"] == 1
    path = f"{PREFIX}/datasets/{data['id']}"
    jobs = [
        slow_client.expect(200, "PATCH", path, {"schema": fields(prompt="text", **{f"more{number}": "text"})})
        for number in range(2)
    ]
    first, second = (job["migration_job_id"] for job in jobs)
    status = slow_client.expect(200, "GET", f"{path}/schema-migrations/{second}")
    assert (status["status"], status["schema_version"]) == ("processing", 3)
    assert migrated(slow_client, data, first)["status"] == "complete"
    assert migrated(slow_client, data, second)["status"] == "complete"
