"""Changing the schema of a dataset, and waiting for the migration of its datapoints."""

from collections.abc import Sequence
from dataclasses import dataclass

from batchwright.api.http.errors import ApiError, NotFound, OutcomeUnknown
from batchwright.base.i18n import _
from batchwright.base.json_values import json_equal
from batchwright.client.checkpoint import Checkpoint
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import ChangedMeanwhile
from batchwright.client.job_monitoring.status import JobKind
from batchwright.schema.model import Schema
from batchwright.schema.parsing import write_schema
from batchwright.wire.datasets import Dataset, SchemaUpdate
from batchwright.wire.imports import ImportJob, ImportStatus
from batchwright.wire.migrations import MigrationJob, MigrationStatus


class MigrationFailed(Exception):
    """A migration failed and the datapoints are unchanged; the text is the service's reason.

    Specification, States.
    """


@dataclass(frozen=True)
class SchemaChangeResult:
    """A dataset with its new schema, and the ended migration; None if there was none or it is unknown."""

    dataset: Dataset
    migration: MigrationJob | None = None
    released: Sequence[ImportJob] = ()
    """The imports that had waited for the first schema, after their end."""


async def change_schema(
    context: WorkflowContext, dataset_id: str, schema: Schema, title: str, expected: Dataset | None = None
) -> SchemaChangeResult:
    """Set the schema of a V4 dataset, and wait for the migration that this starts.

    If the dataset has this schema already, no request is sent, because each update would create a version. If
    the operation was interrupted, the migration that it had started is waited for (specification, Datasets
    rule 1).

    `expected` is the dataset as it was when the user decided on the change.

    Raises:
        ChangedMeanwhile: the schema is no longer that of `expected`.
        MigrationFailed: the migration failed; no datapoint was changed.
        JobUnreachable: the migration continues, but cannot be polled at the moment.
        BadRequest: it is a V3 dataset, or the task group column would change.
        ApiError: a request failed permanently.
    """
    update = SchemaUpdate(schema=dict(write_schema(schema)))
    before = await context.service.datasets.get(dataset_id)
    checkpoint = context.checkpoint("schema", dataset_id, update.schema_)
    if _has_schema(before, update):
        return await _result_if_unchanged(context, checkpoint, before, title)
    if expected is not None and not json_equal(before.schema_, expected.schema_):
        raise ChangedMeanwhile(_("The schema of “{name}”").format(name=title))
    await checkpoint.record(begins_migration=before.schema_ is not None, migration=None)
    try:
        dataset = await context.service.datasets.update_schema(dataset_id, update)
    except OutcomeUnknown:
        context.notify(_("The response was lost; checking whether the schema was changed."))
        dataset = await context.service.datasets.get(dataset_id)
        if _has_schema(dataset, update):
            return await _result_if_unchanged(context, checkpoint, dataset, title)
        dataset = await context.service.datasets.update_schema(dataset_id, update)
    except ApiError:
        # A rejected request has started no migration.
        await checkpoint.clear()
        raise
    if not dataset.migration_job_id:
        await checkpoint.clear()
        return SchemaChangeResult(dataset, released=await _wait_for_released(context, before))
    await checkpoint.record(migration=dataset.migration_job_id)
    return await _wait_for_migration(context, checkpoint, dataset, dataset.migration_job_id, title)


async def _wait_for_released(context: WorkflowContext, before: Dataset) -> Sequence[ImportJob]:
    """Wait for the imports that waited for the first schema of a dataset, which releases them."""
    await context.jobs.resume_polling()
    waiting = [job for job in before.imports or () if job.status == ImportStatus.PENDING_SCHEMA]
    for job in reversed(waiting):
        title = job.filename or before.name
        context.notify(_("The schema is saved; importing {name}").format(name=title))
        subject = {"dataset_id": before.id, "import_id": job.import_id}
        async for _status in context.jobs.statuses(JobKind.IMPORT, subject, title):
            pass
    return [await context.service.datasets.import_job(before.id, job.import_id) for job in waiting]


async def _result_if_unchanged(
    context: WorkflowContext, checkpoint: Checkpoint, dataset: Dataset, title: str
) -> SchemaChangeResult:
    """The result for a dataset that already has the schema; wait for a migration started earlier.

    Imports that waited for a schema that someone else has set are polled again in the background.
    """
    await context.jobs.resume_polling()
    steps = await checkpoint.steps()
    if "migration" in steps:
        return await _wait_for_migration(context, checkpoint, dataset, str(steps["migration"]), title)
    await checkpoint.clear()
    if steps.get("begins_migration"):
        context.notify(
            _("The schema was changed. The records are being migrated; the service does not report the end.")
        )
    return SchemaChangeResult(dataset)


async def _wait_for_migration(
    context: WorkflowContext, checkpoint: Checkpoint, dataset: Dataset, job_id: str, title: str
) -> SchemaChangeResult:
    """Wait for a migration, then clear the checkpoint, also if the service no longer has the migration."""
    subject = {"dataset_id": dataset.id, "job_id": job_id}
    if not await context.jobs.has_ended(JobKind.MIGRATION, subject):
        async for _status in context.jobs.statuses(JobKind.MIGRATION, subject, title):
            pass
    try:
        job = await context.service.datasets.migration(dataset.id, job_id)
    except NotFound:
        await checkpoint.clear()
        raise
    await checkpoint.clear()
    if job.status not in (MigrationStatus.COMPLETE, MigrationStatus.PARTIAL):
        raise MigrationFailed(job.reason or job.status)
    return SchemaChangeResult(dataset, job)


def _has_schema(dataset: Dataset, update: SchemaUpdate) -> bool:
    return dataset.schema_ is not None and json_equal(dataset.schema_, update.schema_)
