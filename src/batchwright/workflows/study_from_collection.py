"""Opening a collection of the workspace as a study, which can be edited and replace the collection."""

import asyncio
from dataclasses import replace

from batchwright.client.collection_content import content_sent, desired_collection, last_sent, pages_of
from batchwright.client.context import WorkflowContext
from batchwright.client.published_content import editable_details
from batchwright.client.sent_content import with_collection_content
from batchwright.layout.collection_pages import (
    ids_from_collection,
    layout_from_collection,
    to_collection_items,
)
from batchwright.layout.serialization import random_keys, sequential_keys
from batchwright.local.projects import Project, RemoteBinding, StudyKind


async def study_from_collection(context: WorkflowContext, collection_id: str) -> Project:
    """Return a study with the current content of a collection.

    It includes the service's ids of pages and items, so that replacing the collection keeps them. For later
    comparisons, the study counts as what was last sent to the collection.

    Raises:
        ApiError: a request failed permanently.
    """
    collection = await context.service.collections.get(collection_id)
    pages = pages_of(collection)
    # The service's ids are stored beside the layout, not in it.
    without_ids = to_collection_items(layout_from_collection(pages, sequential_keys()), {})
    layout = layout_from_collection(without_ids, random_keys())
    project = Project(
        collection.name,
        layout,
        details=editable_details(collection.task_details),
        kind=StudyKind.COLLECTION,
    )
    ids = ids_from_collection(layout, pages)
    sent = last_sent(content_sent(desired_collection(project)).digest, collection)
    remote = RemoteBinding(
        workspace_id=collection.workspace_id or context.workspace_id,
        collection_id=collection.id,
        ids=ids,
        last_sent=await asyncio.to_thread(with_collection_content, sent, collection, layout, ids),
    )
    return replace(project, remotes={context.id_recorder.connection: remote})
