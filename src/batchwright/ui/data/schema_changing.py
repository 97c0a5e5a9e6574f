"""Changing the schema of the study's dataset, watched to the end of the migration that it begins."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from batchwright.client.context import WorkflowContext
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.ui.data.operations import DatasetOperation, OperationState, UpdateProgress, Work
from batchwright.ui.data.schema_plan import SchemaDiff
from batchwright.wire.datasets import Dataset
from batchwright.wire.migrations import MigrationJob, MigrationStatus, NulledField
from batchwright.workflows.change_schema import change_schema


@dataclass(frozen=True)
class SchemaChangeOperation(DatasetOperation):
    """A schema change as it stands; `migration` once it has ended, None where none ran or none is known."""

    diff: SchemaDiff | None = None
    migration: MigrationJob | None = None
    message: str = ""
    """What the workflow told last."""

    @property
    def equals_new_upload(self) -> bool:
        """Whether the dataset is what it would be had its data been uploaded with this schema."""
        is_done = self.migration is not None and self.migration.status == MigrationStatus.COMPLETE
        return is_done and self.diff is not None and not self.diff.added

    @property
    def cleared_values(self) -> Sequence[NulledField]:
        """The values that did not fit and are empty now, as far as the service names them."""
        return (self.migration.errors or ()) if self.migration else ()


def schema_change_work(dataset: Dataset, diff: SchemaDiff) -> Work:
    """The work of changing a schema."""

    async def work(context: WorkflowContext, _recovery: RecoveryHooks | None, update: UpdateProgress) -> None:
        update(state=OperationState.RUNNING)
        telling = replace(context, tell=lambda sentence: update(message=sentence))
        changed = await change_schema(telling, dataset.id, diff.new, dataset.name, dataset)
        update(migration=changed.migration)

    return work
