"""Adding jobs for the worker: imports of uploaded files, syncs on request, and automatic syncs."""

from collections.abc import Iterator

from batchwright.base.database import Connection
from batchwright.service.store import batches, datasets, imports, jobs, migrations, syncs, tasks, v3_datasets
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.imports import StoredImport
from batchwright.service.store.jobs import StoredJobKind
from batchwright.service.store.syncs import StoredSync
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


def enqueue_sync(connection: Connection, *, batch: int, dataset: int, now: int) -> StoredSync:
    """Let the worker sync a batch when its turn comes."""
    sync = syncs.add(connection, batch=batch, dataset=dataset, now=now)
    jobs.add(connection, StoredJobKind.SYNC, lane=jobs.batch_lane(batch), subject=sync.number, now=now)
    return sync


def enqueue_auto_syncs(connection: Connection, dataset: int, now: int) -> None:
    """Start a sync of every batch that wants one whenever its dataset grows (Batches rule 6)."""
    for batch in _growing_with(connection, dataset):
        enqueue_sync(connection, batch=batch.number, dataset=dataset, now=now)


def retry_failed_auto_syncs(connection: Connection, dataset: int, now: int) -> None:
    """Start once more the syncs that a migration was in the way of, where nobody may have asked for them.

    Batches without a sync that failed since their setup get none: what a file brought waits to be asked for
    (wire.md 15).
    """
    if migrations.is_running(connection, dataset):
        return
    count = datasets.get(connection, dataset).datapoint_count
    for batch in _growing_with(connection, dataset):
        if syncs.last_has_failed(connection, batch.number, dataset) and batch.handled_count < count:
            enqueue_sync(connection, batch=batch.number, dataset=dataset, now=now)


def _growing_with(connection: Connection, dataset: int) -> Iterator[StoredBatch]:
    """The batches that want a sync whenever this dataset grows, and whose tasks are of it."""
    for batch in batches.auto_sync_batches(connection, dataset):
        if tasks.dataset_of(connection, batch.number, batch.setup) in (None, dataset):
            yield batch
