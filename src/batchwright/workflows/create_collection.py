"""Creating a collection, exactly once (wire reference, 10.2)."""

from batchwright.client.context import WorkflowContext
from batchwright.client.create_once import create_once
from batchwright.local.id_registry import RemoteKind
from batchwright.wire.base import to_payload
from batchwright.wire.collections import Collection, CollectionCreate


async def create_collection(context: WorkflowContext, request: CollectionCreate) -> Collection:
    """Create a collection, and return it with its pages.

    Raises:
        OutcomeUnknown: it may have been created, but cannot be told apart from others.
        ApiError: a request failed permanently.
    """
    collections = context.service.collections

    async def list_collections() -> tuple[Collection, ...]:
        return (await collections.list(request.workspace_id)).results

    def is_alike(candidate: Collection) -> bool:
        """Whether a listed collection matches; it may come without its pages (wire reference, 10.1)."""
        candidate_details, details = candidate.task_details, request.task_details
        has_details = (
            candidate_details is None or to_payload(candidate_details).items() >= to_payload(details).items()
        )
        has_pages = candidate.page_count in (None, len(request.collection_items))
        return candidate.name == request.name and has_details and has_pages

    collection = await create_once(
        lambda: collections.create(request), list_collections, is_alike, context.notify
    )
    await context.id_recorder.record_created(RemoteKind.COLLECTION, collection.id)
    return collection if collection.collection_items is not None else await collections.get(collection.id)
