"""Remembering what was made or seen: each id is in the register before anybody is given the answer."""

import asyncio
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

from batchwright.base.database import StorageUnavailable
from batchwright.client.response_ids import ID_BEARING_RESPONSES, ParsedCall, ids_in_response
from batchwright.local.id_registry import IdRegistry, RegisteredId, RemoteKind
from batchwright.wire.base import Body


class IdRecorder:
    """The register, as far as it is about one connection and workspace."""

    def __init__(self, register: IdRegistry, connection: str, workspace_id: str) -> None:
        self.connection, self.workspace_id = connection, workspace_id
        self._registry = register
        self._lock = threading.Lock()
        self._stored: set[RegisteredId] = set()
        """What need not be written again: one is asked about the same job many times."""
        self._pending: dict[RegisteredId, datetime] = {}
        """What could not be written so far, and when it was first told of, in the order in which it came."""

    async def record_response(self, call: str, answer: Body) -> None:
        """Keep every id that an answer tells of, also when whoever asked is gone meanwhile.

        What cannot be written waits for the next answer, and is no failure: what was made is made, and who
        asked for it has to have its id, above all when it is kept nowhere else.
        """
        if isinstance(answer, ID_BEARING_RESPONSES):
            await self._record(ids_in_response(answer, ParsedCall(call, self.connection, self.workspace_id)))

    async def record_created(self, kind: RemoteKind, id: str, name: str = "") -> None:
        """Know that a thing was made here whose answer was lost, or what it is called."""
        await self._record([RegisteredId(self.connection, kind, id, name, self.workspace_id, was_made=True)])

    async def created_since(self, since: datetime, kind: RemoteKind, name: str) -> list[str]:
        """The ids of what was made here of a name since a moment, the newest first.

        Raises:
            StorageUnavailable: the disk is full, or another program holds the register.
        """
        await self.store_pending()
        known = await asyncio.to_thread(self._registry.all, self.connection, kind)
        made = (one for one in known if one.was_made and one.name == name)
        return [one.id for one in made if one.first_at is not None and one.first_at >= since]

    async def was_known_before(self, kind: RemoteKind, id: str, before: datetime) -> bool:
        """Whether something was known before a moment."""
        found = await asyncio.to_thread(self._registry.find, self.connection, kind, id)
        return found is not None and found.first_at is not None and found.first_at < before

    async def store_pending(self) -> None:
        """Write what could not be written so far.

        Raises:
            StorageUnavailable: it still cannot.
        """
        await asyncio.to_thread(self._store, ())

    async def _record(self, told: Iterable[RegisteredId]) -> None:
        with suppress(StorageUnavailable):
            await asyncio.shield(asyncio.to_thread(self._store, told))

    def _store(self, told: Iterable[RegisteredId]) -> None:
        with self._lock:
            now = datetime.now(UTC)
            for known in told:
                if known not in self._stored:
                    self._pending.setdefault(known, now)
            if self._pending:
                self._registry.save(*(replace(one, first_at=at) for one, at in self._pending.items()))
                self._stored |= self._pending.keys()
                self._pending.clear()
