"""Looking up a dataset that exists at the service, and attaching it to a study."""

from dataclasses import dataclass, replace

from batchwright.client.context import WorkflowContext
from batchwright.client.dataset_schemas import lacks_schema, schema_of
from batchwright.local.projects import RemoteBinding
from batchwright.schema.model import Schema
from batchwright.wire.datasets import Dataset, DatasetStatus
from batchwright.wire.imports import ImportStatus


@dataclass(frozen=True)
class DatasetLookup:
    """A dataset that was looked up, with its schema, and the workspace of the connection."""

    dataset: Dataset
    schema: Schema | None
    workspace_id: str

    @property
    def is_in_other_workspace(self) -> bool:
        """Whether the dataset belongs to another workspace than that of the connection."""
        return bool(self.dataset.workspace_id) and self.dataset.workspace_id != self.workspace_id

    @property
    def has_records(self) -> bool:
        """Whether it has records; a processed V3 dataset need not report their number."""
        is_processed_v3 = not self.dataset.is_v4 and self.dataset.status == DatasetStatus.READY
        return is_processed_v3 or self.dataset.total_datapoint_count > 0

    @property
    def import_id(self) -> str | None:
        """The newest import without rejections, which setting up a batch requires."""
        return newest_complete_import(self.dataset)

    def attached_to(self, remote: RemoteBinding) -> RemoteBinding:
        """What a study has at the connection once the dataset is attached to it."""
        workspace_id = self.dataset.workspace_id or self.workspace_id
        attached = remote.with_dataset(
            workspace_id, self.dataset.id, self.import_id, is_filled=self.has_records
        )
        return replace(attached, lacks_schema=lacks_schema(self.dataset))


async def look_up_dataset(context: WorkflowContext, dataset_id: str) -> DatasetLookup:
    """Look up a dataset.

    Raises:
        NotFound: there is no dataset with this id.
        ApiError: the lookup failed.
    """
    dataset = await context.service.datasets.get(dataset_id)
    return DatasetLookup(dataset, schema_of(dataset), context.workspace_id)


def newest_complete_import(dataset: Dataset) -> str | None:
    """The newest import of a dataset without rejections; None if there is none."""
    complete = (job for job in dataset.imports or () if job.status == ImportStatus.COMPLETE)
    return next((job.import_id for job in complete), None)
