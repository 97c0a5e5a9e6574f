"""Recording ids: every id in a response is stored in the id registry before the caller gets the response.

Some resources, datasets for example, cannot be listed: between a response and the next line of code an id
could be lost for ever. If an id cannot be stored, because the disk is full, say, it is kept in memory and
written with the next one, and the request does not fail: withholding a response would cause a second
creation.
"""

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
    """Records ids of one connection and workspace in the id registry. Each id is written once per run."""

    def __init__(self, registry: IdRegistry, connection: str, workspace_id: str) -> None:
        self.connection, self.workspace_id = connection, workspace_id
        self._registry = registry
        self._lock = threading.Lock()
        self._stored: set[RegisteredId] = set()
        """The entries already written, which are not written again: the same job is polled many times."""
        self._pending: dict[RegisteredId, datetime] = {}
        """The entries that could not be written so far, each with its time of arrival, in that order."""

    async def record_response(self, call: str, response: Body) -> None:
        """Store every id in a response, also if the caller has been cancelled in the meantime.

        Does not raise if the ids cannot be written; they are written with the next response.

        Args:
            call: the method and path of the request, such as `GET /api/v1/data-collection/…`.
            response: the parsed body of the response.
        """
        if isinstance(response, ID_BEARING_RESPONSES):
            await self._record(
                ids_in_response(response, ParsedCall(call, self.connection, self.workspace_id))
            )

    async def record_created(self, kind: RemoteKind, id: str, name: str = "") -> None:
        """Record a resource as created here: its name if the response had none, its id if that was lost."""
        await self._record([RegisteredId(self.connection, kind, id, name, self.workspace_id, was_made=True)])

    async def created_since(self, since: datetime, kind: RemoteKind, name: str) -> list[str]:
        """Return the ids of resources with this name that were created here since a time, the newest first.

        Raises:
            StorageUnavailable: the disk is full, or another program has locked the database.
        """
        await self.store_pending()
        registered = await asyncio.to_thread(self._registry.all, self.connection, kind)
        created = (entry for entry in registered if entry.was_made and entry.name == name)
        return [entry.id for entry in created if entry.first_at is not None and entry.first_at >= since]

    async def was_known_before(self, kind: RemoteKind, id: str, before: datetime) -> bool:
        """Whether a resource was in the registry before a time."""
        entry = await asyncio.to_thread(self._registry.find, self.connection, kind, id)
        return entry is not None and entry.first_at is not None and entry.first_at < before

    async def store_pending(self) -> None:
        """Write the ids that could not be written so far.

        Raises:
            StorageUnavailable: they still cannot be written.
        """
        await asyncio.to_thread(self._store, ())

    async def _record(self, ids: Iterable[RegisteredId]) -> None:
        with suppress(StorageUnavailable):
            await asyncio.shield(asyncio.to_thread(self._store, ids))

    def _store(self, ids: Iterable[RegisteredId]) -> None:
        with self._lock:
            now = datetime.now(UTC)
            for registered in ids:
                if registered not in self._stored:
                    self._pending.setdefault(registered, now)
            if self._pending:
                self._registry.save(*(replace(entry, first_at=at) for entry, at in self._pending.items()))
                self._stored |= self._pending.keys()
                self._pending.clear()
