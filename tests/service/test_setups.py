"""Setting batches up (specification, Batches rules 4 and 5; Batch status)."""

import random
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.service.jobs.tasks import predetermined_groups, random_groups
from tests.service.api_helpers import PROMPTS, QUESTION, JsonDict, Researcher, eventually, jsonl, page
from tests.service.kill_helpers import needs_proc, number_in, paused_worker, rows_in, service_run

FIELD = {"type": "dataset_field", "field": "prompt"}
GROUPED = {"strict": False, "fields": {**PROMPTS["fields"], "session": {"type": "task_group_id"}}}


def _groups(researcher: Researcher, batch: str) -> dict[str, list[str]]:
    """The prompts of each task group by group id, as in the report."""
    result = defaultdict(list)
    for row in researcher.report(batch):
        result[row["Task_Group_ID"]].append(row["prompt"])
    return result


@pytest.mark.spec("G-01", "G-05", "G-06", "G-07", "ST-04", "B-08")
def test_a_setup_creates_a_task_per_datapoint_and_groups_of_the_requested_size(
    researcher: Researcher,
) -> None:
    dataset = researcher.filled_dataset(12)
    batch = researcher.batch(batch_items=[page(FIELD, QUESTION)], dataset_id=dataset)["id"]
    ready = researcher.set_up(batch, tasks_per_group=5)
    assert (ready["total_task_count"], ready["total_task_groups"], ready["tasks_per_group"]) == (12, 3, 5)
    groups = _groups(researcher, batch)
    assert sorted(map(len, groups.values())) == [2, 5, 5]
    assert sorted(chain.from_iterable(groups.values())) == sorted(f"p{number}" for number in range(12))
    progress = researcher.request("GET", f"/local/v1/batches/{batch}/progress", status=200)["groups"]
    assert {group["group_id"]: group["task_count"] for group in progress} == {
        id: len(prompts) for id, prompts in groups.items()
    }


def test_the_layout_of_the_latest_setup_stays_when_the_batch_is_changed(researcher: Researcher) -> None:
    dataset, other = researcher.filled_dataset(2), researcher.filled_dataset(1)
    batch = researcher.batch(batch_items=[page(FIELD, QUESTION)], dataset_id=dataset)["id"]
    path = f"/local/v1/batches/{batch}/setup-layout"
    none = {"set_up": False, "batch_items": None, "dataset_id": None}
    assert researcher.request("GET", path, None, 200) == none
    items = researcher.set_up(batch)["batch_items"]
    set_up = {"set_up": True, "batch_items": items, "dataset_id": dataset}
    changed = {"batch_items": [page(QUESTION)], "dataset_id": other}
    changed = researcher.request("PATCH", f"/batches/{batch}", changed, 200)
    assert researcher.request("GET", path, None, 200) == set_up
    researcher.set_up(batch)
    again = {"set_up": True, "batch_items": changed["batch_items"], "dataset_id": other}
    assert researcher.request("GET", path, None, 200) == again


@pytest.mark.spec("G-08")
def test_tasks_are_grouped_at_random(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(40)
    batch = researcher.batch(dataset_id=dataset)["id"]
    researcher.set_up(batch, tasks_per_group=20)
    in_order = [f"p{number}" for number in range(40)]
    assert sorted(map(sorted, _groups(researcher, batch).values())) != [
        sorted(in_order[:20]),
        sorted(in_order[20:]),
    ]


def test_the_same_seed_produces_the_same_groups(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(30)
    groupings = []
    for seed in (7, 7, 8):
        batch = researcher.batch(dataset_id=dataset)["id"]
        researcher.request("PUT", f"/local/v1/batches/{batch}/shuffle-seed", {"seed": seed}, 200)
        researcher.set_up(batch, tasks_per_group=4)
        groupings.append(sorted(map(sorted, _groups(researcher, batch).values())))
    assert groupings[0] == groupings[1] != groupings[2]


@pytest.mark.spec("K-04")
def test_a_group_has_one_task_by_default(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(3)
    bodies: list[JsonDict | None] = [None, {}]
    for body in bodies:
        batch = researcher.batch(dataset_id=dataset)["id"]
        researcher.request("POST", f"/batches/{batch}/setup", body, 202)
        assert researcher.ready(batch)["total_task_groups"] == 3


@pytest.mark.spec("G-11")
def test_a_task_group_field_has_precedence_over_the_requested_size(researcher: Researcher) -> None:
    dataset = researcher.dataset(GROUPED)["id"]
    sessions: list[object] = ["a", "b", "a", None, 7, "7", True, None]
    records: list[JsonDict] = [{"prompt": str(n), "session": value} for n, value in enumerate(sessions)]
    researcher.imported(dataset, "a.jsonl", jsonl(*records))
    batch = researcher.batch(dataset_id=dataset)["id"]
    assert researcher.set_up(batch, tasks_per_group=3)["total_task_groups"] == 6
    groups = [sorted(prompts) for prompts in _groups(researcher, batch).values()]
    assert sorted(groups) == [["0", "2"], ["1"], ["3"], ["4", "5"], ["6"], ["7"]]


@pytest.mark.spec("G-11")
@pytest.mark.parametrize("type", ["text", "metadata", "task_group_id"])
@pytest.mark.parametrize("filename", ["a.csv", "a.jsonl"])
def test_a_v4_field_named_meta_task_group_id_has_precedence_over_the_requested_size(
    researcher: Researcher, type: str, filename: str
) -> None:
    schema = {"strict": False, "fields": {**PROMPTS["fields"], "META_TASK_GROUP_ID": {"type": type}}}
    dataset = researcher.dataset(schema)["id"]
    rows = [("0", "a"), ("1", "b"), ("2", "a"), ("3", "")]
    records = [{"prompt": prompt, "META_TASK_GROUP_ID": key or None} for prompt, key in rows]
    text = "\n".join(["prompt,META_TASK_GROUP_ID", *map(",".join, rows)])
    researcher.imported(dataset, filename, text.encode() if filename.endswith(".csv") else jsonl(*records))
    batch = researcher.batch(dataset_id=dataset)["id"]
    assert researcher.set_up(batch, tasks_per_group=4)["total_task_groups"] == 3
    groups = sorted(sorted(prompts) for prompts in _groups(researcher, batch).values())
    assert groups == [["0", "2"], ["1"], ["3"]]
    researcher.append(dataset, jsonl({"prompt": "4", "META_TASK_GROUP_ID": "b"}, {"prompt": "5"}))
    sync = researcher.synced(batch)
    assert (sync["groups_created"], sync["groups_expanded"]) == (1, 1)


@pytest.mark.spec("G-11")
def test_the_designated_field_has_precedence_over_the_name_meta_task_group_id(researcher: Researcher) -> None:
    fields = {"prompt": "text", "session": "task_group_id", "META_TASK_GROUP_ID": "metadata"}
    definitions = {key: {"type": type} for key, type in fields.items()}
    dataset = researcher.dataset({"strict": False, "fields": definitions})["id"]
    records = [{"prompt": str(n), "session": "s", "META_TASK_GROUP_ID": str(n)} for n in range(3)]
    researcher.imported(dataset, "a.jsonl", jsonl(*records))
    batch = researcher.batch(dataset_id=dataset)["id"]
    assert researcher.set_up(batch)["total_task_groups"] == 1


@pytest.mark.spec("K-03")
@pytest.mark.parametrize("invalid", [0, -1, 1.5, 2.0, "2", None, True, 10**30], ids=repr)
def test_an_invalid_group_size_is_rejected(researcher: Researcher, invalid: object) -> None:
    batch = researcher.batch(dataset_id=researcher.filled_dataset(1))["id"]
    rejected = researcher.request("POST", f"/batches/{batch}/setup", {"tasks_per_group": invalid}, 400)
    assert rejected["error"]["detail"].keys() == {"tasks_per_group"}
    assert researcher.get_batch(batch)["status"] == "UNINITIALISED"


@pytest.mark.spec("G-02")
def test_a_setup_needs_a_dataset(researcher: Researcher) -> None:
    batch = researcher.batch()["id"]
    assert researcher.status_of("POST", f"/batches/{batch}/setup", {}) == 400
    dataset = researcher.filled_dataset(2)
    assert researcher.set_up(batch, dataset_id=dataset)["datasets"][0]["id"] == dataset


@pytest.mark.spec("G-04")
def test_a_setup_needs_one_import_that_is_complete(researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    batch = researcher.batch(dataset_id=dataset)["id"]
    researcher.upload_url(dataset, "never.csv")
    assert researcher.status_of("POST", f"/batches/{batch}/setup", {}) == 400
    researcher.imported(dataset, "partial.jsonl", jsonl({"prompt": "a"}, {}))
    assert researcher.status_of("POST", f"/batches/{batch}/setup", {}) == 400
    researcher.imported(dataset, "failed.csv", b"")
    researcher.imported(dataset, "complete.jsonl", jsonl({"prompt": "b"}))
    assert researcher.set_up(batch)["total_task_count"] == 2


def test_a_setup_checks_the_layout_against_the_dataset(researcher: Researcher) -> None:
    batch = researcher.batch(batch_items=[page(FIELD)], dataset_id=researcher.filled_dataset(1))["id"]
    second = researcher.dataset({"strict": False, "fields": {"text": {"type": "text"}}})["id"]
    researcher.imported(second, "a.jsonl", jsonl({"text": "x"}))
    rejected = researcher.request("POST", f"/batches/{batch}/setup", {"dataset_id": second}, 400)
    assert "page 1, row 1, column 1, item 1" in rejected["error"]["detail"]["batch_items"][0]


@pytest.mark.spec("ST-02", "B-14")
def test_a_second_setup_creates_new_tasks(researcher: Researcher) -> None:
    batch = researcher.batch(dataset_id=researcher.filled_dataset(4))["id"]
    researcher.set_up(batch, tasks_per_group=2)
    before = _groups(researcher, batch)
    again = researcher.set_up(batch, dataset_id=researcher.filled_dataset(6), tasks_per_group=3)
    assert (again["total_task_count"], again["total_task_groups"]) == (6, 2)
    assert not before.keys() & _groups(researcher, batch).keys()


@pytest.mark.spec("ST-01", "ST-02")
@needs_proc
def test_a_setup_is_accepted_while_another_is_running(tmp_path: Path) -> None:
    with service_run(tmp_path) as service:
        researcher = service.researcher
        batch = researcher.batch(dataset_id=researcher.filled_dataset(6))["id"]
        unfilled = researcher.dataset()["id"]
        with paused_worker(service.pid):
            for size in (1, 2, 3):
                researcher.request("POST", f"/batches/{batch}/setup", {"tasks_per_group": size}, 202)
                assert researcher.get_batch(batch)["status"] == "PROCESSING"
            researcher.request("POST", f"/batches/{batch}/setup", {"dataset_id": unfilled}, 400)
        ready = researcher.ready(batch)
        assert (ready["tasks_per_group"], ready["total_task_groups"]) == (3, 2)


@pytest.mark.spec("ST-02")
@needs_proc
def test_of_several_setups_the_last_accepted_is_effective(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    print(f"--seed {seed}")
    with service_run(tmp_path) as service:
        researcher = service.researcher
        filled = [researcher.filled_dataset(count) for count in (3_000, 7_000, 12_000)]
        batch = researcher.batch(dataset_id=filled[0], batch_items=[page(QUESTION)])["id"]
        for _round in range(3):
            for _setup in range(chance.randint(2, 4)):
                dataset, size = chance.choice(filled), chance.randint(1, 50)
                body = {"dataset_id": dataset, "tasks_per_group": size}
                before = rows_in(tmp_path, "task")
                researcher.request("POST", f"/batches/{batch}/setup", body, 202)
                moved = chance.choice([0, 0, 1])
                eventually(lambda: (rows_in(tmp_path, "task"), rows_in(tmp_path, "job")), _at(before, moved))
            ready = researcher.ready(batch)
            count = researcher.request("GET", f"/datasets/{dataset}", None, 200)["total_datapoint_count"]
            assert (ready["datasets"][0]["id"], ready["tasks_per_group"]) == (dataset, size)
            assert (ready["total_task_count"], ready["total_task_groups"]) == (count, -(-count // size))
            live = number_in(tmp_path, "SELECT setup FROM batch")
            query = f"SELECT {{}} FROM task WHERE setup = {live}"
            assert number_in(tmp_path, query.format("count(*)")) == count
            assert number_in(tmp_path, query.format("count(DISTINCT dataset)")) == 1
            assert number_in(tmp_path, f"SELECT max(setup) FROM task_group WHERE setup >= {live}") == live


def _at(before: int, moved: int) -> Callable[[tuple[int, int]], bool]:
    """Whether the number of tasks has changed by this many, or no job is left."""
    return lambda counts: abs(counts[0] - before) >= moved or not counts[1]


def test_tasks_show_the_layout_they_were_set_up_with(researcher: Researcher) -> None:
    batch = researcher.batch(batch_items=[page(QUESTION)], dataset_id=researcher.filled_dataset(1))["id"]
    researcher.set_up(batch)
    changed = [page({**QUESTION, "description": "Another question?"})]
    assert researcher.status_of("PATCH", f"/batches/{batch}", {"batch_items": changed}) == 200
    assert [row["Question"] for row in researcher.report(batch)] == [QUESTION["description"]]
    researcher.set_up(batch)
    assert [row["Question"] for row in researcher.report(batch)] == ["Another question?"]


@given(st.integers(0, 300), st.integers(1, 400), st.randoms(use_true_random=False))
def test_random_groups_contain_every_task_once_and_only_the_last_is_smaller(
    count: int, size: int, chance: random.Random
) -> None:
    grouping = random_groups(count, size, chance)
    sizes = Counter(grouping.group_of)
    assert len(grouping.group_of) == count
    assert [group.task_count for group in grouping.groups] == [sizes[number] for number in range(len(sizes))]
    assert all(group.task_count == size for group in grouping.groups[:-1])


@given(st.lists(st.none() | st.sampled_from(["a", "1", "true"]) | st.integers(0, 2) | st.booleans()))
def test_predetermined_groups_join_equal_values_only(values: list[object]) -> None:
    grouping = predetermined_groups(values)  # type: ignore[arg-type]  # each is a JSON value
    sizes = Counter(grouping.group_of)
    assert [group.task_count for group in grouping.groups] == [sizes[number] for number in range(len(sizes))]
    for value, number in zip(values, grouping.group_of, strict=True):
        group = grouping.groups[number]
        if value is None:
            assert (group.key, group.task_count) == (None, 1)
        else:
            assert group.key in (str(value), str(value).lower())
