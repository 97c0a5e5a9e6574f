"""A program that starts a worker on a full disk; its argument is a folder on that disk.

It frees space when it receives a line, and prints whether the same worker ran until the job was done.
"""

import sys
from contextlib import closing
from pathlib import Path

from batchwright.base.database import Database
from batchwright.schema.parsing import read_schema
from batchwright.service.server.worker import WorkerProcess
from batchwright.service.store import datasets, jobs, migrations
from batchwright.service.store.database import open_database
from batchwright.service.store.jobs import StoredJobKind
from tests.service.api_helpers import eventually
from tests.service.small_disk import fill

IN_FUTURE = 10**15


def run_worker_on_full_disk(folder: Path) -> bool:
    """Start a worker with a job while the disk is full, then free space; whether the process is the same."""
    with closing(open_database(folder)) as database, database.write() as connection:
        schema = read_schema({"strict": False, "fields": {"prompt": {"type": "text"}}})
        dataset = datasets.add(connection, workspace_id="w", name="n", schema=schema, created_by="u", now=1)
        migration = migrations.add(connection, dataset=dataset.row_id, version=1, now=1)
        jobs.add(
            connection, StoredJobKind.MIGRATION, lane="dataset 1", subject=migration.row_id, now=IN_FUTURE
        )
    fill(folder / "ballast")
    workers = WorkerProcess(folder, 0.0)
    workers.start()
    first = workers._process
    sys.stdin.readline()
    (folder / "ballast").unlink()
    with closing(open_database(folder)) as database:
        eventually(lambda: _due(database), lambda due: due is None)
    is_same = workers._process is first
    workers.stop()
    return is_same


def _due(database: Database) -> int | None:
    with database.read() as connection:
        return jobs.next_due_at(connection)


if __name__ == "__main__":
    print(run_worker_on_full_disk(Path(sys.argv[1])))
