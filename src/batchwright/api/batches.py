"""Batches: creating, changing, setting up, and what participants answered (wire.md 5 and 7)."""

from batchwright.api.addresses import segment
from batchwright.api.long_lists import LongList
from batchwright.api.transport import Transport
from batchwright.wire.batches import Batch, BatchCreate, BatchSetup, BatchState, BatchUpdate
from batchwright.wire.lists import Listing
from batchwright.wire.reports import Download
from batchwright.wire.responses import ResponseRecord
from batchwright.wire.syncs import SyncJob

_BATCHES = "/api/v1/data-collection/batches"
_UNKNOWN = frozenset({400, 404})
"""Reading a batch can be refused for nothing but its id, and then with either status (wire.md 2.4)."""


class Batches:
    """Calls about batches."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def list(self, workspace_id: str) -> Listing[Batch]:
        """The batches of a workspace, newest first (wire.md 1.6).

        A service answers with all of them. Should one answer with a slice, the rest is asked for, as far as
        its count goes.
        """
        params = {"workspace_id": workspace_id}
        listing = await self._transport.send("GET", _BATCHES, into=Listing[Batch], params=params)
        found = {batch.id: batch for batch in listing.results}
        while len(found) < listing.count:
            params["offset"] = str(len(found))
            more = await self._transport.send("GET", _BATCHES, into=Listing[Batch], params=params)
            if found.keys() >= {batch.id for batch in more.results}:
                break
            found |= {batch.id: batch for batch in more.results}
        return listing.model_copy(update={"results": tuple(found.values())})

    async def create(self, batch: BatchCreate) -> Batch:
        """Make a batch (wire.md 5.4).

        Raises:
            LayoutRefused: items of the layout are at fault.
            Unsure: the answer was lost; `list` shows whether the batch was made.
        """
        return await self._transport.send("POST", _BATCHES, into=Batch, body=batch)

    async def get(self, batch_id: str) -> Batch:
        """The batch as it is now."""
        return await self._transport.send("GET", _path(batch_id), into=Batch, absent=_UNKNOWN)

    async def update(self, batch_id: str, changes: BatchUpdate) -> Batch:
        """Change what is set in `changes`; a layout given replaces the old one, null clears it (wire.md 5.4).

        Raises:
            LayoutRefused: items of the layout are at fault.
            Unsure: the answer was lost; `get` shows whether the change was made.
        """
        return await self._transport.send("PATCH", _path(batch_id), into=Batch, body=changes)

    async def status(self, batch_id: str) -> BatchState:
        """The status alone (wire.md 5.3)."""
        path = f"{_path(batch_id)}/status"
        return await self._transport.send("GET", path, into=BatchState, absent=_UNKNOWN)

    async def set_up(self, batch_id: str, setup: BatchSetup) -> None:
        """Have tasks made of the dataset; the batch is `PROCESSING` until it is `READY` or in `ERROR`.

        Raises:
            Refused: no dataset is attached, or it is not ready (specification, Batches rule 4).
            Unsure: the answer was lost; `status` shows whether setup began.
        """
        await self._transport.send("POST", f"{_path(batch_id)}/setup", into=None, body=setup)

    async def sync(self, batch_id: str) -> SyncJob:
        """Have tasks made of the datapoints that came after setup and the last sync (wire.md 5.5).

        Safe to repeat: a sync goes on where the one before has stopped (Batches rule 7).

        Raises:
            Refused: the batch is not `READY`, or has no dataset.
        """
        return await self._transport.send("POST", f"{_path(batch_id)}/sync", into=SyncJob, repeatable=True)

    async def sync_job(self, batch_id: str, sync_id: str) -> SyncJob:
        """How far a sync has come (wire.md 5.5)."""
        path = f"{_path(batch_id)}/syncs/{segment(sync_id)}"
        return await self._transport.send("GET", path, into=SyncJob)

    async def responses(self, batch_id: str) -> LongList[ResponseRecord]:
        """Every answer of every participant, a record per task and instruction (wire.md 7.1)."""
        return await self._transport.list(f"{_path(batch_id)}/responses", ResponseRecord, absent=_UNKNOWN)

    async def report(self, batch_id: str) -> Download:
        """An address to download the report from, a CSV file (wire.md 7.2)."""
        return await self._transport.send("GET", f"{_path(batch_id)}/report/", into=Download)


def _path(batch_id: str) -> str:
    return f"{_BATCHES}/{segment(batch_id)}"
