"""When a source was last changed: a file, or the media in a folder and its subfolders."""

import os
import zlib
from collections.abc import Callable, Iterable
from functools import partial
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
        return _stamp_of((f"{source}/{name}", partial(os.stat, f"{source}/{name}")) for name in files)
    is_deep = conversion is None or bool(conversion.options.subfolders)
    entries = entries_below(source, deep=is_deep)
    return _stamp_of((entry.path, entry.stat) for entry in entries if is_medium(entry.name))


def _stamp_of(files: Iterable[tuple[str, Callable[[], os.stat_result]]]) -> Stamp:
    """The same for the same files in any order."""
    size = changes = 0
    for path, stat in islice(files, _MAX_FILES):
        try:
            status = stat()
        except OSError:
            continue
        size += status.st_size
        about = f"{path}\0{status.st_size}\0{status.st_mtime_ns}"
        changes += zlib.crc32(about.encode("utf-8", "surrogatepass"))
    return size, changes
