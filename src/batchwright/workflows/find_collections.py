"""Finding the collections that a study may have been sent to, and connecting the study with one of them.

The file of a study may not say which collection it belongs to: the official command-line client has created
the collection, or the file was moved.
"""

import asyncio
from collections.abc import Iterable, Set

from batchwright.client.collection_content import DesiredCollection
from batchwright.client.context import WorkflowContext
from batchwright.client.resource_content import layout_of
from batchwright.client.sent_content import ids_in
from batchwright.layout.comparing.node_matching import match_nodes
from batchwright.layout.ids import collect_ids
from batchwright.layout.model import Layout
from batchwright.local.projects import RemoteBinding
from batchwright.wire.collections import Collection


async def find_similar_collections(
    context: WorkflowContext, desired: DesiredCollection, ids: Set[str]
) -> tuple[Collection, ...]:
    """The collections of the workspace with one of these ids or with the name of the study.

    Those with an id come first, the newest first otherwise. Ids of pages and items are found if the service
    lists the pages.

    Args:
        context: the context of the connection.
        desired: what the study defines.
        ids: the ids that the file of the study contains.
    """
    listed = (await context.service.collections.list(context.workspace_id)).results
    return await asyncio.to_thread(_similar, listed, desired.name, ids)


def _similar(listed: Iterable[Collection], name: str, ids: Set[str]) -> tuple[Collection, ...]:
    similar: list[tuple[bool, Collection]] = []
    for collection in listed:
        has_id = bool(ids) and not ids.isdisjoint((collection.id, *collect_ids(layout_of(collection))))
        if has_id or collection.name == name:
            similar.append((not has_id, collection))
    return tuple(collection for _order, collection in sorted(similar, key=lambda entry: entry[0]))


async def bind_to_collection(
    context: WorkflowContext, desired: DesiredCollection, collection_id: str
) -> RemoteBinding:
    """The binding of a study to a collection, with the ids of the pages and items that both have."""
    collection = await context.service.collections.get(collection_id)
    return RemoteBinding(
        workspace_id=collection.workspace_id or context.workspace_id,
        collection_id=collection.id,
        ids=await asyncio.to_thread(_common_ids, desired.layout, collection),
    )


def _common_ids(layout: Layout, collection: Collection) -> dict[str, str]:
    remote = layout_of(collection)
    ids = ids_in(remote)
    return {key: ids[other] for key, other in match_nodes(layout, remote).items() if other in ids}
