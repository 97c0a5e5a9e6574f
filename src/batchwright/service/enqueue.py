"""Adding jobs for the worker: imports of uploaded files, syncs on request, and automatic syncs."""

from collections.abc import Iterator

from batchwright.base.database import Connection
from batchwright.service.store import batches, datasets, imports, jobs, migrations, syncs, tasks
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.imports import StoredImport
from batchwright.service.store.jobs import StoredJobKind
from batchwright.service.store.syncs import StoredSync
from batchwright.wire.imports import ImportStatus


def enqueue_import(connection: Connection, import_: StoredImport, blob: str, now: int) -> None:
    """Enqueue the import of an uploaded file.

    A file for a V4 dataset without a schema waits for the first schema.
    """
    dataset = datasets.get(connection, import_.dataset)
    if dataset.is_v4 and dataset.schema is None:
        imports.mark_uploaded(connection, import_.row_id, blob, ImportStatus.PENDING_SCHEMA, now)
        return
    busy = imports.is_running(connection, import_.dataset) or migrations.is_running(
        connection, import_.dataset
    )
    status = ImportStatus.QUEUED if busy else ImportStatus.PROCESSING
    imports.mark_uploaded(connection, import_.row_id, blob, status, now)
    kind = StoredJobKind.IMPORT if dataset.is_v4 else StoredJobKind.V3_IMPORT
    jobs.add(connection, kind, lane=jobs.dataset_lane(import_.dataset), subject=import_.row_id, now=now)
    if not dataset.is_v4:
        datasets.mark_file_received(connection, import_.dataset, import_.filename)


def enqueue_pending(connection: Connection, dataset: int, now: int) -> None:
    """Enqueue the files that waited for the first schema, in the order they were requested."""
    for import_ in reversed(imports.of_dataset(connection, dataset)):
        if import_.status is ImportStatus.PENDING_SCHEMA and import_.blob is not None:
            enqueue_import(connection, import_, import_.blob, now)


def enqueue_sync(connection: Connection, *, batch: int, dataset: int, now: int) -> StoredSync:
    """Create a sync of a batch and enqueue it."""
    sync = syncs.add(connection, batch=batch, dataset=dataset, now=now)
    jobs.add(connection, StoredJobKind.SYNC, lane=jobs.batch_lane(batch), subject=sync.row_id, now=now)
    return sync


def enqueue_auto_syncs(connection: Connection, dataset: int, now: int) -> None:
    """Enqueue a sync of every batch with auto-sync, because its dataset has grown (Batches rule 6)."""
    for batch in _batches_to_sync(connection, dataset):
        enqueue_sync(connection, batch=batch.row_id, dataset=dataset, now=now)


def enqueue_auto_sync_after_setup(connection: Connection, batch: int, dataset: int, now: int) -> None:
    """Enqueue a sync of a batch with auto-sync if records arrived during its setup (Batches rule 6).

    The setup has counted the records when it was accepted, and a batch is synced only while it is `READY`.
    """
    count = datasets.get(connection, dataset).datapoint_count
    for ready in _batches_to_sync(connection, dataset):
        if ready.row_id == batch and ready.handled_count < count:
            enqueue_sync(connection, batch=batch, dataset=dataset, now=now)


def retry_failed_auto_syncs(connection: Connection, dataset: int, now: int) -> None:
    """Retry the auto-syncs that failed because of a migration, once the last migration has ended.

    No client requested such a sync, so no client would see that it failed and retry it. A requested sync
    stays failed, as the specification says. A batch without a failed sync since its setup gets none: records
    from a file wait until a sync is requested (wire reference, section 15).
    """
    if migrations.is_running(connection, dataset):
        return
    count = datasets.get(connection, dataset).datapoint_count
    for batch in _batches_to_sync(connection, dataset):
        if syncs.last_has_failed(connection, batch.row_id, dataset) and batch.handled_count < count:
            enqueue_sync(connection, batch=batch.row_id, dataset=dataset, now=now)


def _batches_to_sync(connection: Connection, dataset: int) -> Iterator[StoredBatch]:
    """The batches with auto-sync whose tasks come from this dataset."""
    for batch in batches.auto_sync_batches(connection, dataset):
        if tasks.dataset_of(connection, batch.row_id, batch.setup) in (None, dataset):
            yield batch
