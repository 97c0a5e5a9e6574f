"""Handing a file that has arrived to the worker (specification, Import job status; wire.md 4.6)."""

from batchwright.base.database import Connection
from batchwright.service.store import datasets, imports, jobs, migrations, v3_datasets
from batchwright.service.store.imports import StoredImport
from batchwright.service.store.jobs import StoredJobKind
from batchwright.wire.imports import ImportStatus


def enqueue_import(connection: Connection, job: StoredImport, blob: str, now: int) -> None:
    """Let the worker take a file in when its turn comes.

    One for a V4 dataset without a schema waits for the first schema.
    """
    dataset = datasets.get(connection, job.dataset)
    if dataset.is_v4 and dataset.schema is None:
        imports.mark_uploaded(connection, job.number, blob, ImportStatus.PENDING_SCHEMA, now)
        return
    busy = imports.is_running(connection, job.dataset) or migrations.is_running(connection, job.dataset)
    status = ImportStatus.QUEUED if busy else ImportStatus.PROCESSING
    imports.mark_uploaded(connection, job.number, blob, status, now)
    kind = StoredJobKind.IMPORT if dataset.is_v4 else StoredJobKind.V3_IMPORT
    jobs.add(connection, kind, lane=jobs.dataset_lane(job.dataset), subject=job.number, now=now)
    if not dataset.is_v4:
        v3_datasets.mark_file_received(connection, job.dataset, job.filename)


def enqueue_pending(connection: Connection, dataset: int, now: int) -> None:
    """Hand over the files that have waited for the first schema, in the order they were asked for."""
    for job in reversed(imports.of_dataset(connection, dataset)):
        if job.status is ImportStatus.PENDING_SCHEMA and job.blob is not None:
            enqueue_import(connection, job, job.blob, now)
