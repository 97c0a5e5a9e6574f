"""Recording ids: every id in a response is stored in the id registry before the caller gets the response.

Some resources, datasets for example, cannot be listed: between a response and the next line of code an id
could be lost for ever. If an id cannot be stored, because the disk is full, say, it is kept in memory and
written with the next one, and the request does not fail: withholding a response would cause a second
creation.

`ids_in_response` finds the ids in a response.
"""

import asyncio
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import singledispatch
from urllib.parse import unquote

from batchwright.base.database import StorageUnavailable
from batchwright.local.id_registry import IdRegistry, RegisteredId, RemoteKind
from batchwright.wire.account import Participant
from batchwright.wire.base import Body
from batchwright.wire.batches import Batch
from batchwright.wire.collections import Collection
from batchwright.wire.datasets import Dataset, UploadUrl
from batchwright.wire.exports import ExportJob
from batchwright.wire.imports import ImportJob
from batchwright.wire.pagination import Listing

_RESOURCE_SEGMENT = 4
"""Index of the first path segment that identifies a resource, after `/api/v1/data-collection/`."""


class ParsedCall:
    """A request as `Transport` describes it, method and path, parsed into the segments of the path."""

    def __init__(self, call: str, connection: str, workspace_id: str) -> None:
        method, _space, path = call.partition(" ")
        self.is_create = method == "POST"
        self._connection, self._workspace_id = connection, workspace_id
        self._segments = [unquote(segment) for segment in path.split("/")[_RESOURCE_SEGMENT:]]

    def segment(self, index: int) -> str | None:
        """A path segment after `/api/v1/data-collection/`, counted from 0; None if the path is shorter."""
        return self._segments[index] if index < len(self._segments) else None

    def registered(
        self,
        kind: RemoteKind,
        id: str,
        name: str = "",
        *,
        was_made: bool = False,
        workspace_id: str = "",
        parent_id: str | None = None,
    ) -> RegisteredId:
        """A registry entry for a resource, by default in the workspace of the request."""
        where = workspace_id or self._workspace_id
        return RegisteredId(self._connection, kind, id, name, where, parent_id, was_made)


ID_BEARING_RESPONSES = (Dataset, Batch, Collection, UploadUrl, ImportJob, ExportJob, Participant, Listing)
"""The response models that contain ids."""


@singledispatch
def ids_in_response(_response: Body, _call: ParsedCall) -> Iterator[RegisteredId]:
    """Yield a registry entry for every resource that a response mentions."""
    yield from ()


@ids_in_response.register
def _by_dataset(response: Dataset, call: ParsedCall) -> Iterator[RegisteredId]:
    workspace_id = response.workspace_id
    yield call.registered(
        RemoteKind.DATASET, response.id, response.name, was_made=call.is_create, workspace_id=workspace_id
    )
    for job in response.imports or ():
        name = job.filename or ""
        yield call.registered(
            RemoteKind.IMPORT, job.import_id, name, workspace_id=workspace_id, parent_id=response.id
        )


@ids_in_response.register
def _by_batch(response: Batch, call: ParsedCall) -> Iterator[RegisteredId]:
    workspace_id = response.workspace_id
    yield call.registered(
        RemoteKind.BATCH, response.id, response.name, was_made=call.is_create, workspace_id=workspace_id
    )
    for dataset in response.datasets:
        yield call.registered(RemoteKind.DATASET, dataset.id, workspace_id=workspace_id)


@ids_in_response.register
def _by_collection(response: Collection, call: ParsedCall) -> Iterator[RegisteredId]:
    workspace_id = response.workspace_id
    yield call.registered(
        RemoteKind.COLLECTION, response.id, response.name, was_made=call.is_create, workspace_id=workspace_id
    )


@ids_in_response.register
def _by_upload_url(response: UploadUrl, call: ParsedCall) -> Iterator[RegisteredId]:
    """Each upload URL creates an import; its path ends with the name of the file (wire reference, 4.5)."""
    if response.import_id:
        dataset_id, name = call.segment(1), call.segment(3) or ""
        yield call.registered(
            RemoteKind.IMPORT, response.import_id, name, was_made=True, parent_id=dataset_id
        )


@ids_in_response.register
def _by_import(response: ImportJob, call: ParsedCall) -> Iterator[RegisteredId]:
    name = response.filename or ""
    yield call.registered(RemoteKind.IMPORT, response.import_id, name, parent_id=call.segment(1))


@ids_in_response.register
def _by_export(response: ExportJob, call: ParsedCall) -> Iterator[RegisteredId]:
    """A completed export may come without its id, which is then in the path, if anywhere.

    Wire reference, section 8.
    """
    export_id = response.export_id or call.segment(3)
    if export_id:
        yield call.registered(
            RemoteKind.EXPORT, export_id, was_made=call.is_create, parent_id=call.segment(1)
        )


@ids_in_response.register
def _by_participant(response: Participant, call: ParsedCall) -> Iterator[RegisteredId]:
    yield call.registered(RemoteKind.PARTICIPANT, response.participant_id, was_made=call.is_create)


@ids_in_response.register
def _by_listing(response: Listing, call: ParsedCall) -> Iterator[RegisteredId]:  # type: ignore[type-arg]  # dispatched at run time
    for entry in response.results:
        yield from ids_in_response(entry, call)


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
        """The ids of resources with this name that were created here since a time, the newest first.

        Raises:
            StorageUnavailable: the disk is full, or another program has locked the database.
        """
        await self.store_pending()
        registered = await asyncio.to_thread(self._registry.all, self.connection, kind)
        created = (entry for entry in registered if entry.was_made and entry.name == name)
        return [entry.id for entry in created if entry.first_at is not None and entry.first_at >= since]

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
