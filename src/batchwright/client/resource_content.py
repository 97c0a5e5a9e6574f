"""What batches and collections have in common as a service returns them: pages, layout and content."""

from collections.abc import Sequence
from typing import TypeAlias

from batchwright.base.json_values import Json, is_array, is_object
from batchwright.client.published_content import (
    ContentComparison,
    DesiredState,
    PublishedContent,
    compare_contents,
    details_of,
)
from batchwright.layout.collection_pages import ids_from_collection, layout_from_collection
from batchwright.layout.ids import ids_from_response
from batchwright.layout.model import Layout
from batchwright.layout.serialization import read, sequential_keys
from batchwright.layout.stored_form import canonical
from batchwright.local.projects import LastSent
from batchwright.wire.base import to_payload
from batchwright.wire.batches import Batch
from batchwright.wire.collections import Collection

Resource: TypeAlias = Batch | Collection


def pages_of(resource: Resource) -> list[Json]:
    """The pages; a legacy batch has none, and a collection in a list may lack them."""
    if isinstance(resource, Collection):
        return [to_payload(page) for page in resource.collection_items or ()]
    return list(resource.batch_items) if is_array(resource.batch_items) else []


def layout_of(resource: Resource) -> Layout:
    """The pages as a layout, with their ids; each item of a collection is in a row of its own."""
    read_pages = layout_from_collection if isinstance(resource, Collection) else read
    return read_pages(pages_of(resource), sequential_keys())


def ids_of(resource: Resource, layout: Layout) -> dict[str, str]:
    """The service's ids of the nodes of a layout, by key, if the layout is what was sent."""
    find_ids = ids_from_collection if isinstance(resource, Collection) else ids_from_response
    return find_ids(layout, pages_of(resource))


def content_of(resource: Resource) -> PublishedContent:
    """The content as the service returned it."""
    datasets = () if isinstance(resource, Collection) else resource.datasets
    return PublishedContent(
        resource.name,
        details_of(resource.task_details),
        tuple(dataset.id for dataset in datasets),
        canonical(layout_of(resource)),
    )


def compare(resource: Resource, desired: DesiredState, last: LastSent | None) -> ContentComparison:
    """Compare a batch or collection with its study; `last` is what was last sent to it, if known."""
    return compare_contents(content_of(resource), desired, last)


def item_count(resource: Resource) -> int:
    """The number of items, without reading them."""
    if isinstance(resource, Collection):
        return sum(len(page.page_items) for page in resource.collection_items or ())
    return sum(
        len(_entries(column, "items"))
        for page in pages_of(resource)
        for row in _entries(page, "rows")
        for column in _entries(row, "columns")
    )


def _entries(value: Json, name: str) -> Sequence[Json]:
    entries = value.get(name) if is_object(value) else None
    return entries if is_array(entries) else ()
