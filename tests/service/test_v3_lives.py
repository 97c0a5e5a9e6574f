"""Files of V3 datasets through kills and restarts (specification, Dataset V3 status; design.md 6)."""

from contextlib import closing
from itertools import count
from pathlib import Path

from batchwright.service import importing
from batchwright.service.blobs import BlobKind, Blobs
from batchwright.service.store import datasets, imports
from batchwright.service.store.database import Connection, Database
from batchwright.service.store.imports import StoredImport
from batchwright.service.worker import Worker
from batchwright.service.workers.bench import Bench
from batchwright.wire.datasets import DatasetStatus
from tests.service.lives import life
from tests.service.v3 import datapoints, send, settled, state, v3_dataset


def test_files_that_had_arrived_are_read_after_a_restart(tmp_path: Path) -> None:
    with life(tmp_path, job_delay=3600) as first:
        dataset = v3_dataset(first.researcher)
        for number in range(3):
            send(first.researcher, dataset, b"a\n%d\n" % number, f"{number}.csv")
        assert state(first.researcher, dataset) == {"status": "PROCESSING"}
        first.kill()
    with life(tmp_path) as second:
        assert settled(second.researcher, dataset) == {"status": "READY"}
        assert [row["a"] for row in datapoints(second.researcher, dataset)] == ["0", "1", "2"]


def test_a_file_that_has_vanished_ends_in_an_error_and_keeps_no_other_waiting(tmp_path: Path) -> None:
    """Seen from inside, with a clock that leaps: the pauses between attempts are long."""
    moments, blobs = count(step=10_000), Blobs(tmp_path)
    with closing(Database(tmp_path)) as database:
        with database.write() as connection:
            lost, found = (_expected_file(connection) for _time in range(2))
            importing.hand_over(connection, lost, f"upload/00/{'0' * 32}", 0)
            with blobs.receiving(BlobKind.UPLOAD) as incoming:
                incoming.write(b"a\n1\n")
            importing.hand_over(connection, found, incoming.name, 0)
        worker = Worker(Bench(database, blobs, moments.__next__), 0)
        while worker.do_next():
            pass
        with database.read() as connection:
            ends = [datasets.get(connection, one.dataset) for one in (lost, found)]
    assert [(end.status, end.datapoint_count) for end in ends] == [("ERROR", 0), ("READY", 1)]
    assert ends[0].fault


def _expected_file(connection: Connection) -> StoredImport:
    """The import of a V3 dataset of its own, for which no file has come."""
    dataset = datasets.add(
        connection,
        workspace_id="w",
        name="n",
        schema=None,
        created_by="u",
        now=0,
        status=DatasetStatus.UNINITIALISED,
    )
    return imports.add(connection, dataset=dataset.number, filename="a.csv", content_type="text/csv", now=0)
