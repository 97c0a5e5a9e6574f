"""Reads the CSV file in the ZIP archive of a V3 dataset (wire reference, section 4.7).

Nothing is unpacked to disk, and names in the archive are never used as paths. The sizes that the archive
declares are checked before it is unpacked, as a protection against decompression bombs.
"""

import io
import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISLNK
from typing import BinaryIO, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.data_files.rows import UnreadableFile

LARGEST = 20_000_000_000
"""Maximum size of the unpacked file in bytes."""

NEVER_A_BOMB = 10_000_000
"""Unpacked size in bytes up to which the compression ratio is not checked."""

BEST_RATIO = 250
"""Maximum compression ratio of larger files; real tables are compressed 3 to 50 times."""

LARGEST_DIRECTORY = 1 << 20
"""Maximum size in bytes of the central directory, which is read at once: some ten thousand files."""

_ENCRYPTED = 0x1
_DAMAGE = (BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, OverflowError, ValueError)


@contextmanager
def csv_in(path: Path) -> Iterator[BinaryIO]:
    """Open the only CSV file of an archive for reading.

    Raises, on entering or while it is read:
        UnreadableFile: the file is not a ZIP archive, does not contain exactly one CSV file, or is damaged.
    """
    with _PieceByPiece(path) as file, _opened(file) as stream:
        try:
            yield stream
        except (BadZipFile, zlib.error, EOFError):
            raise _damaged() from None


def _opened(file: "_PieceByPiece") -> BinaryIO:
    try:
        archive = ZipFile(cast("BinaryIO", file))
        return cast("BinaryIO", archive.open(_member(archive)))
    except UnreadableFile:
        raise
    except _DAMAGE:
        raise _damaged() from None


def _member(archive: ZipFile) -> ZipInfo:
    """The entry of the CSV file.

    Raises:
        UnreadableFile: there is not exactly one, or it cannot or must not be unpacked.
    """
    found = [member for member in archive.infolist() if _is_csv(member)]
    if not found:
        raise UnreadableFile(_("The archive has no CSV file at its top level."))
    if len(found) > 1:
        reason = _("The archive has {count} CSV files at its top level; it may have one.")
        raise UnreadableFile(reason.format(count=len(found)))
    (member,) = found
    if member.flag_bits & _ENCRYPTED:
        raise UnreadableFile(_("The CSV file in the archive is encrypted. Pack it without a password."))
    if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise UnreadableFile(_("The archive is packed in an uncommon way. Pack it as a plain ZIP file."))
    packed = max(1, member.compress_size)
    if member.file_size > LARGEST or member.file_size > max(NEVER_A_BOMB, BEST_RATIO * packed):
        raise UnreadableFile(_("The CSV file would be too large unpacked. Upload it without an archive."))
    return member


def _is_csv(member: ZipInfo) -> bool:
    """Whether an entry is a CSV file at the top level; symbolic links and hidden files do not count."""
    name = member.filename
    if S_ISLNK(member.external_attr >> 16):
        return False
    return name.lower().endswith(".csv") and not name.startswith(".") and not {"/", "\\"} & set(name)


def _damaged() -> UnreadableFile:
    return UnreadableFile(_("The file is no ZIP archive, or is damaged. Pack it again."))


class _PieceByPiece(io.FileIO):
    """A file that rejects reads larger than the maximum central directory, and seeks before its start."""

    @override
    def read(self, size: int | None = -1, /) -> bytes:
        left = max(0, os.fstat(self.fileno()).st_size - self.tell())
        wanted = left if size is None or size < 0 else min(size, left)
        if wanted > LARGEST_DIRECTORY:
            raise BadZipFile("the table of contents is too large")
        return super().read(wanted)

    @override
    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        if whence == os.SEEK_SET and offset < 0:
            raise BadZipFile("a place before the beginning")
        return super().seek(offset, whence)
