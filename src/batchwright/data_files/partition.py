"""Writes the accepted or the rejected records of a data file to another file."""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, TextIO, TypeVar

from batchwright.base.json_values import Json, to_json
from batchwright.data_files.checking import Progress, throttled
from batchwright.data_files.file_types import require_regular
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.index import IndexChunk, index_file
from batchwright.data_files.reader import collect_errors, decode_errors_as_unreadable, lines, open_stream
from batchwright.data_files.rows import ParsedRecord
from batchwright.data_files.spreadsheet_cells import CsvWriter
from batchwright.data_files.text_rows.csv_rows import CsvRows
from batchwright.data_files.text_rows.jsonl_rows import json_records, read_value
from batchwright.schema.model import Schema
from batchwright.schema.record_validator import RecordError, RecordValidator

T = TypeVar("T")

_BLOCK = 1 << 20


def write_accepted(
    path: Path, file_format: Format, schema: Schema, target: Path, on_progress: Progress
) -> int:
    """Write the records that the service would accept, in its format; returns their number.

    Raises:
        UnreadableFile: when the file as a whole cannot be read.
        OSError: when it cannot be read, or the target cannot be written.
    """
    checker, on_bytes_read = RecordValidator(schema), throttled(path, on_progress)
    count = 0
    with open_stream(path) as stream, decode_errors_as_unreadable(file_format), _open_output(target) as out:
        text = lines(stream, file_format, on_bytes_read)
        if file_format.kind is FormatKind.JSONL:
            for entry in _accepted(json_records(text, _value_checker(checker))):
                out.write(f"{to_json(entry)}\n")
                count += 1
            return count
        table = CsvRows(text, file_format)
        header = table.header()
        writer = CsvWriter(out, is_spreadsheet_safe=False)
        writer.writerow(header)
        for row in _accepted(table.records(_row_checker(checker, header))):
            writer.writerow(row)
            count += 1
    return count


def write_rejected(
    path: Path, file_format: Format, schema: Schema, target: Path, on_progress: Progress
) -> int:
    """Write the records that the service would reject, byte for byte, below the header; returns their number.

    Raises:
        UnreadableFile: when the file as a whole cannot be read.
        OSError: when it cannot be read, or the target cannot be written.
    """
    bad: array[int] = array("Q")
    collect_errors(
        path,
        file_format,
        RecordValidator(schema),
        lambda entry: bad.append(entry.record_index),
        throttled(path, on_progress),
    )
    return write_selected(path, file_format, bad, target, on_progress)


def write_selected(
    path: Path, file_format: Format, records: Sequence[int], target: Path, _on_progress: Progress
) -> int:
    """Write some records, byte for byte, below the header; returns their number.

    Args:
        path: the data file.
        file_format: how to read it.
        records: their indexes, ascending.
        target: the file to write.

    Raises:
        UnreadableFile: when the file as a whole cannot be read.
        OSError: when it cannot be read, or the target cannot be written.
    """
    offsets = _record_offsets(path, file_format)
    require_regular(path)
    end = path.stat().st_size
    with path.open("rb") as source, target.open("wb") as out:
        if offsets and file_format.header:
            _copy_bytes(source, out, 0, offsets[0])
        for record in records:
            last = offsets[record + 1] if record + 1 < len(offsets) else end
            _copy_bytes(source, out, offsets[record], last)
    return len(records)


def original_record_index(rejected: Sequence[int], accepted: int) -> int:
    """The index in the whole file of the record that has index `accepted` among the accepted ones.

    `rejected` are the indexes of the rejected records in ascending order.
    """
    low, high = accepted, accepted + len(rejected)
    while low < high:
        middle = (low + high) // 2
        if middle + 1 - bisect_left(rejected, middle + 1) > accepted:
            high = middle
        else:
            low = middle + 1
    return low


def _open_output(target: Path) -> TextIO:
    """A file to write; invalid UTF-8 in columns that are not fields is written unchanged."""
    return target.open("w", encoding="utf-8", errors="surrogateescape", newline="")


def _accepted(entries: Iterator[ParsedRecord[T]]) -> Iterator[T]:
    for entry in entries:
        if not isinstance(entry.content, RecordError):
            yield entry.content


def _row_checker(
    checker: RecordValidator, header: Sequence[str]
) -> Callable[[Sequence[str]], Sequence[str] | RecordError]:
    judge = checker.row_check(header)

    def judged(row: Sequence[str]) -> Sequence[str] | RecordError:
        result = judge(row)
        return result if isinstance(result, RecordError) else row

    return judged


def _value_checker(checker: RecordValidator) -> Callable[[str], "Json | RecordError"]:
    def judged(text: str) -> "Json | RecordError":
        value = read_value(text)
        if isinstance(value, RecordError):
            return value
        result = checker.check(value)
        return result if isinstance(result, RecordError) else value

    return judged


def _record_offsets(path: Path, file_format: Format) -> "array[int]":
    """The byte offset of each record, which is also the end of the record before it."""
    offsets: array[int] = array("Q")

    def add(chunk: IndexChunk) -> None:
        offsets.extend(chunk.offsets)

    index_file(path, file_format, add)
    return offsets


def _copy_bytes(source: BinaryIO, out: BinaryIO, start: int, end: int) -> None:
    source.seek(start)
    while start < end:
        block = source.read(min(_BLOCK, end - start))
        if not block:
            return
        out.write(block)
        start += len(block)
