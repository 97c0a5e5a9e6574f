"""The collections that a study may have been sent to are found, and one of them becomes the study's."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from batchwright.base.json_values import Json
from batchwright.client.collection_content import DesiredCollection
from batchwright.layout.collection_pages import items_of, layout_from_collection
from batchwright.layout.model import Layout, Page
from batchwright.layout.serialization import random_keys
from batchwright.service.process import ServiceAddress
from batchwright.workflows.find_collections import bind_to_collection, find_similar_collections
from batchwright.workflows.publishing.publish_collection import copy_collection, create_or_replace_collection
from tests.api.studies import DETAILS
from tests.workflows.contexts import context_at

TEXT: Json = {"type": "rich_text", "content": "**Your** shed", "content_format": "markdown"}
TOOLS: Json = {"type": "free_text", "description": "Which tools?"}
SIZE: Json = {"type": "free_text", "description": "How large?"}


def shed(name: str, *pages: list[Any]) -> DesiredCollection:
    layout = layout_from_collection([{"page_items": items} for items in pages], random_keys())
    return DesiredCollection(name, DETAILS, layout)


def keys(layout: Layout) -> Iterator[str]:
    """The keys of pages and items in reading order."""
    for page in layout.pages:
        assert isinstance(page, Page)
        yield page.key
        yield from (item.key for item in items_of(page))


async def test_collections_are_found_by_id_and_by_name(running: ServiceAddress, tmp_path: Path) -> None:
    desired = shed("Shed to be found", [TOOLS])

    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        created = await create_or_replace_collection(context, desired, None)
        older, item_id = created.resource.id, created.ids[list(keys(desired.layout))[1]]
        newer = (await copy_collection(context, older, desired.name)).id

        async def found(name: str, *ids: str) -> list[str]:
            similar = await find_similar_collections(context, replace(desired, name=name), {*ids})
            return [collection.id for collection in similar]

        assert await found(desired.name) == [newer, older]
        assert await found(desired.name, item_id) == [older, newer]
        assert await found("Another name", item_id) == [older]
        assert await found("Another name", newer, "unknown") == [newer]
        assert await found("Another name") == []


async def test_a_study_gets_the_ids_of_what_it_has_in_common_with_a_collection(
    running: ServiceAddress, tmp_path: Path
) -> None:
    sent = shed("Shed", [TEXT, TOOLS], [SIZE])
    read = shed("Shed", [SIZE], [{"type": "free_text", "description": "New?"}, TEXT, TOOLS])

    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        created = await create_or_replace_collection(context, sent, None)
        first, text, tools, second, size = (created.ids[key] for key in keys(sent.layout))
        binding = await bind_to_collection(context, read, created.resource.id)
        assert (binding.collection_id, binding.workspace_id) == (created.resource.id, context.workspace_id)
        ids = [binding.ids.get(key) for key in keys(read.layout)]
        assert ids == [second, size, first, None, text, tools]
        replaced = await create_or_replace_collection(
            context, replace(read, ids=binding.ids), created.resource
        )
        assert set(binding.ids.values()) < set(replaced.ids.values())
