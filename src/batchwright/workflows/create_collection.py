"""Making a collection, once (wire.md 10.2)."""

from batchwright.client.context import Workbench
from batchwright.client.create_once import made_once
from batchwright.local.id_registry import Kind
from batchwright.wire.base import payload
from batchwright.wire.collections import Collection, CollectionCreate


async def make_collection(bench: Workbench, wanted: CollectionCreate) -> Collection:
    """A new collection, with its pages.

    Raises:
        Unsure: it may have been made, but cannot be told from others.
        ApiError: a request failed for good.
    """
    collections = bench.service.collections

    async def listed() -> tuple[Collection, ...]:
        return (await collections.list(wanted.workspace_id)).results

    def is_alike(one: Collection) -> bool:
        """A listed one may come without its pages (wire.md 10.1)."""
        given, details = one.task_details, wanted.task_details
        has_details = given is None or payload(given).items() >= payload(details).items()
        has_pages = one.page_count in (None, len(wanted.collection_items))
        return one.name == wanted.name and has_details and has_pages

    made = await made_once(lambda: collections.create(wanted), listed, is_alike, bench.tell)
    await bench.memory.made(Kind.COLLECTION, made.id)
    return made if made.collection_items is not None else await collections.get(made.id)
