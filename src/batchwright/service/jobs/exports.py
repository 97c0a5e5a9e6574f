"""Writing the archive of an export (specification, Batches rule 9; wire.md 8).

The archive is one state of the database. An interrupted export is written anew.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby
from operator import attrgetter
from zipfile import ZIP_DEFLATED, ZipFile

from batchwright.base.database import Connection
from batchwright.base.json_values import JsonObject, to_json
from batchwright.service.blobs import BlobKind
from batchwright.service.jobs.archive_readme import README, README_OF_COLLECTION
from batchwright.service.jobs.archive_writing import ArchiveWriter, by_submission
from batchwright.service.jobs.context import JobContext
from batchwright.service.orphan_files import delete_unless_referenced
from batchwright.service.serializers.batch import full_record
from batchwright.service.serializers.collection import collection_record
from batchwright.service.serializers.instruction import records_of
from batchwright.service.serializers.response import ResponseRecords, collection_response, json_array
from batchwright.service.store import batches, collections, exports, jobs, responses, tasks
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.ids import task_id
from batchwright.service.store.jobs import StoredJob
from batchwright.service.store.responses import StoredResponse


def begin(_bench: JobContext, _job: StoredJob) -> None:
    """Nothing more is to be seen: the export has been `generating` since the request."""


def run(bench: JobContext, job: StoredJob) -> None:
    """Write the archive, then note that it is there."""
    with (
        bench.blobs.receiving(BlobKind.EXPORT) as incoming,
        ZipFile(incoming.stream, "w", ZIP_DEFLATED) as archive,
        bench.database.read() as connection,
    ):
        export = exports.get(connection, job.subject)
        study = batches.get(connection, export.batch)
        writer = ArchiveWriter(archive, export.created_at)
        if study.is_collection:
            _write_collection(connection, writer, study.number)
        else:
            _BatchArchive(connection, writer, study).write()
        writer.files(connection, study.number, bench.blobs)
    with (
        delete_unless_referenced(bench.database, bench.blobs, BlobKind.EXPORT, incoming.name),
        bench.database.write() as connection,
    ):
        exports.finish(connection, job.subject, incoming.name, bench.clock())
        jobs.done(connection, job.number)


def give_up(bench: JobContext, job: StoredJob, reason: str) -> None:
    """End the export as `failed`."""
    with bench.database.write() as connection:
        exports.fail(connection, job.subject, reason, bench.clock())
        jobs.done(connection, job.number)


def _write_collection(connection: Connection, writer: ArchiveWriter, number: int) -> None:
    """All parts of a collection's archive but the files (wire.md 8)."""
    collection = collections.get(connection, number)
    record = partial(collection_response, collection.study.id)
    writer.lines("responses.jsonl", by_submission(connection, number, record))
    writer.text("collection.json", to_json(collection_record(collection), indent=2) + "\n")
    writer.text("README.md", README_OF_COLLECTION)


class _BatchArchive:
    """The archive of one batch, being written."""

    def __init__(self, connection: Connection, writer: ArchiveWriter, batch: StoredBatch) -> None:
        self._connection = connection
        self._writer = writer
        self._batch = batch
        self._records = ResponseRecords(connection, batch.id)

    def write(self) -> None:
        """All parts of wire.md 8 but the files."""
        listed = by_submission(self._connection, self._batch.number, self._records.record)
        self._writer.lines("responses-by-submission.jsonl", listed)
        self._writer.lines("responses-by-task.jsonl", self._by_task())
        self._writer.text("batch.json", to_json(self._metadata(), indent=2) + "\n")
        self._writer.text("README.md", README)

    def _metadata(self) -> JsonObject:
        """The batch; the instructions of one without a layout stand beside its own keys."""
        record = full_record(self._connection, self._batch)
        if self._batch.batch_items is not None:
            return record
        return {**record, "instructions": records_of(self._connection, self._batch)}

    def _by_task(self) -> Iterator[str]:
        """Every task of the latest setup, and those of earlier ones that were answered.

        Datapoints are written as they are stored, which is JSON already.
        """
        for setup in range(1, self._batch.setup + 1):
            found = groupby(
                responses.by_task(self._connection, self._batch.number, setup), key=attrgetter("task")
            )
            number, answers = next(found, _NO_ANSWERS)
            for task, record in tasks.with_records(self._connection, self._batch.number, setup):
                listed: list[StoredResponse] = []
                if task.number == number:
                    listed = list(answers)
                    number, answers = next(found, _NO_ANSWERS)
                if listed or setup == self._batch.setup:
                    id, written = task_id(self._batch.id, setup, task.number), self._written(listed)
                    yield f'{{"task_id": "{id}", "datapoint": {record}, "responses": {written}}}\n'

    def _written(self, answers: Iterable[StoredResponse]) -> str:
        return json_array(map(self._records.record, answers))


_NO_ANSWERS: tuple[int, Iterator[StoredResponse]] = (-1, iter(()))
