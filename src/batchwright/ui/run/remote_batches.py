"""What the Run stage fetches: the workspace's batches, the study's dataset and jobs, and the batch shown."""

import asyncio
from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from batchwright.client.context import WorkflowContext
from batchwright.client.errors import none_if_missing
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.task_layouts import has_earlier_tasks
from batchwright.local.job_table import JobRow
from batchwright.local.projects import RemoteBinding
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.publishing.state import RemoteResources
from batchwright.wire.batches import Batch, BatchStatus
from batchwright.wire.datasets import Dataset
from batchwright.wire.local_routes import Progress


@dataclass(frozen=True)
class RemoteBatches(RemoteResources[Batch]):
    """The batches as of the last fetch, and what is fetched with them."""

    dataset: Dataset | None = None
    """The dataset of the study."""
    lost_dataset_id: str = ""
    """The id of the study's dataset, if the service has it no more and the study's batch does not use it."""
    accepted: int | None = None
    """Number of records that the last import of the study accepted; None if unknown."""
    jobs: tuple[JobRow, ...] = ()
    """The jobs at the connection, newest first."""


@dataclass(frozen=True)
class BatchDetails:
    """What is fetched about one batch besides its entry in the list."""

    datasets: tuple[Dataset, ...] = ()
    """Its datasets, as far as the token has access to them."""
    progress: Progress = field(default_factory=Progress)
    """Progress of the task groups, which only the service on this computer reports."""
    has_earlier_tasks: bool = False
    """Whether the tasks show what the batch had before it was changed."""


@dataclass(frozen=True)
class ShownBatch:
    """The batch shown: its entry in the list, its details, and its jobs, newest first."""

    batch: Batch
    details: BatchDetails
    jobs: tuple[JobRow, ...] = ()

    @property
    def is_v3(self) -> bool:
        """Whether it has a V3 dataset, which no records can be appended to."""
        return any(not dataset.is_v4 for dataset in self.details.datasets)


def is_legacy(batch: Batch) -> bool:
    """Whether a batch has instructions instead of a layout; not every response says so."""
    return "batch_items" in batch.model_fields_set and batch.batch_items is None


async def fetch_batches(
    context: WorkflowContext, session: ConnectionSession, remote: RemoteBinding
) -> RemoteBatches:
    """Fetch the batches of the workspace, and everything about the study with the ids in `remote`."""
    batches = {
        batch.id: batch for batch in (await context.service.batches.list(context.workspace_id)).results
    }
    lost_id = await _add_own(context, batches, remote.batch_id)
    dataset = await _fetch_dataset(context, remote.dataset_id)
    return RemoteBatches(
        batches,
        lost_id,
        dataset,
        _lost_dataset_id(remote, dataset, batches.get(remote.batch_id or "")),
        await _fetch_accepted(context, remote),
        await read_jobs(session),
    )


async def fetch_details(context: WorkflowContext, batch: Batch, *, is_live: bool) -> BatchDetails:
    """Fetch what is shown about one batch besides its entry in the list."""
    datasets = [
        await none_if_missing(context.service.datasets.get(reference.id)) for reference in batch.datasets
    ]
    return BatchDetails(
        tuple(dataset for dataset in datasets if dataset is not None),
        Progress() if is_live else await fetch_progress(context, batch),
        await has_earlier_tasks(context, batch, is_live=is_live),
    )


async def fetch_progress(context: WorkflowContext, batch: Batch) -> Progress:
    """Fetch the progress of the task groups of a batch on this computer; empty until its tasks are ready."""
    if batch.status != BatchStatus.READY:
        return Progress()
    return await context.service.local.progress(batch.id)


async def read_jobs(session: ConnectionSession) -> tuple[JobRow, ...]:
    """Read the stored jobs of the current connection."""
    watcher, connection = await session.job_watcher(), session.connection.name
    rows = await asyncio.to_thread(watcher.rows.latest)
    return tuple(row for row in rows if row.connection == connection)


def jobs_of(jobs: Sequence[JobRow], ids: Container[str | None]) -> tuple[JobRow, ...]:
    """The jobs that concern one of the batches or datasets with these ids."""
    return tuple(job for job in jobs if any(value in ids for value in job.subject.values()))


def is_being_set_up(jobs: Sequence[JobRow]) -> bool:
    """Whether a setup is running, according to the monitored jobs."""
    return any(job.kind == JobKind.SETUP and job.outcome is None for job in jobs)


def ended_syncs(jobs: Sequence[JobRow]) -> frozenset[int]:
    """The row ids of monitored syncs that have ended."""
    return frozenset(job.row_id for job in jobs if job.kind == JobKind.SYNC and job.outcome is not None)


async def _add_own(context: WorkflowContext, batches: dict[str, Batch], batch_id: str | None) -> str:
    """Add the study's batch if the list lacks it because it belongs to another workspace.

    Returns:
        its id if it does not exist. The study keeps the id: another token may have access to it.
    """
    if batch_id is not None and batch_id not in batches:
        batch = await none_if_missing(context.service.batches.get(batch_id))
        if batch is None:
            return batch_id
        batches[batch_id] = batch
    return ""


async def _fetch_dataset(context: WorkflowContext, dataset_id: str | None) -> Dataset | None:
    """Fetch the dataset of the study; its schema may have been changed elsewhere."""
    if dataset_id is None:
        return None
    return await none_if_missing(context.service.datasets.get(dataset_id))


def _lost_dataset_id(remote: RemoteBinding, dataset: Dataset | None, own: Batch | None) -> str:
    """A dataset that the batch uses exists, although the token has no access to it."""
    attached = {reference.id for reference in own.datasets} if own is not None else set[str]()
    is_lost = dataset is None and remote.dataset_id not in attached
    return (remote.dataset_id or "") if is_lost else ""


async def _fetch_accepted(context: WorkflowContext, remote: RemoteBinding) -> int | None:
    if remote.dataset_id is None or remote.import_id is None:
        return None
    job = await none_if_missing(context.service.datasets.import_job(remote.dataset_id, remote.import_id))
    return job.accepted_count if job is not None else None
