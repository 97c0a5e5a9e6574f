"""A trail: work stopped anywhere goes on where it was, and makes nothing twice."""

import asyncio
import hashlib

from batchwright.local.trails import Trails
from batchwright.records.json_values import Json, JsonObject, render


class Trail:
    """How far one piece of work has come at a service; each step is on disk as soon as it is done.

    Args:
        trails: where it is kept.
        about: tells this work from every other.
    """

    def __init__(self, trails: Trails, *about: Json) -> None:
        self._trails = trails
        self._key = hashlib.sha256(render(list(about)).encode()).hexdigest()

    async def steps(self) -> JsonObject:
        """What came of each step that was done before."""
        return await asyncio.to_thread(self._trails.steps, self._key)

    async def mark(self, **steps: Json) -> None:
        """Keep what came of some steps; None for one that is to be done anew."""
        await asyncio.to_thread(self._trails.mark, self._key, steps)

    async def end(self) -> None:
        """Forget all of it: the work is done and its outcome kept elsewhere, or it is to be begun anew."""
        await asyncio.to_thread(self._trails.end, self._key)
