"""Reads the CSV file of a V3 dataset, whose columns are its fields (wire reference, section 4.7).

The file may be in a ZIP archive. Nothing is unpacked to disk, and names in the archive are never used as
paths. The sizes that the archive declares are checked before it is unpacked, as a protection against
decompression bombs.
"""

import io
import os
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISLNK
from typing import BinaryIO, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.text import truncate
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.reader import lines
from batchwright.data_files.rows import ParsedRecord, UnreadableFile
from batchwright.data_files.text_rows.csv_rows import CsvRows
from batchwright.data_files.text_rows.row_limits import BoundedRowReader
from batchwright.schema.model import GROUPING_COLUMN, Field, FieldType, Schema
from batchwright.schema.record_validator import RAW, Record, RecordError, RecordValidator

LARGEST = 20_000_000_000
"""Maximum size of the unpacked file in bytes."""

RATIO_EXEMPT_BYTES = 10_000_000
"""Unpacked size in bytes up to which the compression ratio is not checked."""

BEST_RATIO = 250
"""Maximum compression ratio of larger files; real tables are compressed 3 to 50 times."""

LARGEST_DIRECTORY = 1 << 20
"""Maximum size in bytes of the central directory, which is read at once: some ten thousand files."""

_ENCRYPTED = 0x1
_ARCHIVE_ERRORS = (
    BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OverflowError,
    ValueError,
)


@contextmanager
def csv_in(path: Path) -> Iterator[BinaryIO]:
    """Open the only CSV file of an archive for reading.

    Raises, on entering or while it is read:
        UnreadableFile: the file is not a ZIP archive, does not contain exactly one CSV file, or is damaged.
    """
    with _BoundedFile(path) as file, _open_member(file) as stream:
        try:
            yield stream
        except (BadZipFile, zlib.error, EOFError):
            raise _damaged() from None


def _open_member(file: "_BoundedFile") -> BinaryIO:
    try:
        archive = ZipFile(cast("BinaryIO", file))
        return cast("BinaryIO", archive.open(_member(archive)))
    except UnreadableFile:
        raise
    except _ARCHIVE_ERRORS:
        raise _damaged() from None


def _member(archive: ZipFile) -> ZipInfo:
    """The entry of the CSV file.

    Raises:
        UnreadableFile: there is not exactly one, or it cannot or must not be unpacked.
    """
    members = [member for member in archive.infolist() if _is_csv(member)]
    if not members:
        raise UnreadableFile(_("The archive has no CSV file at its top level."))
    if len(members) > 1:
        reason = _("The archive has {count} CSV files at its top level; only one is allowed.")
        raise UnreadableFile(reason.format(count=len(members)))
    (member,) = members
    if member.flag_bits & _ENCRYPTED:
        raise UnreadableFile(
            _("The CSV file in the archive is encrypted. Create the archive without a password.")
        )
    if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise UnreadableFile(
            _("The archive uses an unsupported compression method. Create a standard ZIP file.")
        )
    packed = max(1, member.compress_size)
    if member.file_size > LARGEST or member.file_size > max(RATIO_EXEMPT_BYTES, BEST_RATIO * packed):
        raise UnreadableFile(_("The CSV file would be too large unpacked. Upload it without an archive."))
    return member


def _is_csv(member: ZipInfo) -> bool:
    """Whether an entry is a CSV file at the top level; symbolic links and hidden files do not count."""
    name = member.filename
    if S_ISLNK(member.external_attr >> 16):
        return False
    return name.lower().endswith(".csv") and not name.startswith(".") and not {"/", "\\"} & set(name)


def _damaged() -> UnreadableFile:
    return UnreadableFile(_("The file is not a ZIP archive, or is damaged. Create it again."))


class _BoundedFile(io.FileIO):
    """A file that rejects reads larger than the maximum central directory, and seeks before its start."""

    @override
    def read(self, size: int | None = -1, /) -> bytes:
        remaining = max(0, os.fstat(self.fileno()).st_size - self.tell())
        requested = remaining if size is None or size < 0 else min(size, remaining)
        if requested > LARGEST_DIRECTORY:
            raise BadZipFile("the table of contents is too large")
        return super().read(requested)

    @override
    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        if whence == os.SEEK_SET and offset < 0:
            raise BadZipFile("a place before the beginning")
        return super().seek(offset, whence)


HIDDEN_PREFIX = "META_"
"""Prefix of columns that participants do not see."""

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

    def records(self) -> Iterator[ParsedRecord[Record]]:
        """Every row as it would be stored; an empty cell is a missing field.

        Raises:
            UnreadableFile: at the first invalid row.
        """
        self._lines.next_row()
        for entry in self._rows.records(RecordValidator(self.schema).row_check(self._names)):
            if isinstance(entry.content, RecordError):
                raise UnreadableFile(_error_text(entry.line, entry.content))
            self._lines.next_row()
            yield entry


def _names(header: Sequence[str]) -> list[str]:
    """The names of the columns; a column without a name is named by its position."""
    names = [name.strip() or f"column_{number}" for number, name in enumerate(header, 1)]
    if len(names) > MAX_COLUMNS:
        reason = _("The header has {count} columns; a dataset can have at most {most}.")
        raise UnreadableFile(reason.format(count=len(names), most=MAX_COLUMNS))
    names_so_far: set[str] = set()
    for name in names:
        if len(name) > MAX_NAME_CHARS or "\0" in name:
            reason = _("The name of the column “{name}” is too long or contains a null byte.")
            raise UnreadableFile(reason.format(name=truncate(name)))
        if name in names_so_far:
            reason = _("The header has the column “{name}” more than once.")
            raise UnreadableFile(reason.format(name=truncate(name)))
        names_so_far.add(name)
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
