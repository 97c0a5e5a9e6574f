"""Finds CSV column names that cannot be field keys, suggests valid ones, and writes a file with those."""

import csv
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.base.json_values import is_valid_unicode
from batchwright.base.local_formats import joined
from batchwright.data_files.file_types import require_regular
from batchwright.data_files.formats import Format
from batchwright.data_files.reader import decode_errors_as_unreadable, lines, open_stream
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.spreadsheet_cells import CsvWriter
from batchwright.data_files.text_rows.csv_rows import CsvRows
from batchwright.schema.parsing import MAX_KEY_CHARS

_BLOCK = 1 << 20
"""Bytes copied at a time."""


@dataclass(frozen=True)
class NameProblem:
    """Why columns cannot be fields: their name, their positions counted from 1, and a user-visible reason."""

    name: str
    positions: tuple[int, ...]
    reason: str


def name_problems(columns: Sequence[str]) -> tuple[NameProblem, ...]:
    """The names among the columns of a file that cannot be field keys, in the order of the columns."""
    positions: dict[str, list[int]] = {}
    for position, name in enumerate(columns, 1):
        positions.setdefault(name, []).append(position)
    return tuple(
        NameProblem(name, tuple(columns_with_name), reason)
        for name, columns_with_name in positions.items()
        if (reason := _reason(name, columns_with_name))
    )


def distinct_names(columns: Sequence[str]) -> tuple[str, ...]:
    """A valid field key for each column; columns without a problem keep their name.

    The first of several columns with the same name keeps it; a number is appended to the others.
    """
    names: dict[str, None] = {}
    numbers: dict[str, int] = {}
    reserved = set(columns)
    for position, column in enumerate(columns, 1):
        base = column[:MAX_KEY_CHARS] if is_valid_unicode(column) else ""
        base = base.strip() or f"column_{position}"
        name = base
        while name in names or (name != column and name in reserved):
            numbers[base] = number = numbers.get(base, 1) + 1
            name = f"{base[: MAX_KEY_CHARS - len(str(number)) - 1]}_{number}"
        names[name] = None
    return tuple(names)


def write_with_names(path: Path, file_format: Format, names: Sequence[str], target: Path) -> None:
    """Copy a CSV file with other names in its header; everything below is copied byte for byte.

    Raises:
        UnreadableFile: the header cannot be read, or the encoding of the file cannot represent a name.
        OSError: the file cannot be read, or the target cannot be written.
    """
    starts: list[int] = []
    with open_stream(path) as stream, decode_errors_as_unreadable(file_format):
        text = lines(stream, file_format).with_offsets(starts)
        CsvRows(text, file_format).header()
        header_lines = len(starts)
        has_rows = next(text, None) is not None
    header = _header_line(names, file_format)
    require_regular(path)
    with path.open("rb") as source, target.open("wb") as out:
        out.write(source.read(starts[0]))
        out.write(header)
        if has_rows:
            source.seek(starts[header_lines])
            shutil.copyfileobj(source, out, _BLOCK)


def _header_line(names: Sequence[str], file_format: Format) -> bytes:
    buffer = StringIO(newline="")
    writer = CsvWriter(
        buffer,
        is_spreadsheet_safe=False,
        delimiter=file_format.delimiter,
        quotechar=file_format.quote or None,
        quoting=csv.QUOTE_MINIMAL if file_format.quote else csv.QUOTE_NONE,
        lineterminator="\n",
    )
    writer.writerow(names)
    try:
        return buffer.getvalue().encode(file_format.encoding)
    except UnicodeEncodeError:
        reason = _("A name has characters that {encoding} cannot represent.").format(
            encoding=file_format.encoding.upper()
        )
        raise UnreadableFile(reason, _("Choose other names, or save the file as UTF-8.")) from None


def _reason(name: str, positions: Sequence[int]) -> str:
    """Why columns of this name cannot be fields; empty if they can."""
    if not name:
        return _("The column has no name.") if len(positions) == 1 else _("The columns have no name.")
    if len(positions) > 1:
        return _("Columns {positions} have this name.").format(positions=listed(positions))
    if len(name) > MAX_KEY_CHARS:
        return _("The name has {count} characters; {most} are allowed.").format(
            count=len(name), most=MAX_KEY_CHARS
        )
    if not is_valid_unicode(name):
        return _("The name is not valid text.")
    return ""


def listed(positions: Sequence[int]) -> str:
    """Positions as listed in a sentence: "2", "2 and 5", "2, 3 and 5"."""
    *before, last = map(str, positions)
    return _("{before} and {last}").format(before=joined(before), last=last) if before else last
