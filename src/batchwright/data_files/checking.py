"""A whole file checked against a schema, with what the service would reject and why."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, TypeAlias

from batchwright.data_files.formats import Format
from batchwright.data_files.reader import iter_faults
from batchwright.data_files.rows import ParsedRecord
from batchwright.schema.model import Schema
from batchwright.schema.record_validator import Record, RecordError, RecordValidator

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many bytes of how many have been read."""

MOST_ERRORS = 100_000
"""How many rejections a report lists; it counts them all."""

PROGRESS_STEP = 1 << 20

PIECE = 2000
"""Rejections told at a time."""


class Rejection(NamedTuple):
    """A record that the service would reject; counted as `ParsedRecord` counts."""

    line: int
    record_index: int
    field: str
    reason: str


@dataclass(frozen=True)
class Report:
    """What a check found: `records` is `accepted` plus `rejected`."""

    records: int
    accepted: int
    rejected: int
    errors: tuple[Rejection, ...]


def check_file(path: Path, form: Format, schema: Schema, on_progress: Progress | None = None) -> Report:
    """Judge every record of a file, in memory that does not grow with it.

    Raises:
        UnreadableFile: when the file as a whole cannot be read.
        OSError: when it cannot be opened.
    """
    errors: list[Rejection] = []
    rejected = 0

    def reject(entry: ParsedRecord[Record]) -> None:
        nonlocal rejected
        rejected += 1
        if isinstance(entry.content, RecordError) and rejected <= MOST_ERRORS:
            fault = entry.content
            errors.append(Rejection(entry.line, entry.record_index, fault.field, fault.reason))

    watch = throttled(path, on_progress) if on_progress is not None else None
    records = iter_faults(path, form, RecordValidator(schema), reject, watch)
    return Report(records, records - rejected, rejected, tuple(errors))


def check_file_chunked(path: Path, form: Format, schema: Schema, tell: Callable[..., None]) -> Report:
    """Check a file for someone who must never wait for long: the rejections are told a piece at a time.

    `tell` is called as `UploadState` is, then with tuples of rejections; the report itself lists none.

    Raises:
        UnreadableFile: when the file as a whole cannot be read.
        OSError: when it cannot be opened.
    """
    report = check_file(path, form, schema, tell)
    for start in range(0, len(report.errors), PIECE):
        tell(report.errors[start : start + PIECE])
    return replace(report, errors=())


def throttled(path: Path, on_progress: Progress) -> Callable[[int], None]:
    """Pass on what has been read in steps that are worth telling."""
    total = path.stat().st_size
    told = -PROGRESS_STEP

    def watch(read: int) -> None:
        nonlocal told
        if read - told >= PROGRESS_STEP:
            told = read
            on_progress(read, total)

    return watch
