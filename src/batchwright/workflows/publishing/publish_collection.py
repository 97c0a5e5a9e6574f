"""Publishing a study as a collection: it is created or replaced, and the ids it got at the service return.

A collection has no setup: participants see what was published at once.
"""

import asyncio
from collections.abc import Sequence

from batchwright.api.http.errors import NotFound
from batchwright.base.i18n import _, program_language
from batchwright.base.json_values import Json, is_array
from batchwright.client.checkpoint import Checkpoint
from batchwright.client.collection_content import DesiredCollection
from batchwright.client.context import WorkflowContext
from batchwright.client.create_once import create_once
from batchwright.client.published_content import (
    content_sent,
    editable_details,
    record_sent,
)
from batchwright.client.resilient_run import RecoveryHooks, run_resiliently
from batchwright.client.resource_content import content_of, layout_of
from batchwright.client.task_layouts import is_on_this_computer, record_collection
from batchwright.layout.collection_pages import (
    to_collection_items,
)
from batchwright.layout.ids import collect_ids
from batchwright.local.id_registry import RemoteKind
from batchwright.local.projects import LastSent
from batchwright.wire.base import to_payload
from batchwright.wire.collections import Collection, CollectionCreate, CollectionReplace, PageWrite
from batchwright.wire.local_routes import ParticipantLanguage
from batchwright.workflows.answers.count_answers import count_or_none
from batchwright.workflows.publishing.published import (
    Published,
    WithAnswerCount,
    just_sent,
    published,
    update,
)


async def create_collection(
    context: WorkflowContext, request: CollectionCreate, hooks: RecoveryHooks | None = None
) -> Collection:
    """Create a collection, and return it with its pages.

    If the response is lost, the collection is looked for in the list of collections. Outages during that are
    handled here with `hooks`: retrying the whole operation would create a second collection.

    Raises:
        OutcomeUnknown: it may have been created, but cannot be told apart from others.
        ApiError: a request failed permanently.
    """

    async def list_collections(context: WorkflowContext) -> tuple[Collection, ...]:
        return (await context.service.collections.list(request.workspace_id)).results

    def is_alike(candidate: Collection) -> bool:
        """Whether a listed collection matches; it may come without its pages (wire reference, 10.1)."""
        candidate_details, details = candidate.task_details, request.task_details
        has_details = (
            candidate_details is None or to_payload(candidate_details).items() >= to_payload(details).items()
        )
        has_pages = candidate.page_count in (None, len(request.collection_items))
        return candidate.name == request.name and has_details and has_pages

    collection = await create_once(
        lambda: context.service.collections.create(request),
        lambda: run_resiliently(context, list_collections, hooks),
        is_alike,
        context.notify,
    )
    await context.id_recorder.record_created(RemoteKind.COLLECTION, collection.id)
    if collection.collection_items is not None:
        return collection
    return await run_resiliently(
        context, lambda context: context.service.collections.get(collection.id), hooks
    )


async def fetch_with_answer_count(
    context: WorkflowContext, collection_id: str
) -> WithAnswerCount[Collection]:
    """Fetch a collection and count its answers, which not every service offers.

    Raises:
        ApiError: the collection could not be fetched; it is no error if its answers could not be counted.
    """
    collection = await context.service.collections.get(collection_id)
    answers = await count_or_none(context.service.collections.response_count(collection_id))
    return WithAnswerCount(collection, answers)


async def create_or_replace_collection(
    context: WorkflowContext, desired: DesiredCollection, replaces: Collection | None, existing_id: str = ""
) -> Published[Collection]:
    """Create a collection, or replace the existing one.

    Args:
        context: the context of the connection.
        desired: the state that the collection should have.
        replaces: the collection as it was when the user decided to replace it; None to create one.
        existing_id: the id of the study's existing collection if a further one is to be created.

    Raises:
        ChangedMeanwhile: the collection has changed since.
        BadRequest: the service rejected a page or an item.
        ApiError: a request failed permanently.
    """
    result = (
        await _publish_new(context, desired, existing_id)
        if replaces is None
        else await _replace(context, desired, replaces)
    )
    await record_collection(context, result.resource)
    if is_on_this_computer(context):
        setting = ParticipantLanguage(language=desired.language or program_language().tag)
        await context.service.local.set_language_of_collection(result.resource.id, setting)
    return result


async def copy_collection(
    context: WorkflowContext, collection_id: str, name: str, hooks: RecoveryHooks | None = None
) -> Collection:
    """Create a collection with the content of another one; its pages and items get ids of their own.

    Lost responses and outages are handled as in `create_collection`.

    Raises:
        OutcomeUnknown: it may have been created, but cannot be told apart from others.
        ApiError: a request failed permanently.
    """
    original = await context.service.collections.get(collection_id)

    def request() -> CollectionCreate:
        layout = layout_of(original)
        return CollectionCreate(
            name=name,
            workspace_id=original.workspace_id or context.workspace_id,
            task_details=editable_details(original.task_details),
            collection_items=_pages(to_collection_items(layout, {})),
        )

    return await create_collection(context, await asyncio.to_thread(request), hooks)


async def _publish_new(
    context: WorkflowContext, desired: DesiredCollection, existing_id: str
) -> Published[Collection]:
    """Create a collection, or return the one that an interrupted attempt created from this study.

    The study is identified by its name and the key of its first page, which is different in every study. If
    it has changed since that attempt, the collection is left unchanged: the user is asked whether to replace
    it, and a second one is never created without being asked for.
    """
    first_page = [page.key for page in desired.layout.pages[:1]]
    existing = (existing_id,) if existing_id else ()
    async with context.locked_checkpoint("collection", desired.name, *first_page, *existing) as checkpoint:
        unfinished = await _find_unfinished(context, checkpoint, desired)
        if unfinished is not None:
            steps = await checkpoint.steps()
            sent = LastSent(str(steps["sent"]), str(steps["returned"]), str(steps["at"]))
            return await asyncio.to_thread(published, unfinished, desired, sent)
        request = await asyncio.to_thread(
            lambda: CollectionCreate(
                name=desired.name,
                workspace_id=context.workspace_id,
                task_details=desired.details,
                collection_items=_pages(to_collection_items(desired.layout, {})),
            )
        )
        digest = (await asyncio.to_thread(content_sent, desired)).digest
        listed = (await context.service.collections.list(context.workspace_id)).results
        await checkpoint.record(before=[collection.id for collection in listed], sent=digest)
        collection = await create_collection(context, request)
        sent = await asyncio.to_thread(just_sent, desired, collection)
        await checkpoint.record(collection=collection.id, **vars(sent))
        return await asyncio.to_thread(published, collection, desired, sent)


async def _find_unfinished(
    context: WorkflowContext, checkpoint: Checkpoint, desired: DesiredCollection
) -> Collection | None:
    """The current state of the collection in the checkpoint; None if it does not exist.

    If only the request is recorded, the collection is looked for: one with this name and these task details
    that was not listed before the request.
    """
    steps, collections = await checkpoint.steps(), context.service.collections
    try:
        if "collection" in steps:
            return await collections.get(str(steps["collection"]))
        if is_array(before := steps.get("before")):
            created_id = await _find_created(context, desired, before)
            if created_id is not None:
                collection = await collections.get(created_id)
                content = await asyncio.to_thread(content_of, collection)
                sent = record_sent(str(steps["sent"]), content)
                await checkpoint.record(collection=collection.id, **vars(sent))
                return collection
    except NotFound:
        await checkpoint.clear()
    return None


async def _find_created(
    context: WorkflowContext, desired: DesiredCollection, before: Sequence[Json]
) -> str | None:
    """The id of the collection that a request without a result has created; None if there is none."""
    content = await asyncio.to_thread(content_sent, desired)
    earlier = set(map(str, before))
    for collection in (await context.service.collections.list(context.workspace_id)).results:
        if collection.id not in earlier and content_of(collection).is_named_like(content):
            await context.id_recorder.record_created(RemoteKind.COLLECTION, collection.id)
            return collection.id
    return None


async def _replace(
    context: WorkflowContext, desired: DesiredCollection, replaces: Collection
) -> Published[Collection]:
    """Replace a collection."""
    collections = context.service.collections

    async def send(collection: Collection) -> Collection:
        return await collections.replace(
            collection.id, await asyncio.to_thread(_replacement, collection, desired)
        )

    name = _("The collection “{name}”").format(name=replaces.name)
    return await update(context, desired, replaces, lambda: collections.get(replaces.id), send, name)


def _replacement(collection: Collection, desired: DesiredCollection) -> CollectionReplace:
    """The request, with only those ids that the collection still has.

    The service would reject others.
    """
    existing_ids = frozenset(collect_ids(layout_of(collection)))
    ids = {key: id for key, id in desired.ids.items() if id in existing_ids}
    return CollectionReplace(
        name=desired.name,
        task_details=desired.details,
        collection_items=_pages(to_collection_items(desired.layout, ids)),
    )


def _pages(collection_items: list[Json]) -> tuple[PageWrite, ...]:
    return tuple(PageWrite.model_validate(page) for page in collection_items)
