"""Syncing batches with what was appended (specification, Batches rules 6 and 7; wire.md 5.5)."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.service import v3_helpers
from tests.service.api_helpers import PROMPTS, QUESTION, JsonDict, Researcher, eventually, jsonl, page
from tests.service.kill_helpers import ServiceRun, life, number_in, paused_worker, rows_in
from tests.service.participant import take_part

GROUPED = {"strict": False, "fields": {"prompt": {"type": "text"}, "session": {"type": "task_group_id"}}}
COUNTS = ("tasks_created", "datapoints_processed", "groups_created", "groups_expanded")


def prompts(first: int, end: int) -> bytes:
    """The lines of so many records."""
    return jsonl(*({"prompt": f"p{number}"} for number in range(first, end)))


def counts(sync: JsonDict) -> tuple[Any, ...]:
    """What a sync that is complete has counted."""
    assert sync["status"] == "complete", sync
    return tuple(sync[name] for name in COUNTS)


def sizes(researcher: Researcher, batch: str) -> list[int]:
    """How many tasks each group has."""
    by_group = Counter(row["Task_Group_ID"] for row in researcher.report(batch))
    return sorted(by_group.values(), reverse=True)


def ready_batch(researcher: Researcher, dataset: str, **more: Any) -> str:
    """A batch with two tasks in a group."""
    batch = str(researcher.batch(dataset_id=dataset, batch_items=[page(QUESTION)], **more)["id"])
    researcher.set_up(batch, tasks_per_group=2)
    return batch


def fail_and_set_up(folder: Path, alive: ServiceRun, batch: str, dataset: str, next_dataset: str) -> None:
    """Let a migration make the sync of what is appended fail, and set the batch up before it ends."""
    ask = alive.researcher.request
    with paused_worker(alive.pid):
        alive.researcher.append(dataset, prompts(2, 4))
        ask("PATCH", f"/datasets/{dataset}", {"schema": PROMPTS}, 200)
        ask("POST", f"/batches/{batch}/setup", {"dataset_id": next_dataset, "tasks_per_group": 2}, 202)
    eventually(lambda: rows_in(folder, "job"), lambda left: left == 0)
    assert number_in(folder, "SELECT count(*) FROM sync WHERE status = 'failed'") == 1


def migrate(folder: Path, researcher: Researcher, dataset: str) -> None:
    """Bring the datapoints to a new version, and wait until nothing is left to do."""
    researcher.request("PATCH", f"/datasets/{dataset}", {"schema": PROMPTS}, 200)
    eventually(lambda: rows_in(folder, "job"), lambda left: left == 0)


@pytest.mark.spec("Y-01", "Y-03", "Y-05", "Y-07", "Y-08", "Y-11")
def test_a_sync_makes_tasks_for_what_was_appended_and_the_next_goes_on(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(3)
    batch = ready_batch(researcher, dataset)
    researcher.append(dataset, prompts(3, 8))
    assert researcher.get_batch(batch)["total_task_count"] == 3
    queued = researcher.request("POST", f"/batches/{batch}/sync", None, 202)
    assert (queued["status"], queued["batch_id"], queued["dataset_id"]) == ("queued", batch, dataset)
    assert counts(researcher.sync_ended(batch, queued["sync_id"])) == (5, 5, 2, 0)
    assert counts(researcher.synced(batch)) == (0, 0, 0, 0)
    researcher.append(dataset, prompts(7, 10))
    assert counts(researcher.synced(batch)) == (2, 2, 1, 0)
    assert sizes(researcher, batch) == [2, 2, 2, 2, 2]
    asked = [row["prompt"] for row in researcher.report(batch)]
    assert sorted(asked) == sorted(f"p{number}" for number in range(10))
    assert researcher.get_batch(batch)["total_task_groups"] == 5


def test_a_later_file_is_picked_up_as_well(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(2)
    batch = ready_batch(researcher, dataset)
    researcher.imported(dataset, "more.jsonl", prompts(2, 5))
    assert counts(researcher.synced(batch))[0] == 3


def test_groups_by_a_field_are_joined_or_opened(researcher: Researcher) -> None:
    dataset = researcher.dataset(GROUPED)["id"]
    rows = [{"prompt": "1", "session": "a"}, {"prompt": "2", "session": "b"}]
    researcher.imported(dataset, "a.jsonl", jsonl(*rows))
    batch = ready_batch(researcher, dataset)
    later = [("3", "a"), ("4", "c"), ("5", None), ("6", "c"), ("7", None), ("8", "a")]
    researcher.append(dataset, jsonl(*({"prompt": prompt, "session": key} for prompt, key in later)))
    assert counts(researcher.synced(batch)) == (6, 6, 3, 1)
    assert sizes(researcher, batch) == [3, 2, 1, 1, 1]


def test_a_group_that_somebody_has_begun_is_left_as_it_is(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(1)
    batch = ready_batch(researcher, dataset)
    take_part(
        researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"], "c" * 24
    )
    researcher.append(dataset, prompts(1, 2))
    assert counts(researcher.synced(batch)) == (1, 1, 1, 0)


@pytest.mark.spec("Y-04")
def test_an_unknown_sync_is_not_found(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(1)
    batch, other = ready_batch(researcher, dataset), ready_batch(researcher, dataset)
    sync = researcher.synced(batch)["sync_id"]
    assert researcher.status_of("GET", f"/batches/{other}/syncs/{sync}") == 404
    assert researcher.status_of("GET", f"/batches/{batch}/syncs/{batch}") == 404
    assert researcher.status_of("GET", f"/batches/{sync}/syncs/{sync}") == 404


@pytest.mark.spec("Y-02")
def test_only_a_ready_batch_is_synced(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(1)
    assert researcher.status_of("POST", f"/batches/{researcher.batch()['id']}/sync") == 400
    batch = researcher.batch(dataset_id=dataset)["id"]
    assert researcher.status_of("POST", f"/batches/{batch}/sync") == 400
    researcher.set_up(batch)
    assert counts(researcher.synced(batch)) == (0, 0, 0, 0)


@pytest.mark.spec("Y-01", "ST-17")
def test_a_sync_with_another_dataset_is_accepted_and_says_that_a_setup_is_needed(
    researcher: Researcher,
) -> None:
    batch = ready_batch(researcher, researcher.filled_dataset(3))
    other = researcher.filled_dataset(2)
    researcher.request("PATCH", f"/batches/{batch}", {"dataset_id": other}, 200)
    ended = researcher.synced(batch)
    assert (ended["status"], ended["dataset_id"]) == ("failed", other)
    assert "Set up the batch again" in ended["reason"]
    assert researcher.get_batch(batch)["total_task_count"] == 3
    researcher.set_up(batch)
    researcher.append(other, prompts(2, 3))
    assert counts(researcher.synced(batch))[0] == 1


@pytest.mark.spec("Y-01", "Y-05")
def test_a_batch_with_a_v3_dataset_is_synced_with_later_files(researcher: Researcher) -> None:
    dataset = v3_helpers.filled(researcher, b"prompt,META_TASK_GROUP_ID\na,g1\nb,g2\n")
    batch = researcher.batch(dataset_id=dataset)["id"]
    researcher.set_up(batch)
    assert counts(researcher.synced(batch)) == (0, 0, 0, 0)
    v3_helpers.read(researcher, dataset, b"prompt,META_TASK_GROUP_ID\nc,g1\nd,g3\n", "later.csv")
    assert counts(researcher.synced(batch)) == (2, 2, 1, 1)
    assert [row["prompt"] for row in researcher.report(batch)] == ["a", "b", "c", "d"]
    assert counts(researcher.synced(batch)) == (0, 0, 0, 0)


@pytest.mark.spec("Y-09", "Y-10")
def test_batches_that_want_it_are_synced_by_themselves(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(2)
    batches = [ready_batch(researcher, dataset, auto_sync_enabled=wants) for wants in (True, True, False)]
    researcher.append(dataset, prompts(2, 4))
    eventually(
        lambda: [researcher.get_batch(batch)["total_task_count"] for batch in batches],
        lambda found: found == [4, 4, 2],
    )
    assert counts(researcher.synced(batches[0])) == (0, 0, 0, 0)


@pytest.mark.spec("ST-18")
def test_syncs_of_one_batch_run_one_after_another(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(1)
    batch = ready_batch(researcher, dataset)
    researcher.append(dataset, prompts(1, 900))
    started = [
        researcher.request("POST", f"/batches/{batch}/sync", None, 202)["sync_id"] for _time in range(3)
    ]
    made = [counts(researcher.sync_ended(batch, sync))[0] for sync in started]
    assert made == [899, 0, 0]


def test_a_new_setup_begins_anew_with_all_that_is_there(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(2)
    batch = ready_batch(researcher, dataset)
    researcher.append(dataset, prompts(2, 5))
    researcher.synced(batch)
    assert researcher.set_up(batch)["total_task_count"] == 5
    assert counts(researcher.synced(batch)) == (0, 0, 0, 0)


def goes(look: Callable[[], JsonDict], *states: str) -> bool:
    """Whether a job goes through these states one after another, from the one it is found in, and stays."""
    seen: list[str] = []

    def status() -> str:
        seen.append(str(look()["status"]))
        return seen[-1]

    eventually(status, lambda found: found == states[-1])
    return list(dict.fromkeys(seen)) == list(states[states.index(seen[0]) :]) and status() == states[-1]


@pytest.mark.spec("ST-17", "ST-20", "Y-06", "Y-12")
def test_states_go_forward_and_a_sync_that_a_migration_gets_in_the_way_of_says_so(tmp_path: Path) -> None:
    with life(tmp_path) as before:
        dataset = before.researcher.filled_dataset(2)
        batch = ready_batch(before.researcher, dataset)
        before.researcher.append(dataset, prompts(2, 4))
    with life(tmp_path, job_delay=1.5) as slow:
        ask = slow.researcher.request
        first = ask("POST", f"/batches/{batch}/sync", None, 202)
        migration = ask("PATCH", f"/datasets/{dataset}", {"schema": PROMPTS}, 200)["migration_job_id"]
        sync = partial(ask, "GET", f"/batches/{batch}/syncs/{first['sync_id']}", None, 200)
        look = partial(ask, "GET", f"/datasets/{dataset}/schema-migrations/{migration}", None, 200)
        assert first["status"] == "queued"
        assert goes(sync, "queued", "processing", "failed")
        assert "again" in sync()["reason"]
        assert goes(look, "processing", "complete")
        again = ask("POST", f"/batches/{batch}/sync", None, 202)
        look = partial(ask, "GET", f"/batches/{batch}/syncs/{again['sync_id']}", None, 200)
        assert goes(look, "queued", "processing", "complete")
        assert counts(look()) == (2, 2, 1, 0)
        assert sync()["status"] == "failed"


@pytest.mark.spec("Y-10")
def test_what_migrations_kept_from_being_synced_by_itself_is_synced_after_the_last(tmp_path: Path) -> None:
    with life(tmp_path) as alive:
        researcher = alive.researcher
        dataset = researcher.filled_dataset(2)
        wants, asks = (ready_batch(researcher, dataset, auto_sync_enabled=on) for on in (True, False))
        with paused_worker(alive.pid):
            researcher.append(dataset, prompts(2, 4))
            for _time in range(2):
                researcher.request("PATCH", f"/datasets/{dataset}", {"schema": PROMPTS}, 200)
        eventually(lambda: researcher.get_batch(wants)["total_task_count"], lambda tasks: tasks == 4)
        eventually(lambda: rows_in(tmp_path, "job"), lambda left: left == 0)
        assert number_in(tmp_path, "SELECT count(*) FROM sync WHERE status = 'failed'") == 1
        assert rows_in(tmp_path, "sync") == 2
        assert researcher.get_batch(asks)["total_task_count"] == 2


@pytest.mark.spec("Y-11")
def test_a_migration_starts_no_sync_of_what_a_file_brought(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(2)
    batch = ready_batch(researcher, dataset, auto_sync_enabled=True)
    researcher.append(dataset, prompts(2, 3))
    eventually(lambda: researcher.get_batch(batch)["total_task_count"], lambda tasks: tasks == 3)
    researcher.imported(dataset, "more.jsonl", prompts(3, 5))
    job = researcher.request("PATCH", f"/datasets/{dataset}", {"schema": PROMPTS}, 200)["migration_job_id"]
    look = f"/datasets/{dataset}/schema-migrations/{job}"
    eventually(
        lambda: researcher.request("GET", look, None, 200)["status"], lambda status: status == "complete"
    )
    assert counts(researcher.synced(batch))[0] == 2


@pytest.mark.spec("Y-11")
def test_a_sync_with_nothing_to_do_is_complete_even_while_a_migration_runs(tmp_path: Path) -> None:
    with life(tmp_path) as alive:
        researcher = alive.researcher
        dataset = researcher.filled_dataset(2)
        batch = ready_batch(researcher, dataset, auto_sync_enabled=True)
        with paused_worker(alive.pid):
            sync = researcher.request("POST", f"/batches/{batch}/sync", None, 202)["sync_id"]
            researcher.request("PATCH", f"/datasets/{dataset}", {"schema": PROMPTS}, 200)
        assert counts(researcher.sync_ended(batch, sync)) == (0, 0, 0, 0)
        researcher.imported(dataset, "more.jsonl", prompts(2, 4))
        migrate(tmp_path, researcher, dataset)
        assert rows_in(tmp_path, "sync") == 1
        assert researcher.get_batch(batch)["total_task_count"] == 2


@pytest.mark.spec("Y-11")
def test_a_sync_that_failed_before_the_last_setup_is_not_begun_again(tmp_path: Path) -> None:
    with life(tmp_path) as alive:
        researcher = alive.researcher
        dataset = researcher.filled_dataset(2)
        batch = ready_batch(researcher, dataset, auto_sync_enabled=True)
        fail_and_set_up(tmp_path, alive, batch, dataset, dataset)
        researcher.imported(dataset, "more.jsonl", prompts(4, 6))
        migrate(tmp_path, researcher, dataset)
        assert researcher.get_batch(batch)["total_task_count"] == 4
        assert counts(researcher.synced(batch))[0] == 2


@pytest.mark.spec("Y-10")
def test_no_sync_is_begun_again_where_the_tasks_are_of_another_dataset(tmp_path: Path) -> None:
    with life(tmp_path) as alive:
        researcher = alive.researcher
        dataset, other = researcher.filled_dataset(2), researcher.filled_dataset(3)
        batch = ready_batch(researcher, dataset, auto_sync_enabled=True)
        fail_and_set_up(tmp_path, alive, batch, dataset, other)
        researcher.request("PATCH", f"/batches/{batch}", {"dataset_id": dataset}, 200)
        migrate(tmp_path, researcher, dataset)
        assert researcher.get_batch(batch)["total_task_count"] == 3
