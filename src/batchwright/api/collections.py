"""Collections: pages of content and instructions without a dataset and without a setup.

Wire reference, section 10.
"""

from dataclasses import replace

from batchwright.api.lazy_list import LazyList
from batchwright.api.pagination import fetch_all_pages
from batchwright.api.response_parsing import ABSENT, RequestTarget
from batchwright.api.transport import Transport
from batchwright.api.urls import segment
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
    """Calls about collections; their exports are among the others (`exports`)."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def list(self, workspace_id: str) -> Listing[Collection]:
        """The collections of a workspace, newest first; they may come without their pages.

        A service answers with all of them. Should one answer with a slice, the rest is asked for, as far as
        its count goes.
        """
        return await fetch_all_pages(self._transport, _COLLECTIONS, Listing[Collection], workspace_id)

    async def create(self, collection: CollectionCreate) -> Collection:
        """Make a collection, which a study can use at once.

        Raises:
            BadRequest: a page or an item is at fault; the service's text says which.
            FeatureOff: the workspace has no collections.
            OutcomeUnknown: the answer was lost; `list` shows whether the collection was made.
        """
        return await self._transport.send("POST", _COLLECTIONS, into=Collection, body=collection)

    async def get(self, collection_id: str) -> Collection:
        """The collection as it is now, with its pages."""
        path = _path(collection_id)
        return await self._transport.send("GET", path, into=Collection, sought=_sought(collection_id))

    async def replace(self, collection_id: str, whole: CollectionReplace) -> Collection:
        """Put everything of a collection in the place of what is there (wire reference, 10.2).

        Pages and items that give their `id` are kept, those without one are new, all others are deleted.

        Raises:
            BadRequest: a page or an item is at fault; the service's text says which.
        """
        path = _path(collection_id)
        return await self._transport.send(
            "PUT", path, into=Collection, body=whole, sought=named(collection_id)
        )

    async def responses(self, collection_id: str) -> LazyList[CollectionResponse]:
        """Every answer of every participant, where the service offers that (wire reference, 10.3).

        Raises:
            NotFound: there is no such collection, or the service has no such list yet.
        """
        path = f"{_path(collection_id)}/responses"
        return await self._transport.list(path, CollectionResponse, sought=_sought(collection_id))


def named(collection_id: str) -> RequestTarget:
    """A collection, in a request that can be refused with 400 for other reasons, too."""
    return RequestTarget(_("collection {id}").format(id=collection_id))


def _sought(collection_id: str) -> RequestTarget:
    """Reading one can be refused for nothing but its id, and then with either status.

    Wire reference, section 2.4.
    """
    return replace(named(collection_id), absent=ABSENT | {400})


def _path(collection_id: str) -> str:
    return f"{_COLLECTIONS}/{segment(collection_id)}"
