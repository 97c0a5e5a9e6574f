"""Writes the records of a source to a JSONL file, which can be read while it is being written."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, TypeAlias

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, to_json
from batchwright.data_files.column_names import distinct_names
from batchwright.data_files.conversion.conversion import Conversion
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.index import CHUNK_RECORDS, IndexChunk
from batchwright.data_files.line_reader import MAX_LINE_BYTES
from batchwright.data_files.profiling import profile_file
from batchwright.data_files.rows import EmptyFile, ParsedRecord, UnreadableFile
from batchwright.data_files.schema_inference import INFERENCE_RECORDS
from batchwright.data_files.sources.registry import open_table
from batchwright.data_files.sources.source import Choice, SourceTable

CONVERTED = Format(FormatKind.JSONL)
"""The format of a converted file."""

FIRST_RECORDS = 64
"""Records that are passed on before all others."""

Progress: TypeAlias = Callable[[object], object]
"""Called with a `ConversionStart`, then with `IndexChunk`s, and once in between with a `FileProfile`."""


@dataclass(frozen=True)
class ConversionStart:
    """The beginning of a conversion: columns, choices, and the first records.

    `row_count` is the number of rows, None if it is not known before they are read.
    """

    columns: tuple[str, ...]
    conversion: Conversion
    """With the values that were proposed for options without one."""
    choices: tuple[Choice, ...]
    records: tuple[ParsedRecord[Json], ...]
    row_count: int | None


_Record: TypeAlias = tuple[int, JsonObject]
"""The number of a row in the source, and its record."""


@dataclass(frozen=True)
class Converted:
    """The result of a conversion: the number of records, and sentences about what was done or left out."""

    records: int
    columns: tuple[str, ...]
    """All columns, also those that the first records do not have."""
    notes: tuple[str, ...]


def convert(path: Path, conversion: Conversion, target: Path, notify: Progress) -> Converted:
    """Write the records of a source to a new JSONL file; the line of a record in the index is its row.

    An empty cell is an absent key. Columns without a name of their own get one, as in `distinct_names`.

    Raises:
        UnreadableFile: the source is damaged, protected or empty, or its type is not known.
        OSError: it cannot be read, or the target cannot be written.
    """
    with open_table(path, conversion.options) as table, target.open("wb") as out:
        columns = distinct_names(table.columns)
        if not columns:
            raise EmptyFile
        records = _records(table)
        first = list(islice(records, FIRST_RECORDS))
        entries = tuple(ParsedRecord(index, row, record) for index, (row, record) in enumerate(first))
        chosen = {choice.option: choice.current for choice in table.choices}
        used = replace(conversion, options=conversion.options.with_values(chosen))
        notify(ConversionStart(columns, used, table.choices, entries, table.row_count))
        count = 0
        for chunk in _written(chain(first, records), out):
            notify(chunk)
            if count < INFERENCE_RECORDS <= count + len(chunk):
                notify(profile_file(target, CONVERTED, columns))
            count += len(chunk)
        if count < INFERENCE_RECORDS:
            notify(profile_file(target, CONVERTED, columns))
        return Converted(count, distinct_names(table.columns), tuple(table.notes))


def source_columns(path: Path, conversion: Conversion, _notify: Progress) -> tuple[str, ...]:
    """The columns that the converted file would have.

    Raises:
        UnreadableFile: as `convert` does.
        OSError: it cannot be read.
    """
    with open_table(path, conversion.options) as table:
        return distinct_names(table.columns)


def _records(table: SourceTable) -> Iterator[_Record]:
    names: tuple[str, ...] = ()
    for number, cells in table.rows:
        if len(cells) > len(names):
            names = distinct_names(table.columns)
        yield (
            number,
            {name: cell for name, cell in zip(names, cells, strict=False) if cell is not None and cell != ""},
        )


def _written(records: Iterable[_Record], out: BinaryIO) -> Iterator[IndexChunk]:
    """Write the records; yield where they are as soon as they can be read."""
    chunk, offset = IndexChunk(), 0
    for count, (row, record) in enumerate(records, 1):
        line = to_json(record).encode() + b"\n"
        if len(line) > MAX_LINE_BYTES:
            reason = _("Row {row} has more than {most} MB.")
            raise UnreadableFile(
                reason.format(row=row, most=MAX_LINE_BYTES // 1_000_000),
                _("Shorten its texts, or put them on the web and use their addresses."),
            )
        chunk.offsets.append(offset)
        chunk.lines.append(row)
        out.write(line)
        offset += len(line)
        if count == INFERENCE_RECORDS or len(chunk) == CHUNK_RECORDS:
            out.flush()
            yield chunk
            chunk = IndexChunk()
    out.flush()
    yield chunk
