"""Writes some of the columns of a data file to a JSONL file."""

from collections.abc import Sequence
from pathlib import Path

from batchwright.base.json_values import is_object, to_json
from batchwright.data_files.checking import Progress
from batchwright.data_files.conversion.text_records import text_columns, text_records
from batchwright.data_files.formats import RecordsFile


def write_columns(file: RecordsFile, names: Sequence[str], target: Path, _on_progress: Progress) -> None:
    """Write these columns of every record.

    A missing value is an absent key, and so is an empty cell of CSV. What is no record becomes `null`, which
    is rejected, too: nothing else of it is written, as it may belong to other columns.

    Raises:
        UnreadableFile: the file as a whole cannot be read.
        OSError: it cannot be read, or the target cannot be written.
    """
    columns, wanted = text_columns(file.path, file.format), frozenset(names)
    with target.open("xb") as out:
        for _line, value, _text in text_records(file.path, file.format, columns):
            record = (
                {name: cell for name, cell in value.items() if name in wanted and cell is not None}
                if is_object(value)
                else None
            )
            out.write(to_json(record).encode() + b"\n")
