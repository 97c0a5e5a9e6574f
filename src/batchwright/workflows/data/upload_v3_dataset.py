"""Uploading data as a V3 dataset: it is created, a file is sent to it, and the processing is polled."""

from pathlib import Path

from batchwright.base.i18n import _
from batchwright.client.checkpoint import Checkpoint
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.wire.datasets import (
    V3_EXTENSIONS,
    Dataset,
    DatasetCreate,
    DatasetStatus,
    DatasetStatusResponse,
    UploadUrl,
)
from batchwright.workflows.data.create_dataset import get_or_create_dataset
from batchwright.workflows.data.send_to_dataset import require_accepted_name, send_to_dataset
from batchwright.workflows.data.upload_dataset import NO_OBSERVER, UploadObserver


class V3ReadFailed(Exception):
    """A file was sent, but the service could not read it; `state` is the latest status of the dataset."""

    def __init__(self, state: DatasetStatusResponse) -> None:
        super().__init__(state.reason or state.status)
        self.state = state


async def upload_v3_dataset(
    context: WorkflowContext,
    checkpoint: Checkpoint,
    name: str,
    path: Path,
    observer: UploadObserver = NO_OBSERVER,
    hooks: RecoveryHooks | None = None,
) -> Dataset:
    """Create a V3 dataset with the rows of a CSV file, or of one in a ZIP archive.

    For workspaces without V4 datasets (specification, Datasets rule 2). An interrupted upload resumes: the
    checkpoint `checkpoint` has the dataset, whose status says whether the file has arrived. During the
    transfer, outages are waited for, as in `run_resiliently`.

    Raises:
        UnreadableFile: no V3 dataset accepts a file with this name; nothing was created.
        V3ReadFailed: the service could not read the file; a retry creates another dataset.
        NotStarted: the service did not start to read the file; a retry sends it to the same dataset.
        JobUnreachable: the processing continues, but cannot be polled at the moment.
        ApiError: a request failed permanently.
        OSError: the file cannot be read.
    """
    require_accepted_name(path, V3_EXTENSIONS)
    request = DatasetCreate(name=name, workspace_id=context.workspace_id)
    dataset = await get_or_create_dataset(context, checkpoint, request)
    observer.on_created(dataset)
    if not await _has_file(context, dataset.id):
        await _send(context, dataset.id, path, observer, hooks)
        context.notify(_("Sent {name}.").format(name=path.name))
    subject = {"dataset_id": dataset.id}
    if not await context.jobs.has_ended(JobKind.PROCESSING, subject):
        async for status in context.jobs.started_statuses(JobKind.PROCESSING, subject, path.name):
            observer.on_status(status)
            if status.is_late:
                message = _("{name} was sent; the service has not started to read it.")
                context.notify(message.format(name=path.name))
    state = await context.service.datasets.status(dataset.id)
    if state.status != DatasetStatus.READY:
        await checkpoint.clear()
        raise V3ReadFailed(state)
    dataset = await context.service.datasets.get(dataset.id)
    await checkpoint.clear()
    return dataset


async def _has_file(context: WorkflowContext, dataset_id: str) -> bool:
    return (await context.service.datasets.status(dataset_id)).status != DatasetStatus.UNINITIALISED


async def _send(
    context: WorkflowContext,
    dataset_id: str,
    path: Path,
    observer: UploadObserver,
    hooks: RecoveryHooks | None,
) -> None:
    async def request_address(context: WorkflowContext) -> UploadUrl:
        return await context.service.datasets.upload_url(dataset_id, path.name)

    async def has_arrived(context: WorkflowContext, _address: UploadUrl) -> bool:
        return await _has_file(context, dataset_id)

    await send_to_dataset(
        context, dataset_id, path, request_address, has_arrived, observer.on_progress, hooks
    )
