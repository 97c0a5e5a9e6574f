"""The collection that a study defines."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from batchwright.client.published_content import (
    PublishedContent,
    details_of,
    task_details,
)
from batchwright.layout.collection_pages import layout_from_collection, to_collection_items
from batchwright.layout.model import Layout
from batchwright.layout.serialization import sequential_keys
from batchwright.layout.stored_form import canonical
from batchwright.local.projects import Project, study_name
from batchwright.wire.batches import TaskDetails


@dataclass(frozen=True)
class DesiredCollection:
    """The state that a collection should have; `ids` are the service's ids of pages and items by key."""

    name: str
    details: TaskDetails
    layout: Layout
    ids: Mapping[str, str] = field(default_factory=dict)
    language: str = ""
    """The language of its participants; empty for that of the program."""

    @property
    def dataset_ids(self) -> tuple[str, ...]:
        """None: a collection has no data."""
        return ()

    def content(self, layout: Layout) -> PublishedContent:
        """The content with each item of a layout in a row of its own, as a collection is read."""
        pages = layout_from_collection(to_collection_items(layout, {}), sequential_keys())
        return PublishedContent(self.name, details_of(self.details), (), canonical(pages))


def desired_collection(project: Project, ids: Mapping[str, str] | None = None) -> DesiredCollection:
    """The collection that a study defines."""
    return DesiredCollection(
        study_name(project), task_details(project), project.layout, ids or {}, project.language
    )
