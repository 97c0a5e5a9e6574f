"""Writes the records of a converted file, and says where each one is as soon as it can be read."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeAlias

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, to_json
from batchwright.data_files.conversion.conversion import CONVERTED
from batchwright.data_files.index import CHUNK_RECORDS, IndexChunk
from batchwright.data_files.profiling import profile_file
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.schema_inference import INFERENCE_RECORDS
from batchwright.data_files.text_rows.line_reader import MAX_LINE_BYTES

Progress: TypeAlias = Callable[[object], object]
"""Called with a `ConversionStart`, then with `IndexChunk`s, and once in between with a `FileProfile`."""

NumberedRecord: TypeAlias = tuple[int, Json, str]
"""The number of a row in the source, its record, and the text to write instead if that is no object."""


def write_records(
    records: Iterable[NumberedRecord],
    out: BinaryIO,
    target: Path,
    columns: tuple[str, ...],
    notify: Progress,
) -> int:
    """Write records to a new JSONL file, which is open, and pass on where they are; returns their number.

    Raises:
        UnreadableFile: a record is too long.
        OSError: the file cannot be written.
    """
    count = 0
    for chunk in _written(records, out):
        notify(chunk)
        if count < INFERENCE_RECORDS <= count + len(chunk):
            notify(profile_file(target, CONVERTED, columns))
        count += len(chunk)
    if count < INFERENCE_RECORDS:
        notify(profile_file(target, CONVERTED, columns))
    return count


def _written(records: Iterable[NumberedRecord], out: BinaryIO) -> Iterator[IndexChunk]:
    """Write the records; yield where they are as soon as they can be read."""
    chunk, offset = IndexChunk(), 0
    offsets, rows = chunk.offsets, chunk.lines
    for count, (row, record, text) in enumerate(records, 1):
        line = (text or to_json(record)).encode("utf-8", "replace") + b"\n"
        if len(line) > MAX_LINE_BYTES:
            reason = _("Row {row} has more than {most} MB.")
            raise UnreadableFile(
                reason.format(row=row, most=MAX_LINE_BYTES // 1_000_000),
                _("Shorten its texts, or put them on the web and use their addresses."),
            )
        offsets.append(offset)
        rows.append(row)
        out.write(line)
        offset += len(line)
        if count == INFERENCE_RECORDS or len(offsets) == CHUNK_RECORDS:
            out.flush()
            yield chunk
            chunk = IndexChunk()
            offsets, rows = chunk.offsets, chunk.lines
    out.flush()
    yield chunk
