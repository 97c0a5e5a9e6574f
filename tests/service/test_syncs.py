"""Syncs of appended records (specification, Batches rules 6 and 7; wire reference, section 5.5)."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.service import v3_helpers
from tests.service.api_helpers import PROMPTS, QUESTION, JsonDict, Researcher, eventually, jsonl, page
from tests.service.kill_helpers import ServiceRun, number_in, paused_worker, rows_in, service_run
from tests.service.participant import answer_task_group
from tests.service.participate.study_store import Participant

GROUPED = {"strict": False, "fields": {"prompt": {"type": "text"}, "session": {"type": "task_group_id"}}}
COUNTS = ("tasks_created", "datapoints_processed", "groups_created", "groups_expanded")


def prompts(first: int, end: int) -> bytes:
    """JSON lines of this many records."""
    return jsonl(*({"prompt": f"p{number}"} for number in range(first, end)))


def counts(sync: JsonDict) -> tuple[Any, ...]:
    """The counts of a complete sync."""
    assert sync["status"] == "complete", sync
    return tuple(sync[name] for name in COUNTS)


def sizes(researcher: Researcher, batch: str) -> list[int]:
    """The number of tasks of each group."""
    by_group = Counter(row["Task_Group_ID"] for row in researcher.report(batch))
    return sorted(by_group.values(), reverse=True)


def ready_batch(researcher: Researcher, dataset: str, **more: Any) -> str:
    """A batch that is set up with two tasks per group."""
    batch = str(researcher.batch(dataset_id=dataset, batch_items=[page(QUESTION)], **more)["id"])
    researcher.set_up(batch, tasks_per_group=2)
    return batch


def fail_and_set_up(folder: Path, alive: ServiceRun, batch: str, dataset: str, next_dataset: str) -> None:
    """Make the sync of appended records fail by a migration, and set the batch up before that ends."""
    request = alive.researcher.request
    with paused_worker(alive.pid):
        alive.researcher.append(dataset, prompts(2, 4))
        request("PATCH", f"/datasets/{dataset}", {"schema": PROMPTS}, 200)
        request("POST", f"/batches/{batch}/setup", {"dataset_id": next_dataset, "tasks_per_group": 2}, 202)
    eventually(lambda: rows_in(folder, "job"), lambda count: count == 0)
    assert number_in(folder, "SELECT count(*) FROM sync WHERE status = 'failed'") == 1


def migrate(folder: Path, researcher: Researcher, dataset: str) -> None:
    """Migrate the datapoints to a new version, and wait until no job is left."""
    researcher.request("PATCH", f"/datasets/{dataset}", {"schema": PROMPTS}, 200)
    eventually(lambda: rows_in(folder, "job"), lambda count: count == 0)


@pytest.mark.spec("Y-01", "Y-03", "Y-05", "Y-07", "Y-08", "Y-11")
def test_a_sync_creates_tasks_for_appended_records_and_the_next_one_continues(researcher: Researcher) -> None:
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
    prompts_of_tasks = [row["prompt"] for row in researcher.report(batch)]
    assert sorted(prompts_of_tasks) == sorted(f"p{number}" for number in range(10))
    assert researcher.get_batch(batch)["total_task_groups"] == 5


def test_a_later_file_is_imported_as_well(researcher: Researcher) -> None:
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


def grouped_batch(researcher: Researcher, *pages: Any) -> tuple[str, str, str]:
    """A dataset with one record of the group "a", a batch of it, and its participation link."""
    dataset = str(researcher.dataset(GROUPED)["id"])
    researcher.imported(dataset, "a.jsonl", jsonl({"prompt": "0", "session": "a"}))
    batch = str(researcher.batch(dataset_id=dataset, batch_items=[page(QUESTION), *pages])["id"])
    researcher.set_up(batch)
    link = researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"]
    return dataset, batch, link


def test_a_closing_page_sent_after_a_sync_leads_to_the_added_task(researcher: Researcher) -> None:
    closing = {**page({"type": "rich_text", "content": "<p>Thanks</p>"}), "display_position": "outro"}
    dataset, batch, link = grouped_batch(researcher, closing)
    with Participant(f"{link}&participant={'c' * 24}") as person:
        shown = person.send(person.start(), {"i0": "Fine"})
        assert "Thanks" in shown.text
        researcher.append(dataset, jsonl({"prompt": "1", "session": "a"}))
        assert counts(researcher.synced(batch)) == (1, 1, 0, 1)
        added = person.send(shown)
        assert (added.status, added.progress, added.errors) == (200, "Task 2 of 2", [])
        assert person.send(person.send(added, {"i0": "Fine"})).state == "finished"


def test_a_group_that_somebody_has_completed_is_not_joined(researcher: Researcher) -> None:
    dataset, batch, link = grouped_batch(researcher)
    answer_task_group(link, "c" * 24)
    for prompt, expected in (("1", (1, 1, 1, 0)), ("2", (1, 1, 0, 1))):
        researcher.append(dataset, jsonl({"prompt": prompt, "session": "a"}))
        assert counts(researcher.synced(batch)) == expected
    with Participant(f"{link}&participant={'c' * 24}") as person:
        first = person.start()
        assert first.progress == "Task 1 of 2"
        assert person.send(person.send(first, {"i0": "Fine"}), {"i0": "Fine"}).state == "finished"
    assert sizes(researcher, batch) == [2, 1]
    answered = [
        row["task_id"]
        for row in researcher.request("GET", f"/batches/{batch}/responses", None, 200)["results"]
    ]
    assert len(set(answered)) == len(answered) == 3


def test_a_started_group_is_left_unchanged(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(1)
    batch = ready_batch(researcher, dataset)
    answer_task_group(
        researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"], "c" * 24
    )
    researcher.append(dataset, prompts(1, 2))
    assert counts(researcher.synced(batch)) == (1, 1, 1, 0)


@pytest.mark.spec("Y-04")
def test_an_unknown_sync_is_not_found(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(1)
    batch, second = ready_batch(researcher, dataset), ready_batch(researcher, dataset)
    sync = researcher.synced(batch)["sync_id"]
    assert researcher.status_of("GET", f"/batches/{second}/syncs/{sync}") == 404
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
def test_a_sync_with_another_dataset_is_accepted_and_reports_that_a_setup_is_needed(
    researcher: Researcher,
) -> None:
    batch = ready_batch(researcher, researcher.filled_dataset(3))
    second_dataset = researcher.filled_dataset(2)
    researcher.request("PATCH", f"/batches/{batch}", {"dataset_id": second_dataset}, 200)
    ended = researcher.synced(batch)
    assert (ended["status"], ended["dataset_id"]) == ("failed", second_dataset)
    assert "Set up the batch again" in ended["reason"]
    assert researcher.get_batch(batch)["total_task_count"] == 3
    researcher.set_up(batch)
    researcher.append(second_dataset, prompts(2, 3))
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
def test_batches_with_auto_sync_are_synced_automatically(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(2)
    batches = [ready_batch(researcher, dataset, auto_sync_enabled=wants) for wants in (True, True, False)]
    researcher.append(dataset, prompts(2, 4))
    eventually(
        lambda: [researcher.get_batch(batch)["total_task_count"] for batch in batches],
        lambda counts_of_tasks: counts_of_tasks == [4, 4, 2],
    )
    assert counts(researcher.synced(batches[0])) == (0, 0, 0, 0)


@pytest.mark.spec("Y-09", "Y-10")
def test_records_that_arrive_during_a_setup_are_synced_after_it(tmp_path: Path) -> None:
    with service_run(tmp_path) as alive:
        researcher = alive.researcher
        dataset = researcher.filled_dataset(4)
        wants, manual = (ready_batch(researcher, dataset, auto_sync_enabled=on) for on in (True, False))
        with paused_worker(alive.pid):
            for batch in (wants, manual):
                researcher.request("POST", f"/batches/{batch}/setup", {"tasks_per_group": 2}, 202)
            researcher.append(dataset, prompts(4, 7))
            assert researcher.get_batch(wants)["status"] == "PROCESSING"
        eventually(lambda: rows_in(tmp_path, "job"), lambda count: count == 0)
        assert [researcher.get_batch(batch)["total_task_count"] for batch in (wants, manual)] == [7, 4]
        assert sorted(row["prompt"] for row in researcher.report(wants)) == [f"p{n}" for n in range(7)]
        assert rows_in(tmp_path, "sync") == 1


@pytest.mark.spec("Y-10")
def test_a_migration_during_a_setup_delays_the_sync_of_records_that_arrived(tmp_path: Path) -> None:
    with service_run(tmp_path) as alive:
        researcher = alive.researcher
        dataset = researcher.filled_dataset(2)
        batch = ready_batch(researcher, dataset, auto_sync_enabled=True)
        with paused_worker(alive.pid):
            researcher.request("POST", f"/batches/{batch}/setup", {"tasks_per_group": 2}, 202)
            researcher.append(dataset, prompts(2, 4))
            researcher.request("PATCH", f"/datasets/{dataset}", {"schema": PROMPTS}, 200)
        eventually(lambda: rows_in(tmp_path, "job"), lambda count: count == 0)
        assert researcher.get_batch(batch)["total_task_count"] == 4


@pytest.mark.spec("ST-18")
def test_syncs_of_one_batch_run_one_after_another(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(1)
    batch = ready_batch(researcher, dataset)
    researcher.append(dataset, prompts(1, 900))
    started = [
        researcher.request("POST", f"/batches/{batch}/sync", None, 202)["sync_id"] for _time in range(3)
    ]
    task_counts = [counts(researcher.sync_ended(batch, sync))[0] for sync in started]
    assert task_counts == [899, 0, 0]


def test_a_new_setup_uses_all_records(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(2)
    batch = ready_batch(researcher, dataset)
    researcher.append(dataset, prompts(2, 5))
    researcher.synced(batch)
    assert researcher.set_up(batch)["total_task_count"] == 5
    assert counts(researcher.synced(batch)) == (0, 0, 0, 0)


def passes_through(fetch: Callable[[], JsonDict], *states: str) -> bool:
    """Whether a job passes through these states in order, from its current one, and stays in the last."""
    statuses: list[str] = []

    def status() -> str:
        statuses.append(str(fetch()["status"]))
        return statuses[-1]

    eventually(status, lambda counts_of_tasks: counts_of_tasks == states[-1])
    return (
        list(dict.fromkeys(statuses)) == list(states[states.index(statuses[0]) :]) and status() == states[-1]
    )


@pytest.mark.spec("ST-17", "ST-20", "Y-06", "Y-12")
def test_a_sync_blocked_by_a_migration_fails_with_that_reason(tmp_path: Path) -> None:
    with service_run(tmp_path) as before:
        dataset = before.researcher.filled_dataset(2)
        batch = ready_batch(before.researcher, dataset)
        before.researcher.append(dataset, prompts(2, 4))
    with service_run(tmp_path, job_delay=1.5) as slow:
        request = slow.researcher.request
        first = request("POST", f"/batches/{batch}/sync", None, 202)
        migration = request("PATCH", f"/datasets/{dataset}", {"schema": PROMPTS}, 200)["migration_job_id"]
        sync = partial(request, "GET", f"/batches/{batch}/syncs/{first['sync_id']}", None, 200)
        fetch_migration = partial(
            request, "GET", f"/datasets/{dataset}/schema-migrations/{migration}", None, 200
        )
        assert first["status"] == "queued"
        assert passes_through(sync, "queued", "processing", "failed")
        assert "again" in sync()["reason"]
        assert passes_through(fetch_migration, "processing", "complete")
        again = request("POST", f"/batches/{batch}/sync", None, 202)
        fetch_migration = partial(request, "GET", f"/batches/{batch}/syncs/{again['sync_id']}", None, 200)
        assert passes_through(fetch_migration, "queued", "processing", "complete")
        assert counts(fetch_migration()) == (2, 2, 1, 0)
        assert sync()["status"] == "failed"


@pytest.mark.spec("Y-10")
def test_an_auto_sync_blocked_by_migrations_runs_after_the_last(tmp_path: Path) -> None:
    with service_run(tmp_path) as alive:
        researcher = alive.researcher
        dataset = researcher.filled_dataset(2)
        wants, manual = (ready_batch(researcher, dataset, auto_sync_enabled=on) for on in (True, False))
        with paused_worker(alive.pid):
            researcher.append(dataset, prompts(2, 4))
            for _time in range(2):
                researcher.request("PATCH", f"/datasets/{dataset}", {"schema": PROMPTS}, 200)
        eventually(lambda: researcher.get_batch(wants)["total_task_count"], lambda tasks: tasks == 4)
        eventually(lambda: rows_in(tmp_path, "job"), lambda count: count == 0)
        assert number_in(tmp_path, "SELECT count(*) FROM sync WHERE status = 'failed'") == 1
        assert rows_in(tmp_path, "sync") == 2
        assert researcher.get_batch(manual)["total_task_count"] == 2


@pytest.mark.spec("Y-11")
def test_a_migration_starts_no_sync_of_imported_records(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset(2)
    batch = ready_batch(researcher, dataset, auto_sync_enabled=True)
    researcher.append(dataset, prompts(2, 3))
    eventually(lambda: researcher.get_batch(batch)["total_task_count"], lambda tasks: tasks == 3)
    researcher.imported(dataset, "more.jsonl", prompts(3, 5))
    job = researcher.request("PATCH", f"/datasets/{dataset}", {"schema": PROMPTS}, 200)["migration_job_id"]
    path = f"/datasets/{dataset}/schema-migrations/{job}"
    eventually(
        lambda: researcher.request("GET", path, None, 200)["status"], lambda status: status == "complete"
    )
    assert counts(researcher.synced(batch))[0] == 2


@pytest.mark.spec("Y-11")
def test_a_sync_with_nothing_to_do_is_complete_even_while_a_migration_runs(tmp_path: Path) -> None:
    with service_run(tmp_path) as alive:
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
def test_a_sync_that_failed_before_the_last_setup_is_not_retried(tmp_path: Path) -> None:
    with service_run(tmp_path) as alive:
        researcher = alive.researcher
        dataset = researcher.filled_dataset(2)
        batch = ready_batch(researcher, dataset, auto_sync_enabled=True)
        fail_and_set_up(tmp_path, alive, batch, dataset, dataset)
        researcher.imported(dataset, "more.jsonl", prompts(4, 6))
        migrate(tmp_path, researcher, dataset)
        assert researcher.get_batch(batch)["total_task_count"] == 4
        assert counts(researcher.synced(batch))[0] == 2


@pytest.mark.spec("Y-10")
def test_no_sync_is_retried_where_the_tasks_are_of_a_different_dataset(tmp_path: Path) -> None:
    with service_run(tmp_path) as alive:
        researcher = alive.researcher
        dataset, second_dataset = researcher.filled_dataset(2), researcher.filled_dataset(3)
        batch = ready_batch(researcher, dataset, auto_sync_enabled=True)
        fail_and_set_up(tmp_path, alive, batch, dataset, second_dataset)
        researcher.request("PATCH", f"/batches/{batch}", {"dataset_id": dataset}, 200)
        migrate(tmp_path, researcher, dataset)
        assert researcher.get_batch(batch)["total_task_count"] == 3
