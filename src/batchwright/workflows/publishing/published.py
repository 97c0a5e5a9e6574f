"""What publishing a study as a batch and as a collection have in common: its result, and an update."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from batchwright.client.content_review import DesiredResource, MergedContent, with_content
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import ChangedMeanwhile
from batchwright.client.published_content import (
    ContentComparison,
    content_sent,
    content_stored,
    record_sent,
)
from batchwright.client.resource_content import Resource, compare, content_of, ids_of
from batchwright.client.sent_content import with_resource_content
from batchwright.client.update_once import update_once
from batchwright.local.projects import LastSent

R = TypeVar("R", bound=Resource)


@dataclass(frozen=True)
class WithAnswerCount(Generic[R]):
    """A batch or collection as the service has it now; `answers` is None if they could not be counted."""

    resource: R
    answers: int | None


@dataclass(frozen=True)
class Published(Generic[R]):
    """A batch or collection as the service has it now, its ids of nodes by key, and what was sent.

    `is_earlier` is True if an earlier attempt had created it, from an older version of the study.
    """

    resource: R
    ids: Mapping[str, str]
    last_sent: LastSent
    is_earlier: bool = False


def just_sent(desired: DesiredResource, resource: Resource) -> LastSent:
    """The record of a batch or collection just returned by the service, without its content."""
    return record_sent(content_sent(desired).digest, content_of(resource))


def published(resource: R, desired: DesiredResource, sent: LastSent) -> Published[R]:
    """The result; the record of what was sent has the content, unless the service has another one by now.

    It has one from an earlier version of the study if an interrupted attempt had created it.
    """
    is_earlier = compare(resource, desired, sent) is not ContentComparison.UP_TO_DATE
    ids = ids_of(resource, desired.layout)
    if not is_earlier:
        sent = with_resource_content(sent, resource, desired.layout, ids)
    return Published(resource, ids, sent, is_earlier)


def record_adopted(desired: DesiredResource, theirs: MergedContent, resource: Resource) -> LastSent:
    """The record of the last request for a study that has the content of the service."""
    adopted = with_content(desired, theirs)
    return with_resource_content(just_sent(adopted, resource), resource, adopted.layout, adopted.ids)


async def update(
    context: WorkflowContext,
    desired: DesiredResource,
    replaces: R,
    fetch: Callable[[], Awaitable[R]],
    send: Callable[[R], Awaitable[R]],
    name: str,
) -> Published[R]:
    """Update a batch or collection, unless it has changed since the user decided on the update.

    Args:
        context: the context of the connection.
        desired: the state that it should have.
        replaces: it as it was when the user decided on the update.
        fetch: fetches its current state.
        send: sends the update of this state.
        name: what it is called in messages.

    Raises:
        ChangedMeanwhile: it has changed since.
        ApiError: a request failed permanently.
    """
    updated = await update_once(
        fetch,
        send,
        content_of,
        before=await asyncio.to_thread(content_of, replaces),
        desired=await asyncio.to_thread(content_stored, desired),
        changed=ChangedMeanwhile(name),
        notify=context.notify,
    )
    return await asyncio.to_thread(lambda: published(updated, desired, just_sent(desired, updated)))
