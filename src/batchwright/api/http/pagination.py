"""Complete lists of a workspace, also from services that respond with one page at a time.

Wire reference, section 1.6.
"""

from typing import TypeVar

from batchwright.api.http.transport import Transport
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
    entries_by_id = {entry.id: entry for entry in listing.results}
    while len(entries_by_id) < listing.count:
        params["offset"] = str(len(entries_by_id))
        more = {
            entry.id: entry
            for entry in (await transport.send("GET", path, model=into, params=params)).results
        }
        if entries_by_id.keys() >= more.keys():
            break
        entries_by_id |= more
    return listing.model_copy(update={"results": tuple(entries_by_id.values())})
