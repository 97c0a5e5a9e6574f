"""V4 datasets (specification, Datasets; wire reference, sections 4.1 to 4.4)."""

from typing import Any

import pytest

from tests.service.api_helpers import Researcher, jsonl

EVERY_TYPE = {
    "strict": False,
    "kept": {"by": "us"},
    "fields": {
        "prompt": {"type": "text", "label": "Prompt", "note": [1, 1.0, True]},
        "photo": {"type": "image_url"},
        "clip": {"type": "audio_url"},
        "film": {"type": "video_url", "label": None},
        "source": {"type": "metadata"},
        "session": {"type": "task_group_id"},
    },
}
UNKNOWN = "0193a7c0-01ff-71ff-8a1b-4c5d6e7f01ff"


@pytest.mark.spec("D-01", "D-04", "D-06", "D-09", "D-10", "D-12", "D-13")
def test_a_dataset_is_returned_with_its_schema_as_sent(researcher: Researcher) -> None:
    created = researcher.dataset(EVERY_TYPE, name="Wörter – 1")
    assert created["schema"] == EVERY_TYPE
    assert created["name"] == "Wörter – 1"
    assert created["workspace_id"] == researcher.workspace
    assert (created["total_datapoint_count"], created["imports"]) == (0, [])
    assert created["created_at"].endswith("Z")
    assert "status" not in created
    assert "migration_job_id" not in created
    assert researcher.request("GET", f"/datasets/{created['id']}", status=200) == created


@pytest.mark.spec("D-08")
def test_the_first_schema_is_version_1_and_none_is_version_0(researcher: Researcher) -> None:
    assert researcher.dataset()["schema_version"] == 1
    assert researcher.dataset(None)["schema_version"] == 0


@pytest.mark.spec("D-14")
def test_a_dataset_may_have_no_schema_yet(researcher: Researcher) -> None:
    assert researcher.dataset(None)["schema"] is None


@pytest.mark.spec("D-15")
def test_a_v4_dataset_has_no_status(researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    assert "import" in researcher.request("GET", f"/datasets/{dataset}/status", status=400)["error"]["detail"]
    assert researcher.status_of("GET", f"/datasets/{UNKNOWN}/status") == 404


@pytest.mark.spec("D-02")
@pytest.mark.parametrize("field", ["name", "workspace_id"])
def test_a_dataset_needs_a_name_and_a_workspace(researcher: Researcher, field: str) -> None:
    body: dict[str, Any] = {"name": "N", "workspace_id": researcher.workspace, "schema": None}
    del body[field]
    assert researcher.request("POST", "/datasets", body, 400)["error"]["detail"].keys() == {field}


@pytest.mark.spec("D-11", "D-13")
@pytest.mark.parametrize(
    "schema",
    [
        {"strict": False, "fields": {"a": {}}},
        {"strict": False, "fields": {"a": {"type": "colour"}}},
        {"strict": False, "fields": {"a": {"type": ["text"]}}},
        {"strict": False, "fields": {"a": {"type": "task_group_id"}, "b": {"type": "task_group_id"}}},
        {"strict": False, "fields": {}},
        {"strict": 1, "fields": {"a": {"type": "text"}}},
        {"strict": None, "fields": {"a": {"type": "text"}}},
        {},
    ],
    ids=repr,
)
def test_an_invalid_schema_is_rejected(researcher: Researcher, schema: Any) -> None:
    body = {"name": "N", "workspace_id": researcher.workspace, "schema": schema}
    assert researcher.request("POST", "/datasets", body, 400)["error"]["detail"].keys() == {"schema"}


@pytest.mark.spec("D-05", "I-07", "I-11")
def test_unknown_resources_are_404(researcher: Researcher) -> None:
    for id in (UNKNOWN, "no-uuid", "%2e%2e", "a%00b"):
        assert researcher.status_of("GET", f"/datasets/{id}") == 404
        assert researcher.status_of("GET", f"/datasets/{id}/upload-url/a.csv") == 404
    dataset, second = researcher.dataset()["id"], researcher.dataset()["id"]
    assert researcher.status_of("GET", f"/datasets/{dataset}/imports/{UNKNOWN}") == 404
    import_id = researcher.upload_url(second, "a.csv")["import_id"]
    assert researcher.status_of("GET", f"/datasets/{dataset}/imports/{import_id}") == 404


@pytest.mark.spec("D-07")
def test_a_dataset_lists_its_imports_newest_first(researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    first = researcher.imported(dataset, "one.jsonl", jsonl({"prompt": "a"}))
    second = researcher.upload_url(dataset, "two.csv")["import_id"]
    fetched = researcher.request("GET", f"/datasets/{dataset}", status=200)
    assert [job["import_id"] for job in fetched["imports"]] == [second, first["import_id"]]
    assert fetched["imports"][1] == first
    assert fetched["total_datapoint_count"] == 1
