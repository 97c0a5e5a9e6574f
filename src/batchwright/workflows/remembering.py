"""Remembering what was made or seen: each id is in the register before anybody is given the answer."""

import asyncio
import threading
from datetime import datetime

from batchwright.local.database import CannotKeep
from batchwright.local.register import Kind, Known, Register
from batchwright.wire.bodies import Body
from batchwright.workflows.told_of import TELLING, Call, told_of


class Memory:
    """The register, as far as it is about one connection and workspace (design.md D16)."""

    def __init__(self, register: Register, connection: str, workspace_id: str) -> None:
        self.connection, self.workspace_id = connection, workspace_id
        self._register = register
        self._lock = threading.Lock()
        self._kept: set[Known] = set()
        """What need not be written again: one is asked about the same job many times."""
        self._waiting: dict[Known, None] = {}
        """What could not be written so far, in the order in which it came."""

    async def hear(self, call: str, answer: Body) -> None:
        """Keep every id that an answer tells of, also when whoever asked is gone meanwhile.

        Raises:
            CannotKeep: something was made whose id cannot be written; it will be with the next answer.
        """
        if isinstance(answer, TELLING):
            await asyncio.shield(asyncio.to_thread(self._keep, call, answer))

    async def made(self, kind: Kind, id: str) -> None:
        """Know that a thing found after its answer was lost is one that was made here.

        Raises:
            CannotKeep: the disk is full, or another program holds the register.
        """
        known = Known(self.connection, kind, id, workspace_id=self.workspace_id, was_made=True)
        await asyncio.to_thread(self._register.keep, known)

    async def knew(self, kind: Kind, id: str, before: datetime) -> bool:
        """Whether something was known before a moment."""
        found = await asyncio.to_thread(self._register.find, self.connection, kind, id)
        return found is not None and found.first_at is not None and found.first_at < before

    def _keep(self, call: str, answer: Body) -> None:
        told = list(told_of(answer, Call(call, self.connection, self.workspace_id)))
        with self._lock:
            self._waiting |= dict.fromkeys(known for known in told if known not in self._kept)
            if not self._waiting:
                return
            try:
                self._register.keep(*self._waiting)
            except CannotKeep:
                if any(known.was_made for known in told):
                    raise
                return
            self._kept |= self._waiting.keys()
            self._waiting.clear()
