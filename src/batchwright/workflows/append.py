"""Appending: the records of a file are added to a dataset, as many in a request as it may hold."""

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
    """Who is told when nobody looks on."""


@dataclass
class AppendProgress:
    """What has become of the records so far; `record_index` of a rejection counts from 1 over the file."""

    accepted: int = 0
    rejected: int = 0
    rejections: list[AppendRejection] = field(default_factory=list)
    sent: int = 0
    """How many these are; a CSV row that could not be written as JSON counts, as one that was rejected."""

    @classmethod
    def of(cls, steps: JsonObject) -> "AppendProgress":
        """What had become of them when it was last kept."""
        known = AppendResult.model_validate({"accepted": 0, "rejected": 0, **steps})
        return cls(known.accepted, known.rejected, list(known.errors), int(str(steps.get("sent", 0))))

    def as_steps(self) -> JsonObject:
        """As it is kept on the disk."""
        first = self.rejections[:MAX_ERRORS]
        known = AppendResult(accepted=self.accepted, rejected=self.rejected, errors=tuple(first))
        return {**to_payload(known), "sent": self.sent}

    @property
    def counted(self) -> int:
        """How many records the service has counted: as many as were sent, or it does not add up."""
        return self.accepted + self.rejected

    def count(self, result: AppendResult, sent: int) -> None:
        """Add what a request of so many records came to."""
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
    """Append the records of a JSONL or CSV file (specification, Datasets rule 3).

    Without a format it is read as the service reads a file of its name. A CSV row that no import takes,
    with too few cells say, is rejected here with the reason that an import gives, and the others are sent.
    `on_progress` is told what has become of the records so far, also when it goes on from an earlier time.

    Waits while an import or a migration of the dataset runs (409), and for the network, as `run_resiliently`
    does. When it was begun before and stopped, it goes on where it was, and its counts with it: what was
    sent twice then is stored once, and of the rejections before it, the first are named.

    Raises:
        UnreadableFile: the file holds no records, or cannot be read as a table.
        FileChanged: the file changed while the network, or a new token, was waited for.
        ApiError: a request failed for good.
        OSError: the file cannot be read.
    """
    form = form or Format(FormatKind.of(path.name) or FormatKind.JSONL)
    stamp, content = await asyncio.to_thread(lambda: (file_stamp(path), file_sha256(path)))
    trail = bench.checkpoint("append", dataset_id, content, asdict(form))
    appended = AppendProgress.of(await trail.steps())
    on_progress(appended)
    async with bench.jobs.local_job(JobKind.APPEND, {"dataset_id": dataset_id}, path.name) as doing:

        async def next_part(parts: Iterator[Chunk]) -> Chunk | None:
            """The next records, of the file as it was at first: a request may have been repeated for long."""
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
