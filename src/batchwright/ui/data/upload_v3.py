"""Uploading a file as a V3 dataset, for workspaces without V4 (specification, Datasets rule 2)."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from batchwright.client.checkpoint import file_sha256
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobStatus
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.ui.core.operations import OperationRun, Work
from batchwright.ui.data.dataset_operation import DatasetOperation
from batchwright.wire.datasets import V3_EXTENSIONS, Dataset
from batchwright.workflows.upload_dataset import UploadObserver
from batchwright.workflows.upload_v3_dataset import upload_v3_dataset


@dataclass(frozen=True, kw_only=True)
class V3UploadOperation(DatasetOperation):
    """The upload of a V3 dataset: bytes sent, then the dataset's status while it is processed."""

    path: Path
    done: int = 0
    total: int = 0
    dataset_status: str = ""
    workspace_id: str = ""
    dataset: Dataset | None = None


def is_v3_file(path: Path) -> bool:
    """Whether a V3 dataset can be created from a file of this name."""
    return path.suffix.lower() in V3_EXTENSIONS


def v3_upload_work(name: str, path: Path) -> Work[None]:
    """The work of uploading a V3 dataset."""

    async def work(context: WorkflowContext, hooks: RecoveryHooks | None, run: OperationRun) -> None:
        def on_progress(done: int, total: int | None) -> None:
            run.update(done=done, total=total or 0, fraction=done / total if total else None)

        def on_status(status: JobStatus) -> None:
            run.update(dataset_status=status.state, fraction=None)

        run.update(is_connected=True)
        checkpoint = context.checkpoint("v3 data", name, await asyncio.to_thread(file_sha256, path))
        observer = UploadObserver(on_progress=on_progress, on_status=on_status)
        dataset = await upload_v3_dataset(context, checkpoint, name, path, observer, hooks)
        run.update(workspace_id=context.workspace_id, dataset=dataset)

    return work
