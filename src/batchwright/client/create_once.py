"""Creating a resource exactly once, even if the response to the request is lost.

A request that creates something is repeated only after checking whether the resource exists.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol, TypeVar

from batchwright.api.http.errors import OutcomeUnknown
from batchwright.base.i18n import _
from batchwright.client.context import Notify


class HasId(Protocol):
    """A resource in a list of the service."""

    @property
    def id(self) -> str:
        """The id that the service assigned."""


T = TypeVar("T", bound=HasId)


async def create_once(
    create: Callable[[], Awaitable[T]],
    list_all: Callable[[], Awaitable[Iterable[T]]],
    is_alike: Callable[[T], bool],
    notify: Notify,
) -> T:
    """Create a resource; if the response is lost, look for a new, matching resource before trying once more.

    Args:
        create: sends the request.
        list_all: fetches the resources that exist. It is called before the first request, and again after a
            lost response: what only the second list has was created in between.
        is_alike: whether a listed resource could be the requested one.
        notify: is notified that the response was lost.

    Raises:
        OutcomeUnknown: the response was lost, and several new resources match or the response to the second
            request was lost too. The user has to check.
        ApiError: a request failed permanently.
    """
    ids_before = {item.id for item in await list_all()}
    try:
        return await create()
    except OutcomeUnknown:
        notify(_("The response was lost; checking whether it was created."))
        candidates = [item for item in await list_all() if item.id not in ids_before and is_alike(item)]
        if len(candidates) > 1:
            raise
        if candidates:
            return candidates[0]
    return await create()
