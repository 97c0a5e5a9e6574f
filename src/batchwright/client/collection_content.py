"""The content of a collection: what a study defines, what is sent, and what the service has."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from batchwright.base.json_values import Json
from batchwright.client.published_content import (
    ContentComparison,
    PublishedContent,
    compare_contents,
    details_of,
    study_name,
    task_details,
)
from batchwright.layout.collection_pages import layout_from_collection, to_collection_items
from batchwright.layout.model import Layout
from batchwright.layout.serialization import sequential_keys
from batchwright.layout.stored_form import canonical
from batchwright.local.projects import LastSent, Project
from batchwright.wire.base import to_payload
from batchwright.wire.batches import TaskDetails
from batchwright.wire.collections import Collection


@dataclass(frozen=True)
class DesiredCollection:
    """The state that a collection should have; `ids` are the service's ids of pages and items by key."""

    name: str
    details: TaskDetails
    layout: Layout
    ids: Mapping[str, str] = field(default_factory=dict)

    def content(self, layout: Layout) -> PublishedContent:
        """The content with each item of a layout in a row of its own, as a collection is read."""
        pages = layout_from_collection(to_collection_items(layout, {}), sequential_keys())
        return PublishedContent(self.name, details_of(self.details), (), canonical(pages))


def desired_collection(project: Project, ids: Mapping[str, str] | None = None) -> DesiredCollection:
    """The collection that a study defines."""
    return DesiredCollection(study_name(project), task_details(project), project.layout, ids or {})


def content_of(collection: Collection) -> PublishedContent:
    """The content of a collection as the service returned it; a list entry may lack the pages."""
    layout = layout_from_collection(pages_of(collection), sequential_keys())
    return PublishedContent(collection.name, details_of(collection.task_details), (), canonical(layout))


def compare(collection: Collection, desired: DesiredCollection, last: LastSent | None) -> ContentComparison:
    """Compare a collection with its study; `last` is what was last sent to it, if known."""
    return compare_contents(content_of(collection), desired, last)


def pages_of(collection: Collection) -> list[Json]:
    """The pages of a collection as JSON; empty if the response has none."""
    return [to_payload(page) for page in collection.collection_items or ()]


def item_count(collection: Collection) -> int:
    """The number of items of a collection; 0 if the response has no pages."""
    return sum(len(page.page_items) for page in collection.collection_items or ())
