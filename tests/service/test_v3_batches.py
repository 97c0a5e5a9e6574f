"""Batches on V3 datasets (specification, Batches rules 4 and 5, batch_items rule 3)."""

from collections import defaultdict

import pytest

from tests.service.api_helpers import PROMPTS, QUESTION, Researcher, page
from tests.service.participant import answer_task_group
from tests.service.v3_helpers import REVIEWS, filled, read, send, v3_dataset

FIELD = {"type": "dataset_field", "field": "review"}


@pytest.mark.spec("G-03")
def test_a_setup_needs_a_dataset_that_is_ready(researcher: Researcher, waiting: Researcher) -> None:
    new, faulty = v3_dataset(researcher), v3_dataset(researcher)
    assert read(researcher, faulty, b"")["status"] == "ERROR"
    batch = researcher.batch()["id"]
    for dataset, status in ((new, "UNINITIALISED"), (faulty, "ERROR")):
        rejected = researcher.request("POST", f"/batches/{batch}/setup", {"dataset_id": dataset}, 400)
        assert status in rejected["error"]["detail"]
    processing = v3_dataset(waiting)
    send(waiting, processing, REVIEWS)
    own = waiting.batch(dataset_id=processing)["id"]
    assert "PROCESSING" in waiting.request("POST", f"/batches/{own}/setup", {}, 400)["error"]["detail"]
    ready = researcher.set_up(batch, dataset_id=filled(researcher))
    assert (ready["total_task_count"], ready["datasets"][0]["filename"]) == (3, "reviews.csv")


@pytest.mark.spec("G-10")
def test_the_grouping_column_has_precedence_over_tasks_per_group(researcher: Researcher) -> None:
    rows = b"META_TASK_GROUP_ID,a\nx,1\ny,2\nx,3\n,4\nx,5\n,6\n"
    batch = researcher.batch(dataset_id=filled(researcher, rows))["id"]
    assert researcher.set_up(batch, tasks_per_group=2)["total_task_groups"] == 4
    groups = defaultdict(list)
    for row in researcher.report(batch):
        groups[row["Task_Group_ID"]].append(row["a"])
    assert sorted(groups.values()) == [["1", "3", "5"], ["2"], ["4"], ["6"]]


def test_without_the_column_groups_have_the_requested_size(researcher: Researcher) -> None:
    batch = researcher.batch(dataset_id=filled(researcher, b"a\n1\n2\n3\n4\n5\n"))["id"]
    ready = researcher.set_up(batch, tasks_per_group=2)
    assert (ready["total_task_count"], ready["total_task_groups"]) == (5, 3)


@pytest.mark.spec("L-13")
def test_no_layout_refers_to_a_v3_dataset(researcher: Researcher) -> None:
    dataset = filled(researcher)
    layout = [page(FIELD, QUESTION)]
    rejected = researcher.batch(422, dataset_id=dataset, batch_items=layout)
    (issue,) = rejected["issues"]
    assert (issue["type"], issue["field"]) == ("dataset_field", "review")
    v4 = researcher.filled_dataset(
        schema={"strict": False, "fields": {**PROMPTS["fields"], "review": {"type": "text"}}}
    )
    batch = researcher.batch(dataset_id=v4, batch_items=layout)["id"]
    researcher.request("PATCH", f"/batches/{batch}", {"dataset_id": dataset}, 422)
    rejected = researcher.request("POST", f"/batches/{batch}/setup", {"dataset_id": dataset}, 400)
    assert rejected["error"]["detail"].keys() == {"batch_items"}
    assert researcher.get_batch(batch)["datasets"][0]["id"] == v4


def test_answers_and_report_contain_the_hidden_columns(researcher: Researcher) -> None:
    batch = researcher.batch(dataset_id=filled(researcher), batch_items=[page(QUESTION)])["id"]
    researcher.set_up(batch)
    link = researcher.request("GET", f"/local/v1/batches/{batch}/participation", status=200)["url"]
    shown: list[str] = []
    answer_task_group(link, "c" * 24, on_page=shown.append)
    assert not any("META_" in cell_text or "web" in cell_text for cell_text in shown)
    answers = researcher.request("GET", f"/batches/{batch}/responses", status=200)["results"]
    hidden = [cell_text["metadata"] for cell_text in answers]
    assert {"META_source", "META_TASK_GROUP_ID"} == hidden[0].keys()
    header = list(researcher.report(batch)[0])
    assert header[4:8] == ["review", "product", "META_source", "META_TASK_GROUP_ID"]


def test_a_batch_names_the_file_of_its_v3_dataset(researcher: Researcher) -> None:
    dataset = v3_dataset(researcher)
    batch = researcher.batch(dataset_id=dataset)["id"]
    assert researcher.get_batch(batch)["datasets"][0]["filename"] == ""
    read(researcher, dataset, REVIEWS)
    researcher.upload_url(dataset, "never-sent.csv")
    assert researcher.get_batch(batch)["datasets"][0]["filename"] == "reviews.csv"


def test_a_copy_of_a_batch_shares_its_v3_dataset(researcher: Researcher) -> None:
    batch = researcher.batch(dataset_id=filled(researcher))["id"]
    copy = researcher.request("POST", f"/batches/{batch}/duplicate", {}, 201)
    assert researcher.set_up(copy["id"])["total_task_count"] == 3


def test_a_legacy_batch_shows_every_column_that_is_not_hidden(researcher: Researcher) -> None:
    batch = researcher.batch(dataset_id=filled(researcher))["id"]
    researcher.request("POST", f"/batches/{batch}/instructions", {"instructions": [QUESTION]}, 201)
    researcher.set_up(batch)
    link = researcher.request("GET", f"/local/v1/batches/{batch}/participation", status=200)["url"]
    shown: list[str] = []
    answer_task_group(link, "d" * 24, on_page=shown.append)
    answer_task_group(link, "d" * 24, on_page=shown.append)
    for cell in ("Nice mug", "Mug", "Lid leaks", "Flask", "Fine", "Plate"):
        assert sum(cell in cell_text for cell_text in shown) == 1, cell
    assert not any("META_" in cell_text or ">web<" in cell_text or ">g1<" in cell_text for cell_text in shown)
    assert len(researcher.report(batch)) == 3


def test_a_batch_on_a_v3_dataset_can_be_exported(researcher: Researcher) -> None:
    batch = researcher.batch(dataset_id=filled(researcher), batch_items=[page(QUESTION)])["id"]
    researcher.set_up(batch)
    assert researcher.exported(batch).testzip() is None
