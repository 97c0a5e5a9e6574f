"""Opens files in ZIP archives, which strangers may have made so that they decompress to far too much data."""

import re
import zipfile
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import cast

from batchwright.base.i18n import _

_MAX_FILE_BYTES = 8 << 30
"""Maximum bytes of a file in an archive, decompressed."""
_MAX_RATIO = 200
"""Decompressed to compressed bytes of a file above `_LIKELY_BYTES`: answers have 5 to 50."""
_LIKELY_BYTES = 100 << 20
_END, _END_BYTES = b"PK\x05\x06", 22 + (1 << 16)
"""How the last record of an archive starts, and the most bytes of the archive from there to its end."""
_LONGEST_CONTENTS = 1 << 20
"""Bytes of a table of contents, which is read at once."""
_HIDDEN = re.compile(r"(^|/)\.|^__MACOSX/")
_BUFFER_BYTES = 1 << 20
"""Bytes that are decompressed at a time. The line reader of `zipfile` itself takes several times as long."""


def open_member(archive: zipfile.ZipFile, name: str) -> BufferedReader:
    """Open a file in an archive.

    Raises:
        RuntimeError: it decompresses to far too much data.
        KeyError: there is no such file.
    """
    _require_likely_size(archive.getinfo(name))
    return BufferedReader(cast("RawIOBase", archive.open(name)), _BUFFER_BYTES)


def member_names(path: Path) -> list[str]:
    """The names of the files in a ZIP archive; none if it is damaged or its table of contents is very long.

    Folders, hidden files and those that macOS adds are left out.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _END_BYTES))
        end = file.read()
    at = end.rfind(_END)
    if at < 0 or len(end) < at + 16 or int.from_bytes(end[at + 12 : at + 16], "little") > _LONGEST_CONTENTS:
        return []
    try:
        with zipfile.ZipFile(path) as archive:
            names = [info.filename for info in archive.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return []
    return [name for name in names if not _HIDDEN.search(name)]


def require_likely_sizes(archive: zipfile.ZipFile) -> None:
    """Check all files of an archive that another library opens.

    Raises:
        RuntimeError: one decompresses to far too much data.
    """
    for info in archive.infolist():
        _require_likely_size(info)


def require_likely_total(archive: zipfile.ZipFile) -> None:
    """Check an archive of which all files are unpacked.

    Raises:
        RuntimeError: together they decompress to far too much data, or they overlap in the archive.
    """
    infos = archive.infolist()
    compressed = sum(info.compress_size for info in infos)
    end = max((info.header_offset + info.compress_size for info in infos), default=0)
    if compressed > end or sum(info.file_size for info in infos) > likely_size(compressed):
        raise RuntimeError(_("the archive decompresses to far too much data"))


def _require_likely_size(info: zipfile.ZipInfo) -> None:
    if info.file_size > likely_size(info.compress_size):
        raise RuntimeError(_("{name} decompresses to far too much data").format(name=info.filename))


def likely_size(compressed: int) -> int:
    """The bytes that a file of so many compressed bytes may have decompressed."""
    return min(_MAX_FILE_BYTES, max(_MAX_RATIO * compressed, _LIKELY_BYTES))
