"""Calls about batches: create, change, set up, sync, fetch responses (wire reference, sections 5 and 7)."""

import asyncio
from dataclasses import replace

from batchwright.api.http.lazy_list import LazyList
from batchwright.api.http.pagination import fetch_all_pages
from batchwright.api.http.response_parsing import ABSENT, RequestTarget
from batchwright.api.http.transport import Transport
from batchwright.api.http.urls import segment
from batchwright.base.i18n import _
from batchwright.wire.batches import (
    Batch,
    BatchCreate,
    BatchDuplicate,
    BatchSetup,
    BatchStatusResponse,
    BatchUpdate,
    DownloadLink,
)
from batchwright.wire.pagination import IdList, Listing
from batchwright.wire.responses import ResponseRecord
from batchwright.wire.syncs import SyncJob

_BATCHES = "/api/v1/data-collection/batches"


class Batches:
    """Calls about batches."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def list(self, workspace_id: str) -> Listing[Batch]:
        """Fetch all batches of a workspace, newest first (wire reference, section 1.6).

        A service normally returns all of them in one response. If it returns one page only, the following
        pages are fetched too, up to the `count` it reports.
        """
        return await fetch_all_pages(self._transport, _BATCHES, Listing[Batch], workspace_id)

    async def create(self, batch: BatchCreate) -> Batch:
        """Create a batch (wire reference, section 5.4).

        Raises:
            LayoutRejected: items of the layout are invalid.
            OutcomeUnknown: the response was lost; `list` shows whether the batch was created.
        """
        return await self._transport.send("POST", _BATCHES, model=Batch, body=batch)

    async def get(self, batch_id: str) -> Batch:
        """Fetch the current state of a batch."""
        return await self._transport.send("GET", _path(batch_id), model=Batch, target=_read_target(batch_id))

    async def update(self, batch_id: str, changes: BatchUpdate) -> Batch:
        """Change the fields that are set in `changes`; a layout replaces the existing one, null clears it.

        Raises:
            LayoutRejected: items of the layout are invalid.
            OutcomeUnknown: the response was lost; `get` shows whether the change was made.
        """
        path = _path(batch_id)
        return await self._transport.send(
            "PATCH", path, model=Batch, body=changes, target=batch_target(batch_id)
        )

    async def duplicate(self, batch_id: str, request: BatchDuplicate) -> Batch:
        """Copy a batch and its layout; the dataset is shared or omitted (specification, Batches rule 8).

        The response lacks the fields that only a batch after setup has (wire reference, section 5.1).

        Raises:
            OutcomeUnknown: the response was lost; `list` shows whether the copy was created.
        """
        path, target = f"{_path(batch_id)}/duplicate", batch_target(batch_id)
        return await self._transport.send("POST", path, model=Batch, body=request, target=target)

    async def status(self, batch_id: str) -> BatchStatusResponse:
        """Fetch only the status of a batch (wire reference, section 5.3)."""
        path = f"{_path(batch_id)}/status"
        return await self._transport.send(
            "GET", path, model=BatchStatusResponse, target=_read_target(batch_id)
        )

    async def set_up(self, batch_id: str, setup: BatchSetup) -> None:
        """Start the setup, which creates tasks from the dataset.

        The batch has the status `PROCESSING` until it is `READY` or `ERROR`.

        Raises:
            BadRequest: no dataset is attached, or it is not ready (specification, Batches rule 4).
            OutcomeUnknown: the response was lost; `status` shows whether setup was started.
        """
        path = f"{_path(batch_id)}/setup"
        await self._transport.send("POST", path, model=None, body=setup, target=batch_target(batch_id))

    async def sync(self, batch_id: str) -> SyncJob:
        """Start a sync: create tasks from datapoints added since the last one (wire reference, section 5.5).

        Safe to repeat: a sync continues where the previous one stopped (specification, Batches rule 7).

        Raises:
            BadRequest: the batch is not `READY`, or has no dataset.
        """
        path, target = f"{_path(batch_id)}/sync", batch_target(batch_id)
        return await self._transport.send("POST", path, model=SyncJob, repeatable=True, target=target)

    async def sync_job(self, batch_id: str, sync_id: str) -> SyncJob:
        """Fetch the status of a sync (wire reference, section 5.5)."""
        path = f"{_path(batch_id)}/syncs/{segment(sync_id)}"
        target = RequestTarget(_("sync {id}").format(id=sync_id))
        return await self._transport.send("GET", path, model=SyncJob, target=target)

    async def responses(self, batch_id: str, limit: int | None = None) -> LazyList[ResponseRecord]:
        """Fetch all answers, one record per participant, task and instruction (wire reference, 7.1).

        With a `limit`, only that many of the newest are requested; a service may send all nevertheless.
        """
        path, target = f"{_path(batch_id)}/responses", _read_target(batch_id)
        params = None if limit is None else {"limit": str(limit)}
        return await self._transport.list(path, ResponseRecord, target=target, params=params)

    async def response_count(self, batch_id: str) -> int:
        """The number of records in `responses`.

        The request asks for one record; a service that does not support `limit` sends all of them, which are
        then counted.

        Raises:
            ApiError: the request failed, after the last retry.
        """
        newest = await self.responses(batch_id, limit=1)
        return await asyncio.to_thread(newest.total, 1)

    async def report(self, batch_id: str) -> DownloadLink:
        """Fetch a URL from which the report, a CSV file, can be downloaded (wire reference, section 7.2)."""
        path = f"{_path(batch_id)}/report/"
        return await self._transport.send("GET", path, model=DownloadLink, target=batch_target(batch_id))

    async def tasks(self, batch_id: str) -> tuple[str, ...]:
        """Fetch the ids of the tasks of a batch; nothing else is returned (wire reference, section 12)."""
        path = f"{_path(batch_id)}/tasks"
        return (await self._transport.send("GET", path, model=IdList, target=_read_target(batch_id))).ids

    async def task_groups(self, batch_id: str) -> tuple[str, ...]:
        """Fetch the ids of the task groups of a batch (wire reference, section 12)."""
        path = f"{_path(batch_id)}/task-groups"
        return (await self._transport.send("GET", path, model=IdList, target=_read_target(batch_id))).ids


def batch_target(batch_id: str) -> RequestTarget:
    """Describe a batch as the target of a request; 400 can have reasons other than an unknown id."""
    return RequestTarget(_("batch {id}").format(id=batch_id))


def _read_target(batch_id: str) -> RequestTarget:
    """Describe a batch as the target of a read request.

    Such a request can only be rejected because of the id, with 400 as well as 404 (wire reference, section
    2.4).
    """
    return replace(batch_target(batch_id), absent=ABSENT | {400})


def _path(batch_id: str) -> str:
    return f"{_BATCHES}/{segment(batch_id)}"
