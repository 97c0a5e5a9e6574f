"""Checkpoints: the completed steps of an operation, stored so that it can resume without repeating them.

A checkpoint is stored under a digest of the operation's input (for files, a digest of their content). The
same operation, started again with the same input, therefore resumes where it stopped, also after a crash.
Checkpoints that are not updated for 90 days are removed (`local.checkpoints`).
"""

import asyncio
import hashlib
from pathlib import Path

from batchwright.api.http.errors import FileChanged
from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, to_json
from batchwright.data_files.index import Stamp, file_stamp
from batchwright.local.checkpoints import CheckpointTable


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


class Checkpoint:
    """The progress of one operation at a service; each completed step is written to disk immediately.

    Args:
        table: the table in which the steps are stored.
        about: JSON values that identify the operation: its kind and its input. Their SHA-256 is the key.
    """

    def __init__(self, table: CheckpointTable, *about: Json) -> None:
        self._table = table
        self.key = hashlib.sha256(to_json(list(about)).encode()).hexdigest()

    async def steps(self) -> JsonObject:
        """The results of the completed steps by name; empty if there are none."""
        return await asyncio.to_thread(self._table.steps, self.key)

    async def record(self, **steps: Json) -> None:
        """Store the results of some steps; None removes a step, so that it is repeated."""
        await asyncio.to_thread(self._table.save, self.key, steps)

    async def is_recorded(self, step: str, outcome: str) -> bool:
        """Whether this or any other operation has recorded this result for a step."""
        return await asyncio.to_thread(self._table.any_has, step, outcome)

    async def clear(self) -> None:
        """Delete all steps: the operation is complete and its result stored elsewhere, or it must restart."""
        await asyncio.to_thread(self._table.remove, self.key)


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file's content in hexadecimal, independent of its path and modification time.

    Reads the whole file; do not call it on the event loop.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
