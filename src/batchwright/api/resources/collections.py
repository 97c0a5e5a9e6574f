"""Calls about collections: pages of content and instructions that need neither a dataset nor a setup.

Wire reference, section 10.
"""

import asyncio
from dataclasses import replace

from batchwright.api.http.lazy_list import LazyList
from batchwright.api.http.pagination import fetch_all_pages
from batchwright.api.http.response_parsing import ABSENT, RequestTarget
from batchwright.api.http.transport import Transport
from batchwright.api.http.urls import segment
from batchwright.base.i18n import _
from batchwright.wire.collections import (
    Collection,
    CollectionCreate,
    CollectionReplace,
    CollectionResponse,
)
from batchwright.wire.pagination import Listing

_COLLECTIONS = "/api/v1/data-collection/collections"


class Collections:
    """Calls about collections. Calls about their exports are in `api.exports`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def list(self, workspace_id: str) -> Listing[Collection]:
        """Fetch all collections of a workspace, newest first; a service may omit their pages.

        A service normally returns all of them in one response. If it returns one page only, the following
        pages are fetched too, up to the `count` it reports.
        """
        return await fetch_all_pages(self._transport, _COLLECTIONS, Listing[Collection], workspace_id)

    async def create(self, collection: CollectionCreate) -> Collection:
        """Create a collection; a study can use it immediately.

        Raises:
            BadRequest: a page or an item is invalid; the error message of the service says which.
            FeatureOff: collections are not enabled for the workspace.
            OutcomeUnknown: the response was lost; `list` shows whether the collection was created.
        """
        return await self._transport.send("POST", _COLLECTIONS, model=Collection, body=collection)

    async def get(self, collection_id: str) -> Collection:
        """Fetch the current state of a collection, with its pages."""
        path = _path(collection_id)
        return await self._transport.send("GET", path, model=Collection, target=_read_target(collection_id))

    async def replace(self, collection_id: str, replacement: CollectionReplace) -> Collection:
        """Replace the whole content of a collection (wire reference, section 10.2).

        Pages and items with an `id` keep it, those without one are created, and all others are deleted.

        Raises:
            BadRequest: a page or an item is invalid; the error message of the service says which.
        """
        path = _path(collection_id)
        return await self._transport.send(
            "PUT", path, model=Collection, body=replacement, target=collection_target(collection_id)
        )

    async def responses(self, collection_id: str, limit: int | None = None) -> LazyList[CollectionResponse]:
        """Fetch all answers, if the service offers that (wire reference, section 10.3).

        With a `limit`, only that many of the newest are requested; a service may send all nevertheless.

        Raises:
            NotFound: the collection does not exist, or the service does not offer this list.
        """
        path, target = f"{_path(collection_id)}/responses", _read_target(collection_id)
        params = None if limit is None else {"limit": str(limit)}
        return await self._transport.list(path, CollectionResponse, target=target, params=params)

    async def response_count(self, collection_id: str) -> int:
        """The number of answers, like `api.batches.Batches.response_count`.

        Raises:
            NotFound: the collection does not exist, or the service does not offer its answers as a list.
        """
        newest = await self.responses(collection_id, limit=1)
        return await asyncio.to_thread(newest.total, 1)


def collection_target(collection_id: str) -> RequestTarget:
    """Describe a collection as the target of a request; 400 can have reasons other than an unknown id."""
    return RequestTarget(_("collection {id}").format(id=collection_id))


def _read_target(collection_id: str) -> RequestTarget:
    """Describe a collection as the target of a read request.

    Such a request can only be rejected because of the id, with 400 as well as 404 (wire reference, section
    2.4).
    """
    return replace(collection_target(collection_id), absent=ABSENT | {400})


def _path(collection_id: str) -> str:
    return f"{_COLLECTIONS}/{segment(collection_id)}"
