"""Changing a schema: a dataset gets another one, and its datapoints are watched on their way to it."""

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
    """The datapoints stay as they were; the text is the service's reason (specification, States)."""


@dataclass(frozen=True)
class SchemaChangeResult:
    """A dataset with its schema, and the migration as it ended; None where none ran, or none is known."""

    dataset: Dataset
    migration: MigrationJob | None = None

    @property
    def nulled(self) -> Sequence[NulledField]:
        """The values that did not fit and are null now, as far as the service names them."""
        return (self.migration.errors or ()) if self.migration else ()


async def change_schema(
    bench: WorkflowContext, dataset_id: str, schema: Schema, title: str, known: Dataset | None = None
) -> SchemaChangeResult:
    """Give a V4 dataset a schema, and wait for the migration that this begins (Datasets rule 1).

    A dataset that has this schema already is left alone: each update would write a version. When this was
    begun before and stopped, the migration that it has begun is waited for.

    `known` is the dataset as it was when the change was decided on.

    Raises:
        ChangedMeanwhile: it has another schema by now.
        MigrationFailed: no datapoint was brought to the new schema.
        JobUnreachable: the migration goes on, and cannot be seen at the moment.
        BadRequest: it is a V3 dataset, or the column of task groups would change.
        ApiError: a request failed for good.
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
        # What was refused has begun no migration.
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
    """A dataset that has the schema already, with the migration which this work has begun, if it did."""
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
    """Wait for a migration; `trail` is at its end with it, also when nobody knows the migration any more."""
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
