"""Appending: the records of a file are added to a dataset, as many in a request as it may hold."""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from batchwright.api.errors import Conflict
from batchwright.jobs.polling import backoff
from batchwright.records.checking import Fault
from batchwright.records.json_values import is_array, render
from batchwright.tables.entries import Empty, Unreadable
from batchwright.tables.formats import Format, Kind
from batchwright.tables.reading import columns, rows
from batchwright.wire.datapoints import MOST_RECORDS, AppendRejection, AppendResult, Lines
from batchwright.words import _
from batchwright.workflows.workbench import Workbench

_LONGEST_REQUEST = 8 * 1024 * 1024
"""Bytes after which a request is full, however few records they are."""
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass
class Appended:
    """What has become of the records so far; `record_index` of a rejection counts from 1 over the file."""

    accepted: int = 0
    rejected: int = 0
    rejections: list[AppendRejection] = field(default_factory=list)

    @property
    def records(self) -> int:
        """How many records the service has answered for."""
        return self.accepted + self.rejected

    def count(self, result: AppendResult) -> None:
        """Add what a request came to."""
        self.rejections += [
            one
            if one.record_index is None
            else one.model_copy(update={"record_index": self.records + one.record_index})
            for one in result.errors
        ]
        self.accepted, self.rejected = self.accepted + result.accepted, self.rejected + result.rejected


async def append_file(bench: Workbench, dataset_id: str, path: Path) -> Appended:
    """Append the records of a JSONL or CSV file (specification, Datasets rule 3).

    Waits while an import or a migration of the dataset runs (409).

    Raises:
        Unreadable: the file holds no records, or none that could be written as JSON.
        ApiError: a request failed for good.
        OSError: the file cannot be read.
    """
    appended = Appended()
    parts = _parts(_lines(path))
    while part := await asyncio.to_thread(next, parts, None):
        appended.count(await _append(bench, dataset_id, part))
    if not appended.records:
        raise Empty
    return appended


async def _append(bench: Workbench, dataset_id: str, lines: Lines) -> AppendResult:
    pauses = backoff()
    while True:
        try:
            return await bench.service.datasets.append(dataset_id, lines)
        except Conflict:
            bench.tell(_("The dataset is being written to; waiting to append."))
        await asyncio.sleep(next(pauses))


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


def _lines(path: Path) -> Iterator[bytes]:
    """The records of a file as lines: those of JSONL as they stand there, CSV rows as JSON objects."""
    if Kind.of(path.name) is Kind.CSV:
        yield from _from_csv(path)
        return
    with path.open("rb") as file:
        for number, line in enumerate(file):
            text = line.removeprefix(_BYTE_ORDER_MARK) if not number else line
            if text.strip():
                yield text.rstrip(b"\r\n") + b"\n"


def _from_csv(path: Path) -> Iterator[bytes]:
    """An empty cell is a field that is not there (wire.md 15)."""
    form = Format(Kind.CSV)
    names = columns(path, form)
    for entry in rows(path, form):
        row = entry.content
        if isinstance(row, Fault):
            raise Unreadable(_("Line {line}: {reason}").format(line=entry.line, reason=row.reason))
        if not is_array(row) or len(row) != len(names):
            sentence = _("Line {line} does not have as many cells as the header.")
            raise Unreadable(sentence.format(line=entry.line))
        cells = zip(names, row, strict=True)
        yield render({name: cell for name, cell in cells if cell != ""}).encode() + b"\n"
