"""The ZIP archive that a V3 dataset takes: one CSV file at its top level (wire reference, 4.7).

Nothing is unpacked to the disk, names in the archive never name a place, and what an archive claims
of itself is judged before it is read: a small file cannot become an endless one.
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
"""Bytes of the unpacked file."""

NEVER_A_BOMB = 10_000_000
"""Bytes that an unpacked file may have however well it was packed."""

BEST_RATIO = 250
"""How many times as large a file may be unpacked: tables of people pack 3 to 50 times."""

LARGEST_DIRECTORY = 1 << 20
"""Bytes of the table of contents, which is read whole: some ten thousand files."""

_ENCRYPTED = 0x1
_DAMAGE = (BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, OverflowError, ValueError)


@contextmanager
def csv_in(path: Path) -> Iterator[BinaryIO]:
    """The only CSV file of an archive, to be read from its beginning.

    Raises, on entering or while it is read:
        UnreadableFile: it is no archive, holds no such file or more than one, or is damaged.
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
    """The CSV file, when it is one that can be read."""
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
    """Whether it is a CSV file outside any folder; no link, and nothing that systems hide from people."""
    name = member.filename
    if S_ISLNK(member.external_attr >> 16):
        return False
    return name.lower().endswith(".csv") and not name.startswith(".") and not {"/", "\\"} & set(name)


def _damaged() -> UnreadableFile:
    return UnreadableFile(_("The file is no ZIP archive, or is damaged. Pack it again."))


class _PieceByPiece(io.FileIO):
    """A file that is never read whole, and of which nothing lies before its beginning."""

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
