"""Opens files in ZIP archives, which strangers may have made so that they decompress to far too much data."""

import zipfile
from io import BufferedReader, RawIOBase
from typing import cast

from batchwright.base.i18n import _

_MAX_FILE_BYTES = 8 << 30
"""Maximum bytes of a file in an archive, decompressed."""
_MAX_RATIO = 200
"""Decompressed to compressed bytes of a file above `_LIKELY_BYTES`: answers have 5 to 50."""
_LIKELY_BYTES = 100 << 20
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


def require_likely_sizes(archive: zipfile.ZipFile) -> None:
    """Check all files of an archive that another library opens.

    Raises:
        RuntimeError: one decompresses to far too much data.
    """
    for info in archive.infolist():
        _require_likely_size(info)


def _require_likely_size(info: zipfile.ZipInfo) -> None:
    likely = max(_MAX_RATIO * info.compress_size, _LIKELY_BYTES)
    if info.file_size > min(_MAX_FILE_BYTES, likely):
        raise RuntimeError(_("{name} decompresses to far too much data").format(name=info.filename))
