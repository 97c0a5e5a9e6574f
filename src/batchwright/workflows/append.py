"""Appending: the records of a file are added to a dataset, as many in a request as it may hold."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from batchwright.api.errors import Conflict
from batchwright.jobs.sights import MOST_FAULTS, JobKind
from batchwright.records.checking import Fault
from batchwright.records.json_values import JsonObject, is_array, render
from batchwright.tables.entries import Empty, Unreadable
from batchwright.tables.formats import Format, Kind
from batchwright.tables.reading import columns, lines, opened, readable, rows
from batchwright.wire.bodies import payload
from batchwright.wire.datapoints import MOST_RECORDS, AppendRejection, AppendResult, Lines
from batchwright.words import _
from batchwright.workflows.trail import content_of
from batchwright.workflows.workbench import Workbench

_LONGEST_REQUEST = 8 * 1024 * 1024
"""Bytes after which a request is full, however few records they are."""


def _nobody(_news: object) -> None:
    """Who is told when nobody looks on."""


@dataclass
class Appended:
    """What has become of the records so far; `record_index` of a rejection counts from 1 over the file."""

    accepted: int = 0
    rejected: int = 0
    rejections: list[AppendRejection] = field(default_factory=list)
    sent: int = 0
    """How many the service has answered for."""

    @classmethod
    def of(cls, steps: JsonObject) -> "Appended":
        """What had become of them when it was last kept."""
        known = AppendResult.model_validate({"accepted": 0, "rejected": 0, **steps})
        return cls(known.accepted, known.rejected, list(known.errors), int(str(steps.get("sent", 0))))

    def as_steps(self) -> JsonObject:
        """As it is kept on the disk."""
        first = self.rejections[:MOST_FAULTS]
        known = AppendResult(accepted=self.accepted, rejected=self.rejected, errors=tuple(first))
        return {**payload(known), "sent": self.sent}

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
    bench: Workbench,
    dataset_id: str,
    path: Path,
    form: Format | None = None,
    on_progress: Callable[[Appended], object] = _nobody,
) -> Appended:
    """Append the records of a JSONL or CSV file (specification, Datasets rule 3).

    Without a format it is read as the service reads a file of its name. `on_progress` is told how many
    records the service has answered for, also when it goes on from an earlier time.

    Waits while an import or a migration of the dataset runs (409). When it was begun before and stopped, it
    goes on where it was, and its counts with it: what was sent twice then is stored once, and of the
    rejections before it, the first are named.

    Raises:
        Unreadable: the file holds no records, or none that could be written as JSON.
        ApiError: a request failed for good.
        OSError: the file cannot be read.
    """
    form = form or Format(Kind.of(path.name) or Kind.JSONL)
    content = await asyncio.to_thread(content_of, path)
    trail = bench.trail("append", dataset_id, content, asdict(form))
    appended = Appended.of(await trail.steps())
    on_progress(appended)
    async with bench.watching.doing(JobKind.APPEND, {"dataset_id": dataset_id}, path.name) as doing:
        parts = _behind(_parts(_lines(path, form)), appended.sent)
        while part := await asyncio.to_thread(next, parts, None):
            appended.count(await _append(bench, dataset_id, part), _records_in(part))
            await trail.mark(**appended.as_steps())
            doing.detail |= {"accepted_count": appended.accepted, "rejected_count": appended.rejected}
            doing.detail["sent_count"], doing.is_miscounted = appended.sent, appended.counted != appended.sent
            doing.got_to(appended.sent, None)
            on_progress(appended)
        if not appended.sent:
            raise Empty
    await trail.end()
    return appended


async def _append(bench: Workbench, dataset_id: str, lines: Lines) -> AppendResult:
    pauses = iter(bench.watching.pauses())
    is_told = False
    while True:
        try:
            return await bench.service.datasets.append(dataset_id, lines)
        except Conflict:
            if not is_told:
                bench.tell(_("The dataset is being written to; waiting to append."))
        is_told = True
        await asyncio.sleep(next(pauses))


def _behind(parts: Iterator[Lines], records: int) -> Iterator[Lines]:
    """The parts behind so many records; the same file is always cut alike."""
    for part in parts:
        if records <= 0:
            yield part
        records -= _records_in(part)


def _records_in(part: Lines) -> int:
    return part.text.count(b"\n")


def _parts(lines: Iterable[bytes]) -> Iterator[Lines]:
    """The lines in requests that a service takes (specification, Limits)."""
    part: list[bytes] = []
    size = 0
    for line in lines:
        if part and (len(part) == MOST_RECORDS or size + len(line) > _LONGEST_REQUEST):
            yield Lines(b"".join(part))
            part, size = [], 0
        part.append(line)
        size += len(line)
    if part:
        yield Lines(b"".join(part))


def _lines(path: Path, form: Format) -> Iterator[bytes]:
    """The records of a file as lines: those of JSONL as they stand there, CSV rows as JSON objects."""
    if form.kind is Kind.CSV:
        yield from _from_csv(path, form)
        return
    with opened(path) as stream, readable(form):
        for text in lines(stream, form):
            if not text.isspace():
                yield text.rstrip("\r\n").encode("utf-8", "surrogateescape") + b"\n"


def _from_csv(path: Path, form: Format) -> Iterator[bytes]:
    """An empty cell is a field that is not there (wire.md 15)."""
    names = columns(path, form)
    for entry in rows(path, form):
        row = entry.content
        if isinstance(row, Fault):
            raise Unreadable(_("Line {line}: {reason}").format(line=entry.line, reason=row.reason))
        if not is_array(row) or len(row) != len(names):
            sentence = _("Line {line} does not have as many cells as the header.")
            raise Unreadable(sentence.format(line=entry.line))
        cells = zip(names, row, strict=True)
        yield (
            render({name: cell for name, cell in cells if cell != ""}).encode("utf-8", "surrogateescape")
            + b"\n"
        )
