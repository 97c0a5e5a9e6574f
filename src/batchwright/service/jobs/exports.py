"""Exports: writing the archive of a batch or collection (wire reference, section 8).

The archive is read in one transaction. An interrupted export is written again from the start.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from itertools import groupby
from operator import attrgetter
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.base.json_values import DEEPEST_WRAPPED, JsonObject, parse, to_json
from batchwright.service.blobs import CHUNK_SIZE, BlobKind, Blobs
from batchwright.service.file_names import safe
from batchwright.service.jobs.context import JobContext, JobHandler
from batchwright.service.orphan_files import delete_unless_referenced
from batchwright.service.serializers.batch import full_record
from batchwright.service.serializers.collection import collection_record
from batchwright.service.serializers.instruction import records_of
from batchwright.service.serializers.response import (
    ResponseRecords,
    collection_response,
    json_array,
    rendered,
)
from batchwright.service.store import batches, collections, exports, jobs, participant_files, responses, tasks
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.ids import task_id
from batchwright.service.store.jobs import StoredJob
from batchwright.service.store.participant_files import StoredFile
from batchwright.service.store.responses import StoredResponse
from batchwright.service.streaming import in_chunks


class ArchiveWriter:
    """Writes the entries of an archive, dated when it was requested (milliseconds since 1970)."""

    def __init__(self, archive: ZipFile, moment: int) -> None:
        self._archive = archive
        self._moment = time.gmtime(moment / 1000)[:6]

    def lines(self, name: str, lines: Iterable[str]) -> None:
        """Write a long text line by line."""
        with closing(self._archive.open(self._entry(name), "w", force_zip64=True)) as written:
            for piece in in_chunks(lines):
                written.write(piece)

    def text(self, name: str, text: str) -> None:
        """Write a short text."""
        self._archive.writestr(self._entry(name), text)

    def files(self, connection: Connection, study: int, blobs: Blobs) -> None:
        """Write the files that answers to a batch or collection refer to, below `files/`.

        Others were uploaded with a page that was not accepted, or replaced. Each file has its own folder, so
        that names cannot collide. Names are made safe again, because earlier versions stored names that
        cannot be unpacked everywhere.
        """
        for file in participant_files.answered(connection, study):
            name = f"files/{file.file_key}/{safe(file.file_name)}"
            with self._archive.open(self._entry(name, ZIP_STORED), "w", force_zip64=True) as written:
                for chunk in _chunks_of(file, name, blobs):
                    written.write(chunk)

    def _entry(self, name: str, compression: int = ZIP_DEFLATED) -> ZipInfo:
        entry = ZipInfo(name, self._moment)
        entry.compress_type = compression
        entry.external_attr = 0o644 << 16
        return entry


class _Replaced(Exception):
    """The job was added again while it was running: its archive is not used."""


class UnreadableParticipantFile(Exception):
    """A file that a participant uploaded cannot be read; `reason` names it, for the researcher."""

    def __init__(self, name: str, submission: str, error: OSError) -> None:
        template = _(
            "The file {name} of submission {submission} cannot be read in the data folder of the service: "
            "{error}"
        )
        self.reason = template.format(name=name, submission=submission, error=error.strerror or str(error))
        super().__init__(self.reason)


def _chunks_of(file: StoredFile, name: str, blobs: Blobs) -> Iterator[bytes]:
    """The content of a participant's file; `name` is its name in the archive.

    Raises:
        UnreadableParticipantFile: it cannot be read.
    """
    try:
        with blobs.open(file.blob) as stored:
            while chunk := stored.read(CHUNK_SIZE):
                yield chunk
    except OSError as error:
        raise UnreadableParticipantFile(name, file.submission, error) from error


def by_submission(
    connection: Connection, study: int, record: Callable[[StoredResponse], str]
) -> Iterator[str]:
    """One line per submission to a batch or collection, with all its responses."""
    responses_of_study = responses.by_submission(connection, study)
    for submission_id, answers in groupby(responses_of_study, key=attrgetter("submission_id")):
        group = list(answers)
        participant, written = (
            rendered(group[0].participant_id),
            json_array(map(record, group)),
        )
        yield (
            f'{{"submission_id": "{submission_id}", "participant_id": {participant},'
            f' "responses": {written}}}\n'
        )


class Export(JobHandler):
    """An export of a batch or collection."""

    def start(self, _context: JobContext, _job: StoredJob) -> None:
        """Nothing to do: the export has been `generating` since the request."""

    def run(self, context: JobContext, job: StoredJob) -> None:
        """Write the archive, then mark the export as complete; it fails if a file cannot be read."""
        try:
            name = self._write(context, job)
        except UnreadableParticipantFile as error:
            self.fail(context, job, error.reason)
            return
        with (
            suppress(_Replaced),
            delete_unless_referenced(context.database, context.blobs, BlobKind.EXPORT, name),
            context.database.write() as connection,
        ):
            if not jobs.is_pending(connection, job.row_id):  # something in it was deleted meanwhile
                raise _Replaced
            exports.finish(connection, job.subject, name, context.clock())
            jobs.delete(connection, job.row_id)

    def _write(self, context: JobContext, job: StoredJob) -> str:
        """Write the archive; returns the name of its stored file."""
        with (
            context.blobs.receiving(BlobKind.EXPORT) as incoming,
            ZipFile(incoming.stream, "w", ZIP_DEFLATED) as archive,
            context.database.read() as connection,
        ):
            export = exports.get(connection, job.subject)
            study = batches.get(connection, export.batch)
            writer = ArchiveWriter(archive, export.created_at)
            if study.is_collection:
                _write_collection(connection, writer, study.row_id)
            else:
                _BatchArchive(connection, writer, study).write()
            writer.files(connection, study.row_id, context.blobs)
        return incoming.name

    def fail(self, context: JobContext, job: StoredJob, reason: str) -> None:
        """End the export as `failed`, unless it starts again because of a deletion."""
        with context.database.write() as connection:
            if not jobs.is_pending(connection, job.row_id):
                return
            exports.fail(connection, job.subject, reason, context.clock())
            jobs.delete(connection, job.row_id)


def _write_collection(connection: Connection, writer: ArchiveWriter, row_id: int) -> None:
    """Everything in a collection's archive except the files."""
    collection = collections.get(connection, row_id)
    record = partial(collection_response, collection.study.id)
    writer.lines("responses.jsonl", by_submission(connection, row_id, record))
    writer.text("collection.json", to_json(collection_record(collection), indent=2) + "\n")
    writer.text("README.md", README_OF_COLLECTION)


class _BatchArchive:
    """Writes the archive of one batch."""

    def __init__(self, connection: Connection, writer: ArchiveWriter, batch: StoredBatch) -> None:
        self._connection = connection
        self._writer = writer
        self._batch = batch
        self._records = ResponseRecords(connection, batch.id)

    def write(self) -> None:
        """Everything in the archive except the files."""
        lines_by_submission = by_submission(self._connection, self._batch.row_id, self._records.record)
        self._writer.lines("responses-by-submission.jsonl", lines_by_submission)
        self._writer.lines("responses-by-task.jsonl", self._by_task())
        self._writer.text("batch.json", to_json(self._metadata(), indent=2) + "\n")
        self._writer.text("README.md", README)

    def _metadata(self) -> JsonObject:
        """The batch, with the layout of its latest tasks; without a layout, with its instructions.

        The layout may have been changed since the setup, and the answers have the ids of the one before.
        """
        record = full_record(self._connection, self._batch)
        if self._batch.batch_items is not None:
            return {
                **record,
                "batch_items": parse(self._batch.live_items or self._batch.batch_items, DEEPEST_WRAPPED),
            }
        return {**record, "instructions": records_of(self._connection, self._batch)}

    def _by_task(self) -> Iterator[str]:
        """Every task of the latest setup, and the answered ones of earlier setups.

        Datapoints are stored as JSON text and written unchanged.
        """
        for setup in range(1, self._batch.setup + 1):
            by_task = groupby(
                responses.by_task(self._connection, self._batch.row_id, setup), key=attrgetter("task")
            )
            number, answers = next(by_task, _NO_ANSWERS)
            for task, record in tasks.with_records(self._connection, self._batch.row_id, setup):
                responses_of_task: list[StoredResponse] = []
                if task.number == number:
                    responses_of_task = list(answers)
                    number, answers = next(by_task, _NO_ANSWERS)
                if responses_of_task or setup == self._batch.setup:
                    id, written = (
                        task_id(self._batch.id, setup, task.number),
                        self._records_json(responses_of_task),
                    )
                    yield f'{{"task_id": "{id}", "datapoint": {record}, "responses": {written}}}\n'

    def _records_json(self, answers: Iterable[StoredResponse]) -> str:
        return json_array(map(self._records.record, answers))


_NO_ANSWERS: tuple[int, Iterator[StoredResponse]] = (-1, iter(()))


README = """\
# Responses of a batch

| file | what it holds |
|---|---|
| `responses-by-submission.jsonl` | one line per submission: who answered, and all their answers |
| `responses-by-task.jsonl` | one line per task: the datapoint, and all answers to it |
| `batch.json` | the batch, with the layout that participants of its latest setup are shown |
| `files/` | files that participants uploaded, when there are any |

Each answer names its instruction by `instruction_id`; the items of `batch_items` in `batch.json`
carry the same ids, except for items that only earlier setups had.
The file of an entry with a `file_key` lies in `files/<file_key>/`.

```python
import json

with open("responses-by-task.jsonl", encoding="utf-8") as lines:
    for line in lines:
        task = json.loads(line)
        for answer in task["responses"]:
            print(task["task_id"], answer["participant_id"], answer["response"]["answer"])
```
"""

README_OF_COLLECTION = """\
# Responses to a collection

| file | what it holds |
|---|---|
| `responses.jsonl` | one line per submission: who answered, and all their answers |
| `collection.json` | the collection, with the pages that participants were shown |
| `files/` | files that participants uploaded, when there are any |

Each answer names its instruction by `instruction_id`; the `page_items` in `collection.json` carry
the same ids. The file of an entry with a `file_key` lies in `files/<file_key>/`.

```python
import json

with open("responses.jsonl", encoding="utf-8") as lines:
    for line in lines:
        submission = json.loads(line)
        for answer in submission["responses"]:
            print(submission["participant_id"], answer["response"]["answer"])
```
"""
