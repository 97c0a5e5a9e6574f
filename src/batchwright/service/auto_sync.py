"""Handing syncs to the worker: those that are asked for, and those that begin by themselves."""

from collections.abc import Iterator

from batchwright.base.database import Connection
from batchwright.service.store import batches, datasets, jobs, migrations, syncs, tasks
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.jobs import StoredJobKind
from batchwright.service.store.syncs import StoredSync


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
