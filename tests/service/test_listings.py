"""The two read-only lists that clients use (wire reference, section 12)."""

import json
from typing import Any

import pytest

from tests.service.api_helpers import QUESTION, Researcher, jsonl, page
from tests.service.participant import answer_task_group

GROUPED = {"strict": False, "fields": {"prompt": {"type": "text"}, "session": {"type": "task_group_id"}}}


def listings(researcher: Researcher, batch: str) -> tuple[list[str], list[str]]:
    """The ids of the tasks and of the groups of a batch."""
    result: list[Any] = [
        researcher.request("GET", f"/batches/{batch}/{name}", None, 200) for name in ("tasks", "task-groups")
    ]
    for ids in result:
        assert all(isinstance(id, str) for id in ids)
        assert len(set(ids)) == len(ids)
    return result[0], result[1]


def test_a_batch_that_is_not_set_up_has_neither(researcher: Researcher) -> None:
    assert listings(researcher, str(researcher.batch()["id"])) == ([], [])


def test_tasks_and_groups_are_those_that_answers_and_reports_name(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(5)
    batch = researcher.batch(dataset_id=dataset, batch_items=[page(QUESTION)])["id"]
    ready = researcher.set_up(batch, tasks_per_group=2)
    tasks, groups = listings(researcher, batch)
    assert (len(tasks), len(groups)) == (5, 3) == (ready["total_task_count"], ready["total_task_groups"])
    assert {row["Task_Group_ID"] for row in researcher.report(batch)} == set(groups)
    archive = researcher.exported(batch).read("responses-by-task.jsonl").decode()
    assert [json.loads(line)["task_id"] for line in archive.splitlines()] == tasks
    progress = researcher.request("GET", f"/local/v1/batches/{batch}/progress", None, 200)["groups"]
    assert [group["group_id"] for group in progress] == groups
    answer_task_group(
        researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"], "c" * 24
    )
    records = researcher.request("GET", f"/batches/{batch}/responses", None, 200)["results"]
    assert {record["task_id"] for record in records} <= set(tasks)


def test_a_sync_adds_tasks_and_a_second_setup_replaces_them(researcher: Researcher) -> None:
    dataset = researcher.dataset(GROUPED)["id"]
    researcher.imported(dataset, "a.jsonl", jsonl({"prompt": "1", "session": "a"}))
    batch = researcher.batch(dataset_id=dataset, batch_items=[page(QUESTION)])["id"]
    researcher.set_up(batch)
    first = listings(researcher, batch)
    later = [{"prompt": "2", "session": "a"}, {"prompt": "3", "session": "b"}, {"prompt": "4"}]
    researcher.append(dataset, jsonl(*later))
    researcher.synced(batch)
    tasks, groups = listings(researcher, batch)
    assert (tasks[:1], groups[:1]) == first
    assert (len(tasks), len(groups)) == (4, 3)
    researcher.set_up(batch)
    again = listings(researcher, batch)
    assert not set(again[0]) & set(tasks)
    assert len(again[0]) == 4


@pytest.mark.parametrize("name", ["tasks", "task-groups"])
def test_an_unknown_batch_has_no_listings(researcher: Researcher, name: str) -> None:
    dataset = researcher.dataset()["id"]
    for batch in ("unknown", dataset, "..", "%00"):
        assert researcher.status_of("GET", f"/batches/{batch}/{name}") in (400, 404)
    own = researcher.batch()["id"]
    for query in ("?limit=x&study_id=1", "/?page=0"):
        assert researcher.request("GET", f"/batches/{own}/{name}{query}", None, 200) == []
    for method in ("POST", "PUT", "DELETE"):
        assert researcher.status_of(method, f"/batches/{own}/{name}") == 405
