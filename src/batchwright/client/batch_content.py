"""The batch that a study defines."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from batchwright.client.published_content import (
    PublishedContent,
    details_of,
    task_details,
)
from batchwright.layout.item_types.registry import DatasetField
from batchwright.layout.model import Layout
from batchwright.layout.stored_form import canonical
from batchwright.local.projects import Project, study_name
from batchwright.schema.model import Schema
from batchwright.wire.batches import TaskDetails


@dataclass(frozen=True)
class DesiredBatch:
    """The state that a batch should have.

    `ids` are the service's ids of layout nodes by key, as far as they are known; `schema` is the study's
    schema, which the dataset must have too. `study_id` tells the batch from those of other studies with the
    same dataset, or also without one (`dataset_id` is None).
    """

    name: str
    details: TaskDetails
    layout: Layout
    dataset_id: str | None
    ids: Mapping[str, str] = field(default_factory=dict)
    schema: Schema | None = None
    study_id: str = ""
    language: str = ""
    """The language of its participants; empty for that of the program."""

    @property
    def dataset_ids(self) -> tuple[str, ...]:
        """The dataset, if there is one."""
        return (self.dataset_id,) if self.dataset_id is not None else ()

    def content(self, layout: Layout) -> PublishedContent:
        """The content of the batch with a layout that is written otherwise."""
        return PublishedContent(self.name, details_of(self.details), self.dataset_ids, canonical(layout))


def desired_batch(
    project: Project, dataset_id: str | None, ids: Mapping[str, str] | None = None
) -> DesiredBatch:
    """The batch that a study defines."""
    name, details = study_name(project), task_details(project)
    return DesiredBatch(
        name,
        details,
        project.layout,
        dataset_id,
        ids or {},
        project.schema,
        project.study_id,
        project.language,
    )


def shows_fields(layout: Layout) -> bool:
    """Whether a layout shows fields of a dataset, so that its batch needs one."""
    return layout.count(DatasetField) > 0
