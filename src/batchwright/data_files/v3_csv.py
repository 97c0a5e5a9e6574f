"""Reads the CSV file of a V3 dataset, whose columns are its fields (wire reference, section 4.7)."""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from batchwright.base.i18n import _
from batchwright.base.text import truncate
from batchwright.data_files.csv_rows import CsvRows
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.reader import lines
from batchwright.data_files.row_limits import BoundedRowReader
from batchwright.data_files.rows import ParsedRecord, UnreadableFile
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.record_validator import RAW, Record, RecordError, RecordValidator

HIDDEN_PREFIX = "META_"
"""Prefix of columns that participants do not see."""

GROUPING_COLUMN = "META_TASK_GROUP_ID"
"""The column that groups rows into task groups."""

MAX_COLUMNS = 1000
MAX_NAME_CHARS = 1000

_FORM = Format(FormatKind.CSV)


class V3Table:
    """The rows of a V3 dataset's file; `schema` is derived from its header.

    V3 imports do not report rejected rows, so a single invalid row makes the whole file unreadable.

    Raises:
        UnreadableFile: the header is invalid.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._lines = BoundedRowReader(lines(stream, _FORM))
        self._rows = CsvRows(self._lines, _FORM)
        self._names = _names(self._rows.header())
        self.schema = Schema(False, {name: Field(_type(name)) for name in self._names})

    def entries(self) -> Iterator[ParsedRecord[Record]]:
        """Every row as it would be stored; an empty cell is a missing field.

        Raises:
            UnreadableFile: at the first invalid row.
        """
        self._lines.next_row()
        for entry in self._rows.records(RecordValidator(self.schema).cells(self._names)):
            if isinstance(entry.content, RecordError):
                raise UnreadableFile(_error_text(entry.line, entry.content))
            self._lines.next_row()
            yield entry


def _names(header: Sequence[str]) -> list[str]:
    """The names of the columns; a column without a name is named by its position."""
    names = [name.strip() or f"column_{number}" for number, name in enumerate(header, 1)]
    if len(names) > MAX_COLUMNS:
        reason = _("The header names {count} columns; a dataset may have {most}.")
        raise UnreadableFile(reason.format(count=len(names), most=MAX_COLUMNS))
    known: set[str] = set()
    for name in names:
        if len(name) > MAX_NAME_CHARS or "\0" in name:
            reason = _("The column “{name}” has a name that is too long, or holds a zero byte.")
            raise UnreadableFile(reason.format(name=truncate(name)))
        if name in known:
            reason = _("The header names the column “{name}” more than once.")
            raise UnreadableFile(reason.format(name=truncate(name)))
        known.add(name)
    return names


def _type(name: str) -> FieldType:
    """The field type in a V4 dataset that corresponds to a column."""
    if name == GROUPING_COLUMN:
        return FieldType.TASK_GROUP_ID
    return FieldType.METADATA if name.startswith(HIDDEN_PREFIX) else FieldType.TEXT


def _error_text(line: int, error: RecordError) -> str:
    if error.field == RAW:
        return _("Line {line}: {reason}").format(line=line, reason=error.reason)
    return _("Line {line}, column “{name}”: {reason}").format(
        line=line, name=truncate(error.field), reason=error.reason
    )
