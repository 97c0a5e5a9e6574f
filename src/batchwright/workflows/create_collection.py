"""Creating a collection, exactly once (wire reference, 10.2)."""

from batchwright.client.context import WorkflowContext
from batchwright.client.create_once import create_once
from batchwright.local.id_registry import RemoteKind
from batchwright.wire.base import to_payload
from batchwright.wire.collections import Collection, CollectionCreate


async def create_collection(bench: WorkflowContext, wanted: CollectionCreate) -> Collection:
    """Create a collection, and return it with its pages.

    Raises:
        OutcomeUnknown: it may have been created, but cannot be told apart from others.
        ApiError: a request failed permanently.
    """
    collections = bench.service.collections

    async def listed() -> tuple[Collection, ...]:
        return (await collections.list(wanted.workspace_id)).results

    def is_alike(one: Collection) -> bool:
        """Whether a listed collection matches; it may come without its pages (wire reference, 10.1)."""
        given, details = one.task_details, wanted.task_details
        has_details = given is None or to_payload(given).items() >= to_payload(details).items()
        has_pages = one.page_count in (None, len(wanted.collection_items))
        return one.name == wanted.name and has_details and has_pages

    made = await create_once(lambda: collections.create(wanted), listed, is_alike, bench.notify)
    await bench.id_recorder.record_created(RemoteKind.COLLECTION, made.id)
    return made if made.collection_items is not None else await collections.get(made.id)
