"""Changing the schema of the study's dataset; the migration that follows is monitored to its end."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from batchwright.client.context import WorkflowContext
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.ui.core.operations import OperationRun, Work
from batchwright.ui.data.dataset_operation import DatasetOperation
from batchwright.ui.data.schema_diff import SchemaDiff
from batchwright.wire.datasets import Dataset
from batchwright.wire.migrations import MigrationJob, MigrationStatus, NulledField
from batchwright.workflows.change_schema import change_schema


@dataclass(frozen=True, kw_only=True)
class SchemaChangeOperation(DatasetOperation):
    """A schema change; `migration` is set when it ends, and None if there was none or it is unknown."""

    diff: SchemaDiff
    migration: MigrationJob | None = None

    @property
    def equals_new_upload(self) -> bool:
        """Whether the dataset is in the same state as if its data had been uploaded with the new schema."""
        is_complete = self.migration is not None and self.migration.status == MigrationStatus.COMPLETE
        return is_complete and not self.diff.added

    @property
    def cleared_values(self) -> Sequence[NulledField]:
        """The values that did not fit the new schema and were cleared, as far as the service lists them."""
        return (self.migration.errors or ()) if self.migration else ()


def schema_change_work(dataset: Dataset, diff: SchemaDiff) -> Work[None]:
    """The work of a schema change."""

    async def work(context: WorkflowContext, _hooks: RecoveryHooks | None, run: OperationRun) -> None:
        run.update(is_connected=True)
        notified = replace(context, notify=lambda text: run.update(text=text))
        changed = await change_schema(notified, dataset.id, diff.new, dataset.name, dataset)
        run.update(migration=changed.migration)

    return work
