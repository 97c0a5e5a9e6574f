"""The CSV file of a V3 dataset, whose columns are its fields (wire reference, 4.7)."""

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

HIDDEN = "META_"
"""How the names of columns begin that participants do not see."""

GROUPING = "META_TASK_GROUP_ID"
"""The column that groups rows into task groups."""

MOST_COLUMNS = 1000
LONGEST_NAME = 1000

_FORM = Format(FormatKind.CSV)


class V3Table:
    """The rows of a V3 dataset's file; `schema` is what its header makes of it.

    Nobody is told of a single row that a V3 dataset rejects, so one faulty row makes the file unreadable.

    Raises:
        UnreadableFile: the header is none that a dataset can have.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._lines = BoundedRowReader(lines(stream, _FORM))
        self._rows = CsvRows(self._lines, _FORM)
        self._names = _names(self._rows.header())
        self.schema = Schema(False, {name: Field(_type(name)) for name in self._names})

    def entries(self) -> Iterator[ParsedRecord[Record]]:
        """Every row as it is stored; an empty cell is a missing field.

        Raises:
            UnreadableFile: at the first row that cannot be stored whole.
        """
        self._lines.next_row()
        for entry in self._rows.entries(RecordValidator(self.schema).cells(self._names)):
            if isinstance(entry.content, RecordError):
                raise UnreadableFile(_in_words(entry.line, entry.content))
            self._lines.next_row()
            yield entry


def _names(header: Sequence[str]) -> list[str]:
    """The names of the columns; one without a name is called after its place."""
    names = [name.strip() or f"column_{number}" for number, name in enumerate(header, 1)]
    if len(names) > MOST_COLUMNS:
        reason = _("The header names {count} columns; a dataset may have {most}.")
        raise UnreadableFile(reason.format(count=len(names), most=MOST_COLUMNS))
    known: set[str] = set()
    for name in names:
        if len(name) > LONGEST_NAME or "\0" in name:
            reason = _("The column “{name}” has a name that is too long, or holds a zero byte.")
            raise UnreadableFile(reason.format(name=truncate(name)))
        if name in known:
            reason = _("The header names the column “{name}” more than once.")
            raise UnreadableFile(reason.format(name=truncate(name)))
        known.add(name)
    return names


def _type(name: str) -> FieldType:
    """What a V4 dataset would call such a column."""
    if name == GROUPING:
        return FieldType.TASK_GROUP_ID
    return FieldType.METADATA if name.startswith(HIDDEN) else FieldType.TEXT


def _in_words(line: int, fault: RecordError) -> str:
    if fault.field == RAW:
        return _("Line {line}: {reason}").format(line=line, reason=fault.reason)
    return _("Line {line}, column “{name}”: {reason}").format(
        line=line, name=truncate(fault.field), reason=fault.reason
    )
