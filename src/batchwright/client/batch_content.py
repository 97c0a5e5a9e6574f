"""The content of a batch: what a study defines, what is sent, and what the service has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from batchwright.base.json_values import Json, is_array, is_object
from batchwright.client.published_content import (
    ContentComparison,
    PublishedContent,
    compare_contents,
    details_of,
    study_name,
    task_details,
)
from batchwright.layout.item_types.registry import DatasetField
from batchwright.layout.model import Layout
from batchwright.layout.serialization import read, sequential_keys
from batchwright.layout.stored_form import canonical
from batchwright.local.projects import LastSent, Project
from batchwright.schema.model import Schema
from batchwright.wire.batches import Batch, TaskDetails


@dataclass(frozen=True)
class DesiredBatch:
    """The state that a batch should have.

    `ids` are the service's ids of layout nodes by key, as far as they are known; `schema` is the study's
    schema, which the dataset must have too. Without a dataset (`dataset_id` is None), `study_id` tells the
    batch from those of other studies.
    """

    name: str
    details: TaskDetails
    layout: Layout
    dataset_id: str | None
    ids: Mapping[str, str] = field(default_factory=dict)
    schema: Schema | None = None
    study_id: str = ""

    def content(self, layout: Layout) -> PublishedContent:
        """The content of the batch with a layout that is written otherwise."""
        dataset_ids = (self.dataset_id,) if self.dataset_id is not None else ()
        return PublishedContent(self.name, details_of(self.details), dataset_ids, canonical(layout))


def desired_batch(
    project: Project, dataset_id: str | None, ids: Mapping[str, str] | None = None
) -> DesiredBatch:
    """The batch that a study defines."""
    name, details = study_name(project), task_details(project)
    return DesiredBatch(
        name, details, project.layout, dataset_id, ids or {}, project.schema, project.study_id
    )


def shows_fields(layout: Layout) -> bool:
    """Whether a layout shows fields of a dataset, so that its batch needs one."""
    return layout.count(DatasetField) > 0


def content_of(batch: Batch) -> PublishedContent:
    """The content of a batch as the service returned it."""
    layout = read(items_of(batch), sequential_keys())
    dataset_ids = tuple(dataset.id for dataset in batch.datasets)
    return PublishedContent(batch.name, details_of(batch.task_details), dataset_ids, canonical(layout))


def compare(batch: Batch, desired: DesiredBatch, last: LastSent | None) -> ContentComparison:
    """Compare a batch with its study; `last` is what was last sent to it, if known."""
    return compare_contents(content_of(batch), desired, last)


def items_of(batch: Batch) -> list[Json]:
    """The pages of a batch; a legacy batch has none."""
    return list(batch.batch_items) if is_array(batch.batch_items) else []


def item_count(batch: Batch) -> int:
    """The number of items of a batch."""
    return sum(
        len(_entries(column, "items"))
        for page in items_of(batch)
        for row in _entries(page, "rows")
        for column in _entries(row, "columns")
    )


def _entries(value: Json, name: str) -> Sequence[Json]:
    entries = value.get(name) if is_object(value) else None
    return entries if is_array(entries) else ()
