"""A trail: work stopped anywhere goes on where it was, and makes nothing twice."""

import asyncio
import hashlib
from pathlib import Path

from batchwright.base.json_values import Json, JsonObject, to_json
from batchwright.local.checkpoints import CheckpointTable


class Checkpoint:
    """How far one piece of work has come at a service; each step is on disk as soon as it is done.

    Args:
        trails: where it is kept.
        about: tells this work from every other.
    """

    def __init__(self, trails: CheckpointTable, *about: Json) -> None:
        self._trails = trails
        self._key = hashlib.sha256(to_json(list(about)).encode()).hexdigest()

    async def steps(self) -> JsonObject:
        """What came of each step that was done before."""
        return await asyncio.to_thread(self._trails.steps, self._key)

    async def record(self, **steps: Json) -> None:
        """Keep what came of some steps; None for one that is to be done anew."""
        await asyncio.to_thread(self._trails.save, self._key, steps)

    async def is_reached(self, step: str, outcome: str) -> bool:
        """Whether this work or any other has come to a step with this outcome."""
        return await asyncio.to_thread(self._trails.any_has, step, outcome)

    async def clear(self) -> None:
        """Forget all of it: the work is done and its outcome kept elsewhere, or it is to be begun anew."""
        await asyncio.to_thread(self._trails.remove, self._key)


def file_sha256(path: Path) -> str:
    """What tells a file's content from every other, wherever it lies and whenever it was written.

    Call it off the event loop.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
