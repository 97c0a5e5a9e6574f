"""Batches: creating, changing, setting up, and what participants answered (wire reference, 5 and 7)."""

import asyncio
from dataclasses import replace

from batchwright.api.lazy_list import LazyList
from batchwright.api.pagination import fetch_all_pages
from batchwright.api.response_parsing import ABSENT, RequestTarget
from batchwright.api.transport import Transport
from batchwright.api.urls import segment
from batchwright.base.i18n import _
from batchwright.wire.batches import (
    Batch,
    BatchCreate,
    BatchDuplicate,
    BatchSetup,
    BatchStatusResponse,
    BatchUpdate,
)
from batchwright.wire.pagination import IdList, Listing
from batchwright.wire.reports import DownloadLink
from batchwright.wire.responses import ResponseRecord
from batchwright.wire.syncs import SyncJob

_BATCHES = "/api/v1/data-collection/batches"


class Batches:
    """Calls about batches."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def list(self, workspace_id: str) -> Listing[Batch]:
        """The batches of a workspace, newest first (wire reference, 1.6).

        A service answers with all of them. Should one answer with a slice, the rest is asked for, as far as
        its count goes.
        """
        return await fetch_all_pages(self._transport, _BATCHES, Listing[Batch], workspace_id)

    async def create(self, batch: BatchCreate) -> Batch:
        """Make a batch (wire reference, 5.4).

        Raises:
            LayoutRejected: items of the layout are at fault.
            OutcomeUnknown: the answer was lost; `list` shows whether the batch was made.
        """
        return await self._transport.send("POST", _BATCHES, into=Batch, body=batch)

    async def get(self, batch_id: str) -> Batch:
        """The batch as it is now."""
        return await self._transport.send("GET", _path(batch_id), into=Batch, sought=_sought(batch_id))

    async def update(self, batch_id: str, changes: BatchUpdate) -> Batch:
        """Change what is set in `changes`; a layout given replaces the old one, null clears it.

        Raises:
            LayoutRejected: items of the layout are at fault.
            OutcomeUnknown: the answer was lost; `get` shows whether the change was made.
        """
        path = _path(batch_id)
        return await self._transport.send(
            "PATCH", path, into=Batch, body=changes, sought=batch_target(batch_id)
        )

    async def duplicate(self, batch_id: str, wanted: BatchDuplicate) -> Batch:
        """Make a copy with a layout of its own; the dataset is shared, or left out (Batches rule 8).

        The answer lacks what only a set up batch has (wire reference, 5.1).

        Raises:
            OutcomeUnknown: the answer was lost; `list` shows whether the copy was made.
        """
        path, sought = f"{_path(batch_id)}/duplicate", batch_target(batch_id)
        return await self._transport.send("POST", path, into=Batch, body=wanted, sought=sought)

    async def status(self, batch_id: str) -> BatchStatusResponse:
        """The status alone (wire reference, 5.3)."""
        path = f"{_path(batch_id)}/status"
        return await self._transport.send("GET", path, into=BatchStatusResponse, sought=_sought(batch_id))

    async def set_up(self, batch_id: str, setup: BatchSetup) -> None:
        """Have tasks made of the dataset; the batch is `PROCESSING` until it is `READY` or in `ERROR`.

        Raises:
            BadRequest: no dataset is attached, or it is not ready (specification, Batches rule 4).
            OutcomeUnknown: the answer was lost; `status` shows whether setup began.
        """
        path = f"{_path(batch_id)}/setup"
        await self._transport.send("POST", path, into=None, body=setup, sought=batch_target(batch_id))

    async def sync(self, batch_id: str) -> SyncJob:
        """Have tasks made of the datapoints that came after setup and the last sync (wire reference, 5.5).

        Safe to repeat: a sync goes on where the one before has stopped (Batches rule 7).

        Raises:
            BadRequest: the batch is not `READY`, or has no dataset.
        """
        path, sought = f"{_path(batch_id)}/sync", batch_target(batch_id)
        return await self._transport.send("POST", path, into=SyncJob, repeatable=True, sought=sought)

    async def sync_job(self, batch_id: str, sync_id: str) -> SyncJob:
        """How far a sync has come (wire reference, 5.5)."""
        path = f"{_path(batch_id)}/syncs/{segment(sync_id)}"
        sought = RequestTarget(_("sync {id}").format(id=sync_id))
        return await self._transport.send("GET", path, into=SyncJob, sought=sought)

    async def responses(self, batch_id: str) -> LazyList[ResponseRecord]:
        """Every answer of every participant, a record per task and instruction (wire reference, 7.1)."""
        path = f"{_path(batch_id)}/responses"
        return await self._transport.list(path, ResponseRecord, sought=_sought(batch_id))

    async def response_count(self, batch_id: str) -> int:
        """How many records `responses` has; asks for one of them, and a service may send all.

        Raises:
            ApiError: the request failed for good.
        """
        path, limit = f"{_path(batch_id)}/responses", 1
        params = {"limit": str(limit)}
        newest = await self._transport.list(path, ResponseRecord, sought=_sought(batch_id), params=params)
        return await asyncio.to_thread(newest.total, limit)

    async def report(self, batch_id: str) -> DownloadLink:
        """An address to download the report from, a CSV file (wire reference, 7.2)."""
        path = f"{_path(batch_id)}/report/"
        return await self._transport.send("GET", path, into=DownloadLink, sought=batch_target(batch_id))

    async def tasks(self, batch_id: str) -> tuple[str, ...]:
        """The ids of the tasks of a batch; no more is told of them (wire reference, 12)."""
        path = f"{_path(batch_id)}/tasks"
        return (await self._transport.send("GET", path, into=IdList, sought=_sought(batch_id))).ids

    async def task_groups(self, batch_id: str) -> tuple[str, ...]:
        """The ids of the task groups of a batch (wire reference, 12)."""
        path = f"{_path(batch_id)}/task-groups"
        return (await self._transport.send("GET", path, into=IdList, sought=_sought(batch_id))).ids


def batch_target(batch_id: str) -> RequestTarget:
    """A batch, in a request that can be refused with 400 for other reasons, too."""
    return RequestTarget(_("batch {id}").format(id=batch_id))


def _sought(batch_id: str) -> RequestTarget:
    """Reading a batch can be refused for nothing but its id, and then with either status.

    Wire reference, section 2.4.
    """
    return replace(batch_target(batch_id), absent=ABSENT | {400})


def _path(batch_id: str) -> str:
    return f"{_BATCHES}/{segment(batch_id)}"
