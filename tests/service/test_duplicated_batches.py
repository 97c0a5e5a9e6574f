"""Duplicates of batches (specification, Batches rule 8; wire reference, sections 5.4 and 15)."""

from typing import Any

import pytest

from tests.service.api_helpers import QUESTION, TASK_DETAILS, JsonDict, Researcher, page, without_ids

NEWER = {"type": "video_narration", "description": "Tell us.", "hidden": {"deep": [1, None]}}
LAYOUT = [page({"type": "dataset_field", "field": "prompt"}, QUESTION), page(NEWER, extra="kept")]


def ids_in(value: Any) -> set[str]:
    """Every id in a layout."""
    if isinstance(value, list):
        return set().union(*map(ids_in, value))
    if isinstance(value, dict):
        own = {value["id"]} if "id" in value else set()
        return own.union(*map(ids_in, value.values()))
    return set()


def duplicate(researcher: Researcher, batch: str, body: JsonDict | None = None) -> JsonDict:
    copied: JsonDict = researcher.request("POST", f"/batches/{batch}/duplicate", body, 201)
    return copied


@pytest.mark.spec("U-01", "U-02", "U-04")
def test_a_copy_has_the_same_layout_with_new_ids(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(3)
    original = researcher.batch(dataset_id=dataset, batch_items=LAYOUT, auto_sync_enabled=True)
    researcher.set_up(original["id"], tasks_per_group=2)
    copied = duplicate(researcher, original["id"])
    assert copied["id"] != original["id"]
    assert (copied["name"], copied["status"]) == ("Study (Copy)", "UNINITIALISED")
    assert (copied["total_task_count"], copied["task_details"]) == (0, TASK_DETAILS)
    assert without_ids(copied["batch_items"]) == without_ids(original["batch_items"])
    assert len(ids_in(copied["batch_items"])) == len(ids_in(original["batch_items"]))
    assert not ids_in(copied["batch_items"]) & ids_in(original["batch_items"])
    fetched = researcher.get_batch(copied["id"])
    assert [attached["id"] for attached in fetched["datasets"]] == [dataset]
    assert fetched["tasks_per_group"] == 2
    assert copied["auto_sync_enabled"] is fetched["auto_sync_enabled"] is False
    assert researcher.set_up(copied["id"])["total_task_count"] == 3
    assert researcher.get_batch(original["id"])["total_task_count"] == 3


@pytest.mark.spec("U-03", "U-04")
def test_a_copy_may_have_another_name_and_no_dataset(researcher: Researcher) -> None:
    original = researcher.batch(dataset_id=researcher.filled_dataset(1), batch_items=LAYOUT)["id"]
    copied = duplicate(researcher, original, {"name": "Second wave", "upload_new_dataset": True})
    assert (copied["name"], copied["datasets"]) == ("Second wave", [])
    assert researcher.get_batch(copied["id"])["datasets"] == []


@pytest.mark.spec("B-08")
def test_a_batch_can_be_duplicated_without_a_ready_dataset_or_layout(researcher: Researcher) -> None:
    original = researcher.batch(dataset_id=researcher.dataset()["id"])["id"]
    assert duplicate(researcher, original, {})["batch_items"] is None


@pytest.mark.parametrize("body", [{"name": 5}, {"upload_new_dataset": "yes"}, []], ids=repr)
def test_invalid_requests_for_a_duplicate_are_rejected(body: Any, researcher: Researcher) -> None:
    batch = researcher.batch()["id"]
    assert researcher.status_of("POST", f"/batches/{batch}/duplicate", body) == 400
    assert researcher.status_of("POST", f"/batches/{researcher.dataset()['id']}/duplicate") == 400
