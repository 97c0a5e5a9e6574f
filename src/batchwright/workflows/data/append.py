"""Appending the records of a file to a dataset, in requests of up to the maximum number of records.

The file is split into chunks of that size. CSV rows that cannot be sent as JSON are rejected here.
"""

import asyncio
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from itertools import dropwhile
from pathlib import Path
from typing import TypeAlias

from batchwright.api.http.errors import Conflict
from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject, to_json
from batchwright.base.waiting import wait_until_done
from batchwright.client.checkpoint import Checkpoint, file_sha256, require_unchanged
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.local_job import LocalJob
from batchwright.client.job_monitoring.status import MAX_ERRORS, JobKind
from batchwright.client.resilient_run import RecoveryHooks, run_resiliently
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.index import file_stamp
from batchwright.data_files.reader import (
    checked_records,
    columns,
    decode_errors_as_unreadable,
    lines,
    open_stream,
)
from batchwright.data_files.rows import EmptyFile
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.record_validator import RecordError, RecordValidator
from batchwright.wire.base import to_payload
from batchwright.wire.datapoints import MAX_RECORDS, AppendRejection, AppendResult, JsonLinesBody

_MAX_REQUEST_BYTES = 8 * 1024 * 1024
"""Maximum bytes of a request, whatever the number of records."""

_Record: TypeAlias = bytes | RecordError
"""A record as a line of JSON, or why it cannot be written as one."""


@dataclass(frozen=True)
class Chunk:
    """Consecutive records of a file, sent in one request; `first` is the number of records before them."""

    first: int
    records: Sequence[_Record]

    @property
    def lines(self) -> JsonLinesBody:
        """The body of the request: the records that can be sent."""
        return JsonLinesBody(b"".join(record for record in self.records if isinstance(record, bytes)))

    def result(self, response: AppendResult) -> AppendResult:
        """The result for all records of the chunk, those rejected here included.

        Args:
            response: the service's result for the records that were sent, which it counts from 1.
        """
        sent = [number for number, record in enumerate(self.records, 1) if isinstance(record, bytes)]
        numbers = dict[int | None, int](enumerate(sent, 1))
        rejections = [
            rejection.model_copy(update={"record_index": numbers.get(rejection.record_index)})
            for rejection in response.errors
        ]
        unsent = [
            AppendRejection(record_index=number, field=record.field, reason=record.reason)
            for number, record in enumerate(self.records, 1)
            if isinstance(record, RecordError)
        ]
        return AppendResult(
            accepted=response.accepted,
            rejected=response.rejected + len(unsent),
            errors=tuple(sorted((*rejections, *unsent), key=_record_index)),
        )


@contextmanager
def chunks_after(records: int, path: Path, file_format: Format) -> Iterator[Iterator[Chunk]]:
    """The chunks of a file after this many records; a file is always split in the same way.

    At the end of the block, the file is closed, however much of it was read: Windows lets nobody rename or
    replace an open file.

    Raises while iterating:
        UnreadableFile: the file as a whole cannot be read, or contains no records.
        OSError: the file cannot be opened.
    """
    with closing(_records(path, file_format)) as read:
        yield dropwhile(lambda chunk: chunk.first < records, _split_into_chunks(read))


def _split_into_chunks(records: Iterable[_Record]) -> Iterator[Chunk]:
    """Group records into chunks of the size a request may have (specification, Limits)."""
    first, size = 0, 0
    chunk: list[_Record] = []
    for record in records:
        length = len(record) if isinstance(record, bytes) else 0
        if chunk and (len(chunk) == MAX_RECORDS or size + length > _MAX_REQUEST_BYTES):
            yield Chunk(first, chunk)
            first, chunk, size = first + len(chunk), [], 0
        chunk.append(record)
        size += length
    if chunk:
        yield Chunk(first, chunk)


def _records(path: Path, file_format: Format) -> Generator[_Record, None, None]:
    """Yield the lines of a JSONL file unchanged, for the service to validate, or CSV rows as JSON objects."""
    if file_format.kind is FormatKind.CSV:
        yield from _from_csv(path, file_format)
        return
    with open_stream(path) as stream, decode_errors_as_unreadable(file_format):
        for text in lines(stream, file_format):
            if not text.isspace():
                yield text.rstrip("\r\n").encode("utf-8", "surrogateescape") + b"\n"


def _from_csv(path: Path, file_format: Format) -> Iterator[_Record]:
    """Convert CSV rows to JSON: an empty cell is an absent field, an invalid row is a `RecordError`.

    Wire reference, section 15.
    """
    named = {name: Field(FieldType.TEXT) for name in columns(path, file_format) if name}
    for entry in checked_records(path, file_format, RecordValidator(Schema(strict=False, fields=named))):
        record = entry.content
        yield record if isinstance(record, RecordError) else to_json(record).encode() + b"\n"


def _record_index(rejection: AppendRejection) -> int:
    return rejection.record_index or 0


def _ignore(_progress: object) -> None:
    """Do nothing; the default for `on_progress`."""


@dataclass
class AppendProgress:
    """The result of an append so far; `record_index` of a rejection counts from 1 over the whole file."""

    accepted: int = 0
    rejected: int = 0
    rejections: list[AppendRejection] = field(default_factory=list)
    sent: int = 0
    """The number of records processed, including CSV rows rejected here because they cannot be sent."""

    @classmethod
    def of(cls, steps: JsonObject) -> "AppendProgress":
        """The progress stored in a checkpoint."""
        stored = AppendResult.model_validate({"accepted": 0, "rejected": 0, **steps})
        return cls(stored.accepted, stored.rejected, list(stored.errors), int(str(steps.get("sent", 0))))

    def as_steps(self) -> JsonObject:
        """The progress as it is stored in a checkpoint, with the first `MAX_ERRORS` rejections."""
        first = self.rejections[:MAX_ERRORS]
        stored = AppendResult(accepted=self.accepted, rejected=self.rejected, errors=tuple(first))
        return {**to_payload(stored), "sent": self.sent}

    @property
    def counted(self) -> int:
        """The number of records that the service has counted; it miscounted if this differs from `sent`."""
        return self.accepted + self.rejected

    def count(self, result: AppendResult, sent: int) -> None:
        """Add the result of a request for `sent` records."""
        self.rejections += [
            rejection
            if rejection.record_index is None
            else rejection.model_copy(update={"record_index": self.sent + rejection.record_index})
            for rejection in result.errors
        ]
        self.accepted, self.rejected = self.accepted + result.accepted, self.rejected + result.rejected
        self.sent += sent


async def append_file(
    context: WorkflowContext,
    dataset_id: str,
    path: Path,
    file_format: Format | None = None,
    on_progress: Callable[[AppendProgress], object] = _ignore,
    hooks: RecoveryHooks | None = None,
) -> AppendProgress:
    """Append the records of a JSONL or CSV file to a dataset (specification, Datasets rule 3).

    Without a format, the file is read as the service reads a file with this name. A CSV row that an import
    would reject, with too few cells for example, is rejected here with the same reason, and the others are
    sent. `on_progress` is called with the result so far, also when the append resumes.

    Waits while an import or a migration of the dataset is running (409), and for the network, as
    `run_resiliently` does. If it was interrupted, it resumes with its counts. Records that are then sent
    twice are stored once; of the earlier rejections, the first are listed.

    Raises:
        UnreadableFile: the file contains no records, or cannot be read as a table.
        FileChanged: the file changed while the program waited for the network or a new token.
        ApiError: a request failed permanently.
        OSError: the file cannot be read.
    """
    file_format = file_format or Format(FormatKind.of(path.name) or FormatKind.JSONL)
    stamp, content = await asyncio.to_thread(lambda: (file_stamp(path), file_sha256(path)))
    checkpoint = context.checkpoint("append", dataset_id, content, asdict(file_format))
    progress = AppendProgress.of(await checkpoint.steps())
    on_progress(progress)
    async with context.jobs.local_job(JobKind.APPEND, {"dataset_id": dataset_id}, path.name) as local_job:

        async def next_chunk(chunks: Iterator[Chunk]) -> Chunk | None:
            """Check that the file is unchanged, and return its next records; a retry may have taken long."""
            await require_unchanged(path, stamp)
            reading = asyncio.create_task(asyncio.to_thread(next, chunks, None))
            await wait_until_done(reading)  # the file cannot be closed before
            return reading.result()

        async def send(context: WorkflowContext) -> None:
            with chunks_after(progress.sent, path, file_format) as chunks:
                while chunk := await next_chunk(chunks):
                    result = chunk.result(await _append_chunk(context, dataset_id, chunk.lines))
                    progress.count(result, len(chunk.records))
                    await _record_progress(progress, checkpoint, local_job)
                    on_progress(progress)

        await run_resiliently(context, send, hooks, local_job)
        if not progress.sent:
            raise EmptyFile
    await checkpoint.clear()
    return progress


async def _record_progress(progress: AppendProgress, checkpoint: Checkpoint, local_job: LocalJob) -> None:
    await checkpoint.record(**progress.as_steps())
    local_job.detail |= {"accepted_count": progress.accepted, "rejected_count": progress.rejected}
    local_job.detail["sent_count"], local_job.is_miscounted = progress.sent, progress.counted != progress.sent
    local_job.advance(progress.sent, None)


async def _append_chunk(context: WorkflowContext, dataset_id: str, lines: JsonLinesBody) -> AppendResult:
    if not lines.text:
        return AppendResult(accepted=0, rejected=0)
    poll_intervals = iter(context.jobs.poll_intervals())
    is_notified = False
    while True:
        try:
            return await context.service.datasets.append(dataset_id, lines)
        except Conflict:
            if not is_notified:
                context.notify(_("The dataset is being written to; waiting to append."))
        is_notified = True
        await asyncio.sleep(next(poll_intervals))
