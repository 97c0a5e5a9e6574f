"""The records of a CSV or JSONL file that is converted because of its edits or its two header rows."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from batchwright.base.json_values import Json, is_array, is_object, to_json
from batchwright.data_files.column_names import distinct_names
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.reader import columns, decode_errors_as_unreadable, lines, open_stream, rows
from batchwright.data_files.sources.headers import names_in_two_rows
from batchwright.data_files.text_rows.jsonl_rows import read_value
from batchwright.schema.record_validator import RecordError


def text_columns(path: Path, file_format: Format, header_rows: int = 1) -> tuple[str, ...]:
    """The columns of the converted file; the header of a CSV file may have two rows.

    Raises:
        UnreadableFile: the file as a whole cannot be read.
        OSError: it cannot be opened.
    """
    names = columns(path, file_format)
    if file_format.kind is FormatKind.JSONL:
        return names
    if header_rows == 2:
        second = next(rows(path, file_format)).content
        names = names_in_two_rows(names, list(map(str, second))) if is_array(second) else names
    return distinct_names(names)


def text_records(
    path: Path, file_format: Format, names: Sequence[str], header_rows: int = 1
) -> Iterator[tuple[int, Json, str]]:
    """The line of each record, its value, and the text to write for one that is no object.

    An empty cell is an absent key. A row with another number of cells becomes an array, and a row that cannot
    be read a text, so that it is rejected at its line as before. The text of a line that cannot be read has a
    space before it: only objects begin with a brace.

    Raises while it is read:
        UnreadableFile: the file as a whole cannot be read.
    """
    if file_format.kind is FormatKind.JSONL:
        with open_stream(path) as stream, decode_errors_as_unreadable(file_format):
            for number, text in enumerate(lines(stream, file_format), 1):
                if not text.isspace():
                    read = read_value(text)
                    if isinstance(read, RecordError):
                        yield number, None, f" {text.strip()}"
                    else:
                        yield number, read, "" if is_object(read) else to_json(read)
        return
    for entry in islice(rows(path, file_format), header_rows - 1, None):
        cells = entry.content
        value: Json
        if isinstance(cells, RecordError):
            value = cells.reason
        elif is_array(cells) and len(cells) == len(names):
            value = {name: cell for name, cell in zip(names, cells, strict=True) if cell != ""}
        else:
            value = cells
        yield entry.line, value, "" if is_object(value) else to_json(value)
