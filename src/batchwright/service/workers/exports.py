"""Writing the archive of an export (specification, Batches rule 9; wire.md 8).

The archive is one state of the database. An interrupted export is written anew.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import groupby
from shutil import copyfileobj
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from batchwright.records.json_values import Json, JsonObject, render
from batchwright.service.batch_records import full_record
from batchwright.service.blobs import PIECE, BlobKind
from batchwright.service.response_records import ResponseRecords
from batchwright.service.store import batches, exports, jobs, participant_files, responses, tasks
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.database import Connection
from batchwright.service.store.ids import task_id
from batchwright.service.store.jobs import Job
from batchwright.service.store.responses import StoredResponse
from batchwright.service.streaming import in_pieces
from batchwright.service.workers.archive_readme import README
from batchwright.service.workers.bench import Bench


def begin(_bench: Bench, _job: Job) -> None:
    """Nothing more is to be seen: the export has been `generating` since the request."""


def run(bench: Bench, job: Job) -> None:
    """Write the archive, then note that it is there."""
    with (
        bench.blobs.receiving(BlobKind.EXPORT) as incoming,
        ZipFile(incoming.stream, "w", ZIP_DEFLATED) as archive,
        bench.database.read() as connection,
    ):
        export = exports.get(connection, job.subject)
        batch = batches.get(connection, export.batch)
        _Archive(bench, connection, archive, batch, export.created_at).write()
    with bench.database.write() as connection:
        exports.finish(connection, job.subject, incoming.name, bench.clock())
        jobs.done(connection, job.number)


def give_up(bench: Bench, job: Job, _reason: str) -> None:
    """End the export as `failed`."""
    with bench.database.write() as connection:
        exports.fail(connection, job.subject, bench.clock())
        jobs.done(connection, job.number)


class _Archive:
    """The archive of one batch, being written."""

    def __init__(
        self, bench: Bench, connection: Connection, archive: ZipFile, batch: StoredBatch, moment: int
    ) -> None:
        self._bench = bench
        self._connection = connection
        self._archive = archive
        self._batch = batch
        self._moment = time.gmtime(moment / 1000)[:6]
        self._records = ResponseRecords(connection, batch.id)

    def write(self) -> None:
        """All parts of wire.md 8; `files/` only when there are any."""
        self._lines("responses-by-submission.jsonl", self._by_submission())
        self._lines("responses-by-task.jsonl", self._by_task())
        self._text("batch.json", render(full_record(self._connection, self._batch), indent=2) + "\n")
        self._text("README.md", README)
        for file in participant_files.of_batch(self._connection, self._batch.number):
            with self._bench.blobs.open(file.blob) as stored:
                entry = self._entry(f"files/{file.file_key}/{file.file_name}", ZIP_STORED)
                with self._archive.open(entry, "w", force_zip64=True) as written:
                    copyfileobj(stored, written, PIECE)

    def _by_submission(self) -> Iterator[str]:
        found = responses.by_submission(self._connection, self._batch.number)
        for submission_id, answers in groupby(found, key=lambda one: one.submission_id):
            listed = list(answers)
            line: JsonObject = {
                "submission_id": submission_id,
                "participant_id": listed[0].participant_id,
                "responses": self._written(listed),
            }
            yield render(line) + "\n"

    def _by_task(self) -> Iterator[str]:
        """Every task of the latest setup, and those of earlier ones that were answered.

        Datapoints are written as they are stored, which is JSON already.
        """
        for setup in range(1, self._batch.setup + 1):
            found = groupby(
                responses.by_task(self._connection, self._batch.number, setup), key=lambda one: one.task
            )
            number, answers = next(found, _NO_ANSWERS)
            for task, record in tasks.with_records(self._connection, self._batch.number, setup):
                listed: list[StoredResponse] = []
                if task.number == number:
                    listed = list(answers)
                    number, answers = next(found, _NO_ANSWERS)
                if listed or setup == self._batch.setup:
                    id, written = task_id(self._batch.id, setup, task.number), render(self._written(listed))
                    yield f'{{"task_id": "{id}", "datapoint": {record}, "responses": {written}}}\n'

    def _written(self, answers: Iterable[StoredResponse]) -> list[Json]:
        return [self._records.record(answer) for answer in answers]

    def _lines(self, name: str, lines: Iterable[str]) -> None:
        with closing(self._archive.open(self._entry(name), "w", force_zip64=True)) as written:
            for piece in in_pieces(lines):
                written.write(piece)

    def _text(self, name: str, text: str) -> None:
        self._archive.writestr(self._entry(name), text)

    def _entry(self, name: str, compression: int = ZIP_DEFLATED) -> ZipInfo:
        entry = ZipInfo(name, self._moment)
        entry.compress_type = compression
        entry.external_attr = 0o644 << 16
        return entry


_NO_ANSWERS: tuple[int, Iterator[StoredResponse]] = (-1, iter(()))
