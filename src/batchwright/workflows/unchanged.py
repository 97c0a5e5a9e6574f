"""Files that stay as they are: what goes on after hours must not go on with another content."""

import asyncio
from pathlib import Path

from batchwright.api.errors import FileChanged
from batchwright.base.i18n import _
from batchwright.data_files.index import Stamp, file_stamp


async def require_unchanged(path: Path, stamp: Stamp) -> None:
    """Look whether a file is still the one that some work was begun with.

    Args:
        path: the file.
        stamp: that of the file when the work was begun.

    Raises:
        FileChanged: it was written to since.
        OSError: it cannot be looked at.
    """
    if await asyncio.to_thread(file_stamp, path) != stamp:
        raise FileChanged(path.name, _("the file changed while it was being sent"))
