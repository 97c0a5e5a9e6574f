"""Renewing pre-signed URLs: if storage no longer accepts a URL, the service is asked for another.

Storage alone decides whether a URL has expired, with a 403; no date is compared, since the clock of a laptop
may be wrong.
"""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from batchwright.api.http.errors import PresignedUrlExpired
from batchwright.base.i18n import _
from batchwright.client.context import Notify

_MAX_ADDRESSES = 3
"""How many URLs are requested before a transfer fails."""

Address = TypeVar("Address")
Moved = TypeVar("Moved")


async def with_presigned_retry(
    request_address: Callable[[], Awaitable[Address]],
    transfer: Callable[[Address], Awaitable[Moved]],
    name: str,
    notify: Notify,
) -> Moved:
    """Transfer a file, with a new pre-signed URL whenever storage rejects the current one.

    Args:
        request_address: requests a pre-signed URL from the service.
        transfer: uploads or downloads the file with a URL; called once for each URL.
        name: the name of the file, for notifications.
        notify: is notified of each renewal.

    Raises:
        PresignedUrlExpired: storage accepted none of the URLs.
        ApiError: a request failed permanently.
        OSError: the file cannot be read or written.
    """
    for _earlier in range(_MAX_ADDRESSES - 1):
        address = await request_address()
        try:
            return await transfer(address)
        except PresignedUrlExpired:
            notify(_("The URL for {name} has expired; requesting a new one.").format(name=name))
    return await transfer(await request_address())
