"""A setup that is killed repeatedly, but gets further each time, is completed."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from batchwright.base.database import Database
from batchwright.base.json_values import JsonObject
from batchwright.schema.parsing import read_schema
from batchwright.service.blobs import Blobs
from batchwright.service.jobs import context as jobs_context
from batchwright.service.jobs.context import JobContext
from batchwright.service.server.worker import Worker
from batchwright.service.store import batches, datasets, jobs, tasks
from batchwright.service.store.database import open_database
from batchwright.service.store.jobs import StoredJobKind
from batchwright.wire.batches import BatchStatus

COUNT = 60


class Killed(BaseException):
    """Raised in place of a kill of the worker."""


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(open_database(tmp_path)) as opened:
        yield opened


@pytest.fixture
def batch(database: Database) -> int:
    """A batch without tasks, whose dataset has some records."""
    schema = read_schema(
        {"strict": False, "fields": {"prompt": {"type": "text"}, "topic": {"type": "task_group_id"}}}
    )
    with database.write() as connection:
        dataset = datasets.add(connection, workspace_id="w", name="n", schema=schema, created_by="u", now=1)
        records: list[JsonObject] = [{"prompt": f"p{n}", "topic": f"t{n % 7}"} for n in range(COUNT)]
        datasets.insert_datapoints(connection, dataset.row_id, 0, records, 1)
        datasets.set_datapoint_count(connection, dataset.row_id, COUNT)
        stored = batches.add(
            connection,
            workspace_id="w",
            name="n",
            created_by="u",
            now=1,
            task_details={},
            dataset=dataset.row_id,
            batch_items=None,
        )
        batches.start_setup(connection, stored.row_id, dataset.row_id, 1)
    return stored.row_id


def set_up(database: Database, batch: int, seed: int) -> None:
    """Accept a setup."""
    with database.write() as connection:
        detail: JsonObject = {
            "dataset": batches.get(connection, batch).dataset,
            "datapoints": COUNT,
            "schema_version": 1,
            "tasks_per_group": 5,
            "batch_items": None,
            "shuffle_seed": seed,
        }
        jobs.add_in_place(
            connection, StoredJobKind.SETUP, lane=jobs.batch_lane(batch), subject=batch, now=0, detail=detail
        )


def work(database: Database, folder: Path) -> None:
    """Run the next job of a worker, until it is killed."""
    worker = Worker(JobContext(database, Blobs(folder), lambda: 10**9), 0)
    worker.reset_delays()
    worker.run_next()


def status(database: Database, batch: int) -> tuple[str, int]:
    with database.read() as connection:
        stored = batches.get(connection, batch)
        written = list(tasks.of_setup(connection, batch, stored.setup))
    assert [task.position for task in written] == list(range(len(written)))
    return stored.status, len(written)


def killing(function: Callable[..., Any]) -> Callable[..., Any]:
    """Calls the function once, and kills the worker on the second call."""
    calls: list[None] = []

    def once(*args: Any) -> Any:
        if calls:
            calls.clear()
            raise Killed
        calls.append(None)
        return function(*args)

    return once


def test_a_setup_that_makes_progress_does_not_fail(
    database: Database, batch: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_context, "ROWS_PER_TRANSACTION", 4)
    monkeypatch.setattr(tasks, "insert_tasks", killing(tasks.insert_tasks))
    set_up(database, batch, 7)
    for _kill in range(COUNT // 4 - 1):
        with pytest.raises(Killed):
            work(database, tmp_path)
    work(database, tmp_path)
    assert status(database, batch) == (BatchStatus.READY, COUNT)


def test_rows_of_another_setup_are_deleted(
    database: Database, batch: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_context, "ROWS_PER_TRANSACTION", 4)
    set_up(database, batch, 1)
    with monkeypatch.context() as killed:
        killed.setattr(tasks, "insert_tasks", killing(tasks.insert_tasks))
        with pytest.raises(Killed):
            work(database, tmp_path)
    with database.write() as connection:
        connection.execute("UPDATE task SET task_group = task_group + 1")
    set_up(database, batch, 2)
    work(database, tmp_path)
    assert status(database, batch) == (BatchStatus.READY, COUNT)
    with database.read() as connection:
        groups = list(tasks.groups_of(connection, batch, 1))
        written = list(tasks.of_setup(connection, batch, 1))
    assert [sum(task.group == group.number for task in written) for group in groups] == [
        group.task_count for group in groups
    ]


def test_a_failed_job_is_logged(
    database: Database, batch: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    set_up(database, batch, 1)
    with database.write() as connection:
        for _attempt in range(8):
            jobs.count_attempt(connection, 1)
    work(database, tmp_path)
    assert status(database, batch) == (BatchStatus.ERROR, 0)
    assert "without progress" in caplog.text
