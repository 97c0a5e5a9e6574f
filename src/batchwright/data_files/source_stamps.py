"""When a source was last changed: a file, or the media in a folder and its subfolders."""

import zlib
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from batchwright.base.local_media import entries_below, is_medium
from batchwright.data_files.index import Stamp, file_stamp

if TYPE_CHECKING:  # imported only when a source is converted
    from batchwright.data_files.conversion.conversion import Conversion

_MAX_FILES = 100_000
"""Media of a folder that are looked at."""


def source_stamp(source: Path, conversion: "Conversion | None") -> Stamp:
    """The current stamp of a source; of a folder, the size of its media, and a number that changes with them.

    Raises:
        OSError: it does not exist or cannot be accessed.
    """
    if not source.is_dir():
        return file_stamp(source)
    files = () if conversion is None else conversion.options.files.splitlines()
    if files:
        return _stamp_of(source, (source / name for name in files))
    is_deep = conversion is None or bool(conversion.options.subfolders)
    entries = entries_below(source, deep=is_deep)
    return _stamp_of(source, (Path(entry.path) for entry in entries if is_medium(entry.name)))


def _stamp_of(folder: Path, files: Iterable[Path]) -> Stamp:
    """The same for the same files in any order."""
    size = changes = 0
    for path in islice(files, _MAX_FILES):
        try:
            status = path.stat()
        except OSError:
            continue
        size += status.st_size
        about = path.relative_to(folder).as_posix(), status.st_size, status.st_mtime_ns
        changes += zlib.crc32(repr(about).encode())
    return size, changes
