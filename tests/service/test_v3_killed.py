"""Files of V3 datasets across kills and restarts (specification, Dataset V3 status)."""

import errno
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from batchwright.base.database import Connection
from batchwright.service import enqueue
from batchwright.service.blobs import BlobKind, Blobs
from batchwright.service.jobs.context import JobContext
from batchwright.service.jobs.imports import V3Import
from batchwright.service.server.worker import Worker
from batchwright.service.store import datasets, imports
from batchwright.service.store.database import open_database
from batchwright.service.store.datasets import StoredDataset
from batchwright.service.store.imports import StoredImport
from batchwright.service.store.jobs import StoredJob
from batchwright.wire.datasets import DatasetStatus
from tests.service.kill_helpers import service_run
from tests.service.v3_helpers import datapoints, send, settled, state, v3_dataset


def test_files_that_had_arrived_are_read_after_a_restart(tmp_path: Path) -> None:
    with service_run(tmp_path, job_delay=3600) as first:
        dataset = v3_dataset(first.researcher)
        for number in range(3):
            send(first.researcher, dataset, b"a\n%d\n" % number, f"{number}.csv")
        assert state(first.researcher, dataset) == {"status": "PROCESSING"}
        first.kill()
    with service_run(tmp_path) as second:
        assert settled(second.researcher, dataset) == {"status": "READY"}
        assert [row["a"] for row in datapoints(second.researcher, dataset)] == ["0", "1", "2"]


def test_a_missing_file_ends_in_an_error_and_blocks_no_other(tmp_path: Path) -> None:
    missing, present = _import_missing_and_present_file(tmp_path)
    assert (missing.status, missing.datapoint_count, bool(missing.reason)) == ("ERROR", 0, True)
    assert (present.status, present.datapoint_count) == ("READY", 1)


def test_a_job_whose_failure_cannot_be_recorded_blocks_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    errors = iter([ValueError("cannot be recorded"), OSError(errno.ENOSPC, "full")])

    def fail_at_first(handler: V3Import, context: JobContext, job: StoredJob, reason: str) -> None:
        for error in errors:
            raise error
        fail(handler, context, job, reason)

    fail = V3Import.fail
    monkeypatch.setattr(V3Import, "fail", fail_at_first)
    missing, present = _import_missing_and_present_file(tmp_path)
    assert (missing.status, present.status) == ("ERROR", "READY")
    log = caplog.text
    assert [message in log for message in ("cannot be recorded", "jobs wait")] == [True, True]


def _import_missing_and_present_file(folder: Path) -> list[StoredDataset]:
    """Run the worker in this process, with a clock that advances quickly because the pauses between attempts
    are long.
    """
    moments, blobs = count(step=400_000), Blobs(folder)
    with closing(open_database(folder)) as database:
        with database.write() as connection:
            missing, present = (_expected_file(connection) for _time in range(2))
            enqueue.enqueue_import(connection, missing, f"upload/00/{'0' * 32}", 0)
            with blobs.receiving(BlobKind.UPLOAD) as incoming:
                incoming.write(b"a\n1\n")
            enqueue.enqueue_import(connection, present, incoming.name, 0)
        worker = Worker(JobContext(database, blobs, moments.__next__), 0)
        while worker.run_next():
            pass
        with database.read() as connection:
            return [datasets.get(connection, import_file.dataset) for import_file in (missing, present)]


def _expected_file(connection: Connection) -> StoredImport:
    """The import of a new V3 dataset, for which no file has been uploaded."""
    dataset = datasets.add(
        connection,
        workspace_id="w",
        name="n",
        schema=None,
        created_by="u",
        now=0,
        status=DatasetStatus.UNINITIALISED,
    )
    return imports.add(connection, dataset=dataset.row_id, filename="a.csv", content_type="text/csv", now=0)
