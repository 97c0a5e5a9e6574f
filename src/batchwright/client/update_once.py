"""Updating a resource without overwriting changes of others, even if the response to the request is lost."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from batchwright.api.http.errors import OutcomeUnknown
from batchwright.base.i18n import _
from batchwright.client.context import Notify
from batchwright.client.errors import ChangedMeanwhile
from batchwright.client.published_content import PublishedContent

T = TypeVar("T")


async def update_once(
    fetch: Callable[[], Awaitable[T]],
    send: Callable[[T], Awaitable[T]],
    content_of: Callable[[T], PublishedContent],
    before: PublishedContent,
    desired: PublishedContent,
    changed: ChangedMeanwhile,
    notify: Notify,
) -> T:
    """Update a resource to the desired content; nothing is sent if it has that already.

    Args:
        fetch: fetches its current state.
        send: sends the update of this state.
        content_of: returns the content of a state; called in a thread.
        before: its content when the user decided on the update.
        desired: the content it should have, as the service stores it.
        changed: raised if it has neither the previous nor the desired content.
        notify: is notified that the response was lost.

    Raises:
        ChangedMeanwhile: it has changed since the user decided on the update. A service that renders Markdown
            differently from `layout.rich_text` may have saved an update whose response was lost.
        ApiError: a request failed permanently.
    """

    async def update() -> T:
        current = await fetch()
        content = await asyncio.to_thread(content_of, current)
        if content == desired:
            return current
        if content != before:
            raise changed
        return await send(current)

    try:
        return await update()
    except OutcomeUnknown:
        notify(_("The response was lost; checking whether the change was saved."))
        return await update()
