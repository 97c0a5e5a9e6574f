"""Files of downloads that are still being received, removed if their program was killed."""

import hashlib
import os
import secrets
import time
from contextlib import suppress
from pathlib import Path

from batchwright.base.files.temporary_files import OLD, remove_unlocked


def temp_path_for(path: Path) -> Path:
    """A new path in the same folder, for a file that is still being received."""
    return path.with_name(f"{_name_prefix(path)}{secrets.token_hex(8)}.part")


def remove_stale(path: Path) -> None:
    """Remove the temporary files of downloads to this path whose program was killed."""
    for leftover in path.parent.glob(f"{_name_prefix(path)}*.part"):
        with suppress(OSError):  # it is in use, or gone by now, or cannot be removed
            if time.time() - leftover.stat().st_mtime > OLD:
                remove_unlocked(leftover)


def _name_prefix(path: Path) -> str:
    """The prefix of temporary names for a file. It contains a hash, since the name may be long."""
    return f".batchwright-{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]}-"
