"""Setting up a batch: the service creates its tasks and task groups; the setup is polled until it ends."""

import asyncio
from collections.abc import Awaitable, Callable
from enum import Enum, auto
from functools import partial

from batchwright.api.http.errors import OutcomeUnknown
from batchwright.base.i18n import _
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import ChangedMeanwhile, none_if_missing
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.resilient_run import RecoveryHooks, run_resiliently
from batchwright.client.task_layouts import record_setup, tasks_differ
from batchwright.wire.batches import AttachedDataset, Batch, BatchSetup, BatchStatus
from batchwright.wire.datasets import Dataset, DatasetStatus
from batchwright.wire.imports import ImportStatus


class SetupFailed(Exception):
    """Setup ended and the batch is not `READY`; `status` is its status, `reason` the service's text."""

    def __init__(self, status: str, reason: str = "") -> None:
        super().__init__(status)
        self.status, self.reason = status, reason


class SetupObstacle(Enum):
    """Why a service rejects the setup of a batch (specification, Batches rule 4)."""

    NO_DATASET = auto()
    V3_NOT_READY = auto()
    """The status of its V3 dataset is not `READY`."""
    NO_COMPLETE_IMPORT = auto()
    """Its V4 dataset has no import with status `complete`; `partial` and appended records do not count."""


async def find_setup_obstacle(context: WorkflowContext, batch: Batch) -> SetupObstacle | None:
    """Fetch the dataset of a batch, and return why a setup would be rejected.

    None also if the token has no access to the dataset: then the service decides.

    Raises:
        ApiError: the dataset could not be fetched.
    """
    if not batch.datasets:
        return SetupObstacle.NO_DATASET
    dataset = await none_if_missing(context.service.datasets.get(batch.datasets[0].id))
    return setup_obstacle(dataset) if dataset is not None else None


def setup_obstacle(dataset: Dataset) -> SetupObstacle | None:
    """Why a service would reject a setup with a dataset; None if it would not."""
    if not dataset.is_v4:
        return None if dataset.status == DatasetStatus.READY else SetupObstacle.V3_NOT_READY
    is_complete = any(job.status == ImportStatus.COMPLETE for job in dataset.imports or ())
    return None if is_complete else SetupObstacle.NO_COMPLETE_IMPORT


async def _do_nothing() -> None:
    pass


async def set_up(
    context: WorkflowContext,
    batch_id: str,
    title: str,
    tasks_per_group: int,
    previous_status: str = BatchStatus.UNINITIALISED,
    hooks: RecoveryHooks | None = None,
    on_accepted: Callable[[], Awaitable[None]] = _do_nothing,
    dataset_id: str | None = None,
) -> Batch:
    """Request the setup of a batch, and wait for its tasks (specification, Batches rule 4).

    Once the request was sent, outages are handled here with `hooks`: if the whole operation were retried,
    another setup would replace tasks that may have been answered by then.

    `previous_status` is the status of the batch before. If the response is lost, a batch that had been set up
    before shows no difference; it is set up again, which results in the same tasks. `on_accepted` is called
    when the service has accepted the request, before its tasks exist. `dataset_id` is the dataset to attach;
    None to use the one that is attached.

    Raises:
        SetupFailed: the service could not create the tasks.
        NotStarted: the service accepted the request and did not start.
        ApiError: a request failed permanently.
    """
    request = BatchSetup(tasks_per_group=tasks_per_group)
    if dataset_id is not None:
        request = BatchSetup(tasks_per_group=tasks_per_group, dataset_id=dataset_id)
    try:
        await context.service.batches.set_up(batch_id, request)
    except OutcomeUnknown:
        context.notify(_("The response was lost; checking whether setup has started."))
        if not await run_resiliently(
            context, lambda context: _has_started(context, batch_id, previous_status), hooks
        ):
            await context.service.batches.set_up(batch_id, request)
    await on_accepted()
    return await run_resiliently(context, lambda context: _wait_until_ready(context, batch_id, title), hooks)


async def set_up_confirmed(
    context: WorkflowContext,
    batch: Batch,
    tasks_per_group: int,
    hooks: RecoveryHooks | None = None,
    on_accepted: Callable[[], object] = lambda: None,
    dataset_id: str | None = None,
) -> Batch:
    """Set up a batch, unless it has changed since the user decided on the setup; record its layout.

    `batch` is the batch as it was when the user decided; for the others see `set_up`.

    Raises:
        ChangedMeanwhile: participants would get something else than the user has decided on.
        SetupFailed: the service could not create the tasks.
        NotStarted: the service accepted the request and did not start.
        ApiError: a request failed permanently.
    """
    current = await context.service.batches.get(batch.id)
    if await asyncio.to_thread(tasks_differ, current, batch):
        raise ChangedMeanwhile(_("The batch “{name}”").format(name=batch.name))
    if dataset_id is not None:
        current = current.model_copy(update={"datasets": (AttachedDataset(id=dataset_id),)})

    async def record() -> None:
        """Record what is set up when the setup has started: the program may be closed before it ends."""
        on_accepted()
        await record_setup(context, current)

    return await set_up(
        context, batch.id, batch.name, tasks_per_group, current.status, hooks, record, dataset_id
    )


async def ensure_set_up(context: WorkflowContext, batch: Batch, title: str, tasks_per_group: int) -> Batch:
    """Set up a newly created batch, unless its setup is complete; wait if it is running.

    Raises:
        SetupFailed: the service could not create the tasks.
        NotStarted: the service accepted the request and did not start.
        ApiError: a request failed permanently.
    """
    match batch.status:
        case BatchStatus.READY:
            return batch
        case BatchStatus.PROCESSING:
            return await _wait_until_ready(context, batch.id, title)
        case _:
            record = partial(record_setup, context, batch)
            return await set_up(context, batch.id, title, tasks_per_group, batch.status, on_accepted=record)


async def _wait_until_ready(context: WorkflowContext, batch_id: str, title: str) -> Batch:
    """Poll the setup of a batch until it ends, and return the batch."""
    async for status in context.jobs.started_statuses(JobKind.SETUP, {"batch_id": batch_id}, title):
        last = status
        if status.is_late:
            context.notify(_("Setup was accepted; the service has not started it."))
    if last.state != BatchStatus.READY:
        raise SetupFailed(last.state, str(last.detail.get("reason") or ""))
    return await context.service.batches.get(batch_id)


async def _has_started(context: WorkflowContext, batch_id: str, previous_status: str) -> bool:
    if previous_status == BatchStatus.PROCESSING:
        return False  # the earlier setup may still be running; the last request wins, so it is repeated
    state = await context.service.batches.status(batch_id)
    return state.status != previous_status or state.status == BatchStatus.PROCESSING
