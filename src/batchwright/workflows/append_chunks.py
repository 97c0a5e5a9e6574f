"""The records of a file cut into requests that a service takes, those apart that cannot be sent at all."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile
from pathlib import Path
from typing import TypeAlias

from batchwright.base.json_values import to_json
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.reader import (
    checked_records,
    columns,
    decode_errors_as_unreadable,
    lines,
    open_stream,
)
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.record_validator import RecordError, RecordValidator
from batchwright.wire.datapoints import MAX_RECORDS, AppendRejection, AppendResult, JsonLinesBody

_MAX_REQUEST_BYTES = 8 * 1024 * 1024
"""Bytes after which a request is full, however few records they are."""

_Record: TypeAlias = bytes | RecordError
"""A record as a line of JSON, or why it cannot be written as one."""


@dataclass(frozen=True)
class Chunk:
    """Some records of a file, one behind the other; `first` is how many stand before them."""

    first: int
    records: Sequence[_Record]

    @property
    def lines(self) -> JsonLinesBody:
        """What is sent of them."""
        return JsonLinesBody(b"".join(record for record in self.records if isinstance(record, bytes)))

    def result(self, answer: AppendResult) -> AppendResult:
        """What became of all of them.

        Args:
            answer: what became of those that were sent; it counts them from 1.
        """
        sent = [number for number, record in enumerate(self.records, 1) if isinstance(record, bytes)]
        numbers = dict[int | None, int](enumerate(sent, 1))
        told = [
            one.model_copy(update={"record_index": numbers.get(one.record_index)}) for one in answer.errors
        ]
        unsent = [
            AppendRejection(record_index=number, field=record.field, reason=record.reason)
            for number, record in enumerate(self.records, 1)
            if isinstance(record, RecordError)
        ]
        return AppendResult(
            accepted=answer.accepted,
            rejected=answer.rejected + len(unsent),
            errors=tuple(sorted((*told, *unsent), key=_record_index)),
        )


def chunks_after(records: int, path: Path, form: Format) -> Iterator[Chunk]:
    """The parts of a file behind so many records; the same file is always cut alike.

    Raises while it is read:
        UnreadableFile: the file as a whole cannot be read, or holds nothing.
        OSError: it cannot be opened.
    """
    return dropwhile(lambda part: part.first < records, _split_into_chunks(_records(path, form)))


def _split_into_chunks(records: Iterable[_Record]) -> Iterator[Chunk]:
    """As many records as a request may hold (specification, Limits)."""
    first, size = 0, 0
    part: list[_Record] = []
    for record in records:
        length = len(record) if isinstance(record, bytes) else 0
        if part and (len(part) == MAX_RECORDS or size + length > _MAX_REQUEST_BYTES):
            yield Chunk(first, part)
            first, part, size = first + len(part), [], 0
        part.append(record)
        size += length
    if part:
        yield Chunk(first, part)


def _records(path: Path, form: Format) -> Iterator[_Record]:
    """The lines of a JSONL file as they stand there, for the service to judge; CSV rows as JSON objects."""
    if form.kind is FormatKind.CSV:
        yield from _from_csv(path, form)
        return
    with open_stream(path) as stream, decode_errors_as_unreadable(form):
        for text in lines(stream, form):
            if not text.isspace():
                yield text.rstrip("\r\n").encode("utf-8", "surrogateescape") + b"\n"


def _from_csv(path: Path, form: Format) -> Iterator[_Record]:
    """An empty cell is a field that is not there; a row that no import takes is a fault.

    Wire reference, section 15.
    """
    named = {name: Field(FieldType.TEXT) for name in columns(path, form) if name}
    for entry in checked_records(path, form, RecordValidator(Schema(strict=False, fields=named))):
        record = entry.content
        yield record if isinstance(record, RecordError) else to_json(record).encode() + b"\n"


def _record_index(rejection: AppendRejection) -> int:
    return rejection.record_index or 0
