"""Reads a data file from start to end: its columns, its rows, or its records after validation."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TypeAlias, TypeVar

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, is_object
from batchwright.data_files.file_types import require_regular
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.rows import EmptyFile, ParsedRecord, UnreadableFile
from batchwright.data_files.text_rows.csv_rows import CsvRows
from batchwright.data_files.text_rows.jsonl_rows import json_records, read_value
from batchwright.data_files.text_rows.line_reader import TextLines
from batchwright.data_files.text_rows.row_limits import BoundedRowReader
from batchwright.schema.record_validator import Record, RecordError, RecordValidator

T = TypeVar("T")

Source: TypeAlias = BinaryIO | Path
OnBytesRead: TypeAlias = Callable[[int], None]

RECORDS_FOR_COLUMNS = 1000
"""JSONL records that are read to collect the keys they use."""


def read_records(
    source: Source, kind: FormatKind, checker: RecordValidator
) -> Iterator[ParsedRecord[Record]]:
    """The records of a file in the service's format, as they would be stored, or the error of each.

    A stream is read from its current position and left open.

    Raises while it is read:
        UnreadableFile: the whole file cannot be read, or is empty (wire reference, section 4.6, `failed`).
    """
    return checked_records(source, Format(kind), checker)


def checked_records(
    source: Source, file_format: Format, checker: RecordValidator, on_progress: OnBytesRead | None = None
) -> Iterator[ParsedRecord[Record]]:
    """The records of a file in any format; `on_progress` is called with the number of bytes read.

    Raises while it is read:
        UnreadableFile: as `read_records` does.
    """
    with open_stream(source) as stream, decode_errors_as_unreadable(file_format):
        if file_format.kind is FormatKind.JSONL:
            yield from _at_least_one(
                json_records(lines(stream, file_format, on_progress), _line_checker(checker))
            )
        else:
            text = BoundedRowReader(lines(stream, file_format, on_progress))
            table = CsvRows(text, file_format)
            check_line = checker.row_check(_header(table, checker))
            text.next_row()
            for entry in table.records(check_line):
                text.next_row()
                yield entry


def collect_errors(
    source: Source,
    file_format: Format,
    checker: RecordValidator,
    on_error: Callable[[ParsedRecord[Record]], object],
    on_progress: OnBytesRead | None = None,
) -> int:
    """Call `on_error` for each invalid record; returns the number of all records.

    Raises:
        UnreadableFile: as `read_records` does.
    """
    if file_format.kind is FormatKind.CSV:
        with open_stream(source) as stream, decode_errors_as_unreadable(file_format):
            table = CsvRows(lines(stream, file_format, on_progress), file_format)
            header = _header(table, checker)
            for error in table.errors(checker.row_check(header), checker.block_check(header)):
                on_error(error)
            return table.record_count
    records = 0
    for entry in checked_records(source, file_format, checker, on_progress):
        records += 1
        if isinstance(entry.content, RecordError):
            on_error(entry)
    return records


def rows(
    source: Source, file_format: Format, on_progress: OnBytesRead | None = None
) -> Iterator[ParsedRecord[Json]]:
    """The content of each record without validation: the cells of a CSV row, or the JSON value of a line.

    The header of a CSV file is skipped. `on_progress` is called with the number of bytes read.

    Raises while it is read:
        UnreadableFile: as `read_records` does.
    """
    with open_stream(source) as stream, decode_errors_as_unreadable(file_format):
        if file_format.kind is FormatKind.JSONL:
            yield from _at_least_one(json_records(lines(stream, file_format, on_progress), read_value))
        else:
            table = CsvRows(lines(stream, file_format, on_progress), file_format)
            table.header()
            yield from table.records(unchecked)


def columns(path: Path, file_format: Format) -> tuple[str, ...]:
    """The names of a file's columns: the trimmed CSV header, or the keys of the first JSONL records.

    Raises:
        UnreadableFile: as `read_records` does.
    """
    if file_format.kind is FormatKind.CSV:
        with open_stream(path) as stream, decode_errors_as_unreadable(file_format):
            header = CsvRows(lines(stream, file_format), file_format).header()
            return tuple(name.strip() for name in header)
    keys: dict[str, None] = {}
    for entry in islice(rows(path, file_format), RECORDS_FOR_COLUMNS):
        if is_object(entry.content):
            keys.update(dict.fromkeys(entry.content))
    return tuple(keys)


@contextmanager
def open_stream(source: Source) -> Iterator[BinaryIO]:
    """The stream to read from; a file that is opened here is closed afterwards.

    Raises:
        UnreadableFile: the path is not a regular file.
        OSError: the file cannot be opened.
    """
    if isinstance(source, Path):
        require_regular(source)
        with source.open("rb", buffering=0) as stream:
            yield stream
    else:
        yield source


@contextmanager
def decode_errors_as_unreadable(file_format: Format) -> Iterator[None]:
    """Raise `UnreadableFile` for bytes that the encoding does not allow."""
    try:
        yield
    except UnicodeError:
        reason = _("The file is not encoded as {encoding}.").format(encoding=file_format.encoding.upper())
        raise UnreadableFile(reason, _("Choose another encoding, or save the file as UTF-8.")) from None


def lines(
    stream: BinaryIO, file_format: Format, on_progress: OnBytesRead | None = None, start: int = 0
) -> TextLines:
    """The lines of a stream that is at byte `start` of its file; lines of JSONL end only with LF."""
    return TextLines(
        stream, file_format.encoding, "\n" if file_format.kind is FormatKind.JSONL else "", start, on_progress
    )


def unchecked(row: T) -> T:
    """The row itself, without validation."""
    return row


def _line_checker(checker: RecordValidator) -> Callable[[str], Record | RecordError]:
    check = checker.check

    def check_line(text: str) -> Record | RecordError:
        value = read_value(text)
        return value if isinstance(value, RecordError) else check(value)

    return check_line


def _at_least_one(entries: Iterator[ParsedRecord[T]]) -> Iterator[ParsedRecord[T]]:
    first = next(entries, None)
    if first is None:
        raise EmptyFile
    yield first
    yield from entries


def _header(table: CsvRows, checker: RecordValidator) -> list[str]:
    """The header; rejected if two columns have the name of the same field of the schema."""
    header = table.header()
    names = [name.strip() for name in header]
    for key in checker.schema.fields:
        if names.count(key) > 1:
            raise UnreadableFile(_("The header has the column “{name}” more than once.").format(name=key))
    return header
