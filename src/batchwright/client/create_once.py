"""Lost answers: what makes a thing is never repeated before it was looked whether the thing is there."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol, TypeVar

from batchwright.api.errors import OutcomeUnknown
from batchwright.base.i18n import _
from batchwright.client.context import Notify


class HasId(Protocol):
    """Something that a service lists."""

    @property
    def id(self) -> str:
        """What the service calls it."""


T = TypeVar("T", bound=HasId)


async def create_once(
    make: Callable[[], Awaitable[T]],
    listed: Callable[[], Awaitable[Iterable[T]]],
    is_alike: Callable[[T], bool],
    tell: Notify,
) -> T:
    """Make something; when the answer is lost, take what has come to be there meanwhile and is alike.

    Args:
        make: asks for it.
        listed: what is there at a moment.
        is_alike: whether something looks like what was asked for.
        tell: is told what happens.

    Raises:
        OutcomeUnknown: the answer was lost, and more than one thing came that it may be, or the answer to the
            second request was lost, too: its owner has to look.
        ApiError: a request failed for good.
    """
    before = {one.id for one in await listed()}
    try:
        return await make()
    except OutcomeUnknown:
        tell(_("The response was lost; checking whether it was created."))
        found = [one for one in await listed() if one.id not in before and is_alike(one)]
        if len(found) > 1:
            raise
        if found:
            return found[0]
    return await make()
