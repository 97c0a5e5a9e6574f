"""Writes some of the columns of a data file to a JSONL file."""

from collections.abc import Sequence
from pathlib import Path

from batchwright.base.json_values import is_object, to_json
from batchwright.data_files.checking import Progress, throttled
from batchwright.data_files.formats import RecordsFile
from batchwright.data_files.profiling import cells
from batchwright.data_files.reader import columns, rows
from batchwright.schema.record_validator import RecordError


def write_columns(file: RecordsFile, names: Sequence[str], target: Path, on_progress: Progress) -> int:
    """Write these columns of every record that can be parsed; returns the number of records.

    A missing value is an absent key, and so is an empty cell of CSV.

    Raises:
        UnreadableFile: the file as a whole cannot be read.
        OSError: it cannot be read, or the target cannot be written.
    """
    header, wanted, count = columns(file.path, file.format), frozenset(names), 0
    with target.open("xb") as out:
        for entry in rows(file.path, file.format, throttled(file.path, on_progress)):
            if isinstance(entry.content, RecordError):
                continue
            is_csv = not is_object(entry.content)
            record = {
                name: value
                for name, value in cells(header, entry.content)
                if name in wanted and value is not None and (value != "" or not is_csv)
            }
            out.write(to_json(record).encode() + b"\n")
            count += 1
    return count
