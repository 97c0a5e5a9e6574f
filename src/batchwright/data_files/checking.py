"""Validates a whole data file against a schema, and reports what the service would reject and why."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, TypeAlias

from batchwright.base.like_errors import LikeErrors
from batchwright.data_files.formats import Format
from batchwright.data_files.reader import collect_errors
from batchwright.data_files.rows import ParsedRecord
from batchwright.schema.model import Schema
from batchwright.schema.record_validator import Record, RecordError, RecordValidator

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of bytes read and the total number of bytes."""

Kind: TypeAlias = tuple[str, str]
"""The field and the reason of an error."""

MAX_REPORTED_ERRORS = 100_000
"""Rejections listed in a report; all of them are counted."""

PROGRESS_STEP = 1 << 20

CHUNK_REJECTIONS = 2000
"""Rejections passed on at a time."""


class Rejection(NamedTuple):
    """A record that the service would reject; index and line are those of `ParsedRecord`."""

    line: int
    record_index: int
    field: str
    reason: str


@dataclass(frozen=True)
class Report:
    """The result of a validation; `records` is the sum of `accepted` and `rejected`."""

    records: int
    accepted: int
    rejected: int
    errors: tuple[Rejection, ...]
    further: Mapping[Kind | None, int] = field(default_factory=dict)
    """The numbers of errors that are not in `errors`; None counts those that are like none of them."""


def check_file(
    path: Path,
    file_format: Format,
    schema: Schema,
    on_progress: Progress | None = None,
    most_alike: int = MAX_REPORTED_ERRORS,
) -> Report:
    """Validate every record of a file, in constant memory; `most_alike` errors of one kind are listed.

    Raises:
        UnreadableFile: the file as a whole cannot be read.
        OSError: the file cannot be opened.
    """
    errors: list[Rejection] = []
    like_errors = LikeErrors[Kind](most_alike, MAX_REPORTED_ERRORS)

    def reject(entry: ParsedRecord[Record]) -> None:
        error = entry.content
        if isinstance(error, RecordError) and like_errors.is_listed((error.field, error.reason)):
            errors.append(Rejection(entry.line, entry.record_index, error.field, error.reason))

    on_bytes_read = throttled(path, on_progress) if on_progress is not None else None
    records = collect_errors(path, file_format, RecordValidator(schema), reject, on_bytes_read)
    rejected = len(errors) + like_errors.further.total()
    return Report(records, records - rejected, rejected, tuple(errors), like_errors.further)


def check_file_chunked(
    path: Path, file_format: Format, schema: Schema, notify: Callable[..., None]
) -> Report:
    """Validate a file and pass the rejections on in chunks, so that no message to the GUI process is large.

    `notify` is called like `Progress`, or with a tuple of rejections; the report itself lists none.

    Raises:
        UnreadableFile: the file as a whole cannot be read.
        OSError: the file cannot be opened.
    """
    report = check_file(path, file_format, schema, notify)
    for start in range(0, len(report.errors), CHUNK_REJECTIONS):
        notify(report.errors[start : start + CHUNK_REJECTIONS])
    return replace(report, errors=(), further={})


def throttled(path: Path, on_progress: Progress) -> Callable[[int], None]:
    """Report progress at most once per `PROGRESS_STEP` bytes."""
    total = path.stat().st_size
    reported = -PROGRESS_STEP

    def on_bytes_read(read: int) -> None:
        nonlocal reported
        if read - reported >= PROGRESS_STEP:
            reported = read
            on_progress(read, total)

    return on_bytes_read
