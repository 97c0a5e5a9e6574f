"""Complete lists of a workspace, also from services that respond with one page at a time.

Wire reference, section 1.6.
"""

from typing import TypeVar

from batchwright.api.transport import Transport
from batchwright.wire.batches import Batch
from batchwright.wire.collections import Collection
from batchwright.wire.pagination import Listing

T = TypeVar("T", Batch, Collection)


async def fetch_all_pages(
    transport: Transport, path: str, into: type[Listing[T]], workspace_id: str
) -> Listing[T]:
    """Fetch all entries of a list, without duplicates.

    Pages are requested until the reported `count` is reached or a page has no new entries.

    Raises:
        ApiError: as for `Transport.send`.
    """
    params = {"workspace_id": workspace_id}
    listing = await transport.send("GET", path, model=into, params=params)
    found = {entry.id: entry for entry in listing.results}
    while len(found) < listing.count:
        params["offset"] = str(len(found))
        more = {
            entry.id: entry
            for entry in (await transport.send("GET", path, model=into, params=params)).results
        }
        if found.keys() >= more.keys():
            break
        found |= more
    return listing.model_copy(update={"results": tuple(found.values())})
