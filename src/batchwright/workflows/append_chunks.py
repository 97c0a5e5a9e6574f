"""Splitting the records of a file into append requests, and rejecting those that cannot be sent as JSON."""

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
        """Return the result for all records of the chunk, those rejected here included.

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


def chunks_after(records: int, path: Path, file_format: Format) -> Iterator[Chunk]:
    """Yield the chunks of a file after this many records; a file is always split in the same way.

    Raises while iterating:
        UnreadableFile: the file as a whole cannot be read, or contains no records.
        OSError: the file cannot be opened.
    """
    return dropwhile(lambda chunk: chunk.first < records, _split_into_chunks(_records(path, file_format)))


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


def _records(path: Path, file_format: Format) -> Iterator[_Record]:
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
