"""Appending the records of a file to a dataset, in requests of up to the maximum number of records."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from batchwright.api.errors import Conflict
from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject
from batchwright.client.checkpoint import Checkpoint, file_sha256
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import MAX_ERRORS, JobKind
from batchwright.client.local_job import LocalJob
from batchwright.client.resilient_run import RecoveryHooks, run_resiliently
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.index import file_stamp
from batchwright.data_files.rows import EmptyFile
from batchwright.wire.base import to_payload
from batchwright.wire.datapoints import AppendRejection, AppendResult, JsonLinesBody
from batchwright.workflows.append_chunks import Chunk, chunks_after
from batchwright.workflows.unchanged import require_unchanged


def _ignore(_news: object) -> None:
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
        """Return the progress stored in a checkpoint."""
        known = AppendResult.model_validate({"accepted": 0, "rejected": 0, **steps})
        return cls(known.accepted, known.rejected, list(known.errors), int(str(steps.get("sent", 0))))

    def as_steps(self) -> JsonObject:
        """Return the progress as it is stored in a checkpoint, with the first `MAX_ERRORS` rejections."""
        first = self.rejections[:MAX_ERRORS]
        known = AppendResult(accepted=self.accepted, rejected=self.rejected, errors=tuple(first))
        return {**to_payload(known), "sent": self.sent}

    @property
    def counted(self) -> int:
        """The number of records that the service has counted; it miscounted if this differs from `sent`."""
        return self.accepted + self.rejected

    def count(self, result: AppendResult, sent: int) -> None:
        """Add the result of a request for `sent` records."""
        self.rejections += [
            one
            if one.record_index is None
            else one.model_copy(update={"record_index": self.sent + one.record_index})
            for one in result.errors
        ]
        self.accepted, self.rejected = self.accepted + result.accepted, self.rejected + result.rejected
        self.sent += sent


async def append_file(
    bench: WorkflowContext,
    dataset_id: str,
    path: Path,
    form: Format | None = None,
    on_progress: Callable[[AppendProgress], object] = _ignore,
    waits: RecoveryHooks | None = None,
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
    form = form or Format(FormatKind.of(path.name) or FormatKind.JSONL)
    stamp, content = await asyncio.to_thread(lambda: (file_stamp(path), file_sha256(path)))
    trail = bench.checkpoint("append", dataset_id, content, asdict(form))
    appended = AppendProgress.of(await trail.steps())
    on_progress(appended)
    async with bench.jobs.local_job(JobKind.APPEND, {"dataset_id": dataset_id}, path.name) as doing:

        async def next_part(parts: Iterator[Chunk]) -> Chunk | None:
            """Check that the file is unchanged, and return its next records; a retry may have taken long."""
            await require_unchanged(path, stamp)
            return await asyncio.to_thread(next, parts, None)

        async def send(bench: WorkflowContext) -> None:
            parts = chunks_after(appended.sent, path, form)
            while part := await next_part(parts):
                result = part.result(await _append_chunk(bench, dataset_id, part.lines))
                appended.count(result, len(part.records))
                await _record_progress(appended, trail, doing)
                on_progress(appended)

        await run_resiliently(bench, send, waits, doing)
        if not appended.sent:
            raise EmptyFile
    await trail.clear()
    return appended


async def _record_progress(appended: AppendProgress, trail: Checkpoint, doing: LocalJob) -> None:
    await trail.record(**appended.as_steps())
    doing.detail |= {"accepted_count": appended.accepted, "rejected_count": appended.rejected}
    doing.detail["sent_count"], doing.is_miscounted = appended.sent, appended.counted != appended.sent
    doing.advance(appended.sent, None)


async def _append_chunk(bench: WorkflowContext, dataset_id: str, lines: JsonLinesBody) -> AppendResult:
    if not lines.text:
        return AppendResult(accepted=0, rejected=0)
    pauses = iter(bench.jobs.poll_intervals())
    is_told = False
    while True:
        try:
            return await bench.service.datasets.append(dataset_id, lines)
        except Conflict:
            if not is_told:
                bench.notify(_("The dataset is being written to; waiting to append."))
        is_told = True
        await asyncio.sleep(next(pauses))
