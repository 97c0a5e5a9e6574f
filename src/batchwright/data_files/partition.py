"""The good and the bad part of a file, each as a file of its own."""

import csv
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, TextIO, TypeVar

from batchwright.base.json_values import Json, to_json
from batchwright.data_files.checking import Progress, throttled
from batchwright.data_files.csv_rows import CsvRows
from batchwright.data_files.file_types import require_regular
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.index import IndexChunk, index_file
from batchwright.data_files.jsonl_rows import json_entries, read_value
from batchwright.data_files.reader import decode_errors_as_unreadable, iter_faults, lines, open_stream
from batchwright.data_files.rows import ParsedRecord
from batchwright.schema.model import Schema
from batchwright.schema.record_validator import RecordError, RecordValidator

T = TypeVar("T")

_BLOCK = 1 << 20


def write_accepted(path: Path, form: Format, schema: Schema, target: Path, on_progress: Progress) -> int:
    """Write the records that the service would take, in the format it takes; returns how many.

    Raises:
        UnreadableFile: when the file as a whole cannot be read.
        OSError: when it cannot be read, or the target cannot be written.
    """
    checker, watch = RecordValidator(schema), throttled(path, on_progress)
    count = 0
    with open_stream(path) as stream, decode_errors_as_unreadable(form), _fresh(target) as out:
        text = lines(stream, form, watch)
        if form.kind is FormatKind.JSONL:
            for entry in _good(json_entries(text, _judged_value(checker))):
                out.write(f"{to_json(entry)}\n")
                count += 1
            return count
        table = CsvRows(text, form)
        header = table.header()
        writer = csv.writer(out)
        writer.writerow(header)
        for row in _good(table.entries(_judged_row(checker, header))):
            writer.writerow(row)
            count += 1
    return count


def write_rejected(path: Path, form: Format, schema: Schema, target: Path, on_progress: Progress) -> int:
    """Write the records that the service would refuse, byte for byte, below the header; returns how many.

    Raises:
        UnreadableFile: when the file as a whole cannot be read.
        OSError: when it cannot be read, or the target cannot be written.
    """
    bad: array[int] = array("Q")
    records = iter_faults(
        path,
        form,
        RecordValidator(schema),
        lambda entry: bad.append(entry.record_index),
        throttled(path, on_progress),
    )
    begins = _begins(path, form)
    require_regular(path)
    with path.open("rb") as source, target.open("wb") as out:
        if begins and form.header:
            _copy(source, out, 0, begins[0])
        for record in bad:
            last = begins[record + 1] if record + 1 < records else path.stat().st_size
            _copy(source, out, begins[record], last)
    return len(bad)


def original_record_index(rejected: Sequence[int], kept: int) -> int:
    """Which record of a file the one at `kept` is, counted among those that were not rejected.

    `rejected` are the indexes of the others, in their order.
    """
    low, high = kept, kept + len(rejected)
    while low < high:
        middle = (low + high) // 2
        if middle + 1 - bisect_left(rejected, middle + 1) > kept:
            high = middle
        else:
            low = middle + 1
    return low


def _fresh(target: Path) -> TextIO:
    """A file to write; bytes that are no UTF-8, in columns that nobody asks for, go out as they came."""
    return target.open("w", encoding="utf-8", errors="surrogateescape", newline="")


def _good(entries: Iterator[ParsedRecord[T]]) -> Iterator[T]:
    for entry in entries:
        if not isinstance(entry.content, RecordError):
            yield entry.content


def _judged_row(
    checker: RecordValidator, header: Sequence[str]
) -> Callable[[Sequence[str]], Sequence[str] | RecordError]:
    judge = checker.cells(header)

    def judged(row: Sequence[str]) -> Sequence[str] | RecordError:
        found = judge(row)
        return found if isinstance(found, RecordError) else row

    return judged


def _judged_value(checker: RecordValidator) -> Callable[[str], "Json | RecordError"]:
    def judged(text: str) -> "Json | RecordError":
        value = read_value(text)
        if isinstance(value, RecordError):
            return value
        found = checker.check(value)
        return found if isinstance(found, RecordError) else value

    return judged


def _begins(path: Path, form: Format) -> "array[int]":
    """Where each record begins, which is where the one before it ends."""
    offsets: array[int] = array("Q")

    def take(piece: IndexChunk) -> None:
        offsets.extend(piece.offsets)

    index_file(path, form, take)
    return offsets


def _copy(source: BinaryIO, out: BinaryIO, begin: int, end: int) -> None:
    source.seek(begin)
    while begin < end:
        block = source.read(min(_BLOCK, end - begin))
        if not block:
            return
        out.write(block)
        begin += len(block)
