"""Checking that a file is unchanged before a transfer resumes, possibly hours later."""

import asyncio
from pathlib import Path

from batchwright.api.errors import FileChanged
from batchwright.base.i18n import _
from batchwright.data_files.index import Stamp, file_stamp


async def require_unchanged(path: Path, stamp: Stamp) -> None:
    """Check that a file has not changed since an operation was started.

    Args:
        path: the file.
        stamp: the stamp of the file at the start of the operation.

    Raises:
        FileChanged: the file has changed since.
        OSError: the file cannot be accessed.
    """
    if await asyncio.to_thread(file_stamp, path) != stamp:
        raise FileChanged(path.name, _("the file changed while it was being sent"))
