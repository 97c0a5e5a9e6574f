"""Changing the schema of a dataset, and waiting for the migration of its datapoints."""

from collections.abc import Sequence
from dataclasses import dataclass

from batchwright.api.errors import ApiError, NotFound, OutcomeUnknown
from batchwright.base.i18n import _
from batchwright.base.json_values import json_equal
from batchwright.client.checkpoint import Checkpoint
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind
from batchwright.schema.model import Schema
from batchwright.schema.parsing import write_schema
from batchwright.wire.datasets import Dataset, SchemaUpdate
from batchwright.wire.migrations import MigrationJob, MigrationStatus, NulledField
from batchwright.workflows.changed_meanwhile import ChangedMeanwhile


class MigrationFailed(Exception):
    """A migration failed and the datapoints are unchanged; the text is the service's reason.

    Specification, States.
    """


@dataclass(frozen=True)
class SchemaChangeResult:
    """A dataset with its new schema, and the ended migration; None if there was none or it is unknown."""

    dataset: Dataset
    migration: MigrationJob | None = None

    @property
    def nulled(self) -> Sequence[NulledField]:
        """The values that did not fit the new schema and are null now, as far as the service lists them."""
        return (self.migration.errors or ()) if self.migration else ()


async def change_schema(
    bench: WorkflowContext, dataset_id: str, schema: Schema, title: str, known: Dataset | None = None
) -> SchemaChangeResult:
    """Set the schema of a V4 dataset, and wait for the migration that this starts.

    If the dataset has this schema already, no request is sent, because each update would create a version. If
    the operation was interrupted, the migration that it had started is waited for (specification, Datasets
    rule 1).

    `known` is the dataset as it was when the user decided on the change.

    Raises:
        ChangedMeanwhile: the schema is no longer that of `known`.
        MigrationFailed: the migration failed; no datapoint was changed.
        JobUnreachable: the migration continues, but cannot be polled at the moment.
        BadRequest: it is a V3 dataset, or the task group column would change.
        ApiError: a request failed permanently.
    """
    wanted = SchemaUpdate(schema=dict(write_schema(schema)))
    before = await bench.service.datasets.get(dataset_id)
    trail = bench.checkpoint("schema", dataset_id, wanted.schema_)
    if _has_schema(before, wanted):
        return await _result_if_unchanged(bench, trail, before, title)
    if known is not None and not json_equal(before.schema_, known.schema_):
        raise ChangedMeanwhile(_("The schema of “{name}”").format(name=title))
    await trail.record(begins_migration=before.schema_ is not None, migration=None)
    try:
        dataset = await bench.service.datasets.update_schema(dataset_id, wanted)
    except OutcomeUnknown:
        bench.notify(_("The response was lost; checking whether the schema was changed."))
        dataset = await bench.service.datasets.get(dataset_id)
        if _has_schema(dataset, wanted):
            return await _result_if_unchanged(bench, trail, dataset, title)
        dataset = await bench.service.datasets.update_schema(dataset_id, wanted)
    except ApiError:
        # A rejected request has started no migration.
        await trail.clear()
        raise
    if not dataset.migration_job_id:
        await trail.clear()
        return SchemaChangeResult(dataset)
    await trail.record(migration=dataset.migration_job_id)
    return await _wait_for_migration(bench, trail, dataset, dataset.migration_job_id, title)


async def _result_if_unchanged(
    bench: WorkflowContext, trail: Checkpoint, dataset: Dataset, title: str
) -> SchemaChangeResult:
    """Return the result for a dataset that already has the schema; wait for a migration started earlier."""
    steps = await trail.steps()
    if "migration" in steps:
        return await _wait_for_migration(bench, trail, dataset, str(steps["migration"]), title)
    await trail.clear()
    if steps.get("begins_migration"):
        bench.notify(
            _("The schema was changed. The records are being migrated; the service does not report the end.")
        )
    return SchemaChangeResult(dataset)


async def _wait_for_migration(
    bench: WorkflowContext, trail: Checkpoint, dataset: Dataset, job_id: str, title: str
) -> SchemaChangeResult:
    """Wait for a migration, then clear the checkpoint, also if the service no longer has the migration."""
    subject = {"dataset_id": dataset.id, "job_id": job_id}
    if not await bench.jobs.has_ended(JobKind.MIGRATION, subject):
        async for _sight in bench.jobs.statuses(JobKind.MIGRATION, subject, title):
            pass
    try:
        job = await bench.service.datasets.migration(dataset.id, job_id)
    except NotFound:
        await trail.clear()
        raise
    await trail.clear()
    if job.status not in (MigrationStatus.COMPLETE, MigrationStatus.PARTIAL):
        raise MigrationFailed(job.reason or job.status)
    return SchemaChangeResult(dataset, job)


def _has_schema(dataset: Dataset, wanted: SchemaUpdate) -> bool:
    return dataset.schema_ is not None and json_equal(dataset.schema_, wanted.schema_)
