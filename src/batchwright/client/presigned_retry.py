"""Fresh addresses: a file goes by one that expires, and by another once storage takes that no more."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from batchwright.api.errors import PresignedUrlExpired
from batchwright.base.i18n import _
from batchwright.client.context import Notify

_MAX_ADDRESSES = 3
"""How many addresses are asked for before a file counts as not to be moved."""

Address = TypeVar("Address")
Moved = TypeVar("Moved")


async def with_presigned_retry(
    ask: Callable[[], Awaitable[Address]],
    move: Callable[[Address], Awaitable[Moved]],
    name: str,
    tell: Notify,
) -> Moved:
    """Move a file, with a new address whenever the one before is not accepted any more.

    Args:
        ask: has the service make an address.
        move: sends or fetches the file by an address; what it does with a later one is its own matter.
        name: of the file, for who is told.
        tell: is told what happens.

    Raises:
        PresignedUrlExpired: no address was accepted.
        ApiError: a request failed for good.
        OSError: the file cannot be read, or not be written.
    """
    for _earlier in range(_MAX_ADDRESSES - 1):
        address = await ask()
        try:
            return await move(address)
        except PresignedUrlExpired:
            tell(_("The address for {name} has expired; asking for a new one.").format(name=name))
    return await move(await ask())
