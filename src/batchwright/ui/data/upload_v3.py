"""Sending a file as a V3 dataset, for workspaces without V4 (specification, Datasets rule 2; wire.md 4.2)."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from typing_extensions import override

from batchwright.client.checkpoint import file_sha256
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobStatus
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.ui.data.operations import DatasetOperation, OperationState, UpdateProgress, Work
from batchwright.wire.datasets import V3_EXTENSIONS, Dataset
from batchwright.workflows.upload_dataset import UploadObserver
from batchwright.workflows.upload_v3_dataset import upload_v3_dataset


@dataclass(frozen=True)
class V3UploadOperation(DatasetOperation):
    """A V3 dataset on its way: bytes sent, then the status that the service gives it, then the dataset."""

    path: Path = Path()
    done: int = 0
    total: int = 0
    dataset_status: str = ""
    workspace_id: str = ""
    dataset: Dataset | None = None

    @property
    @override
    def fraction(self) -> float | None:
        """How much of the file is sent; None before, and once the service reads it."""
        is_sending = self.is_running and self.total and not self.dataset_status
        return self.done / self.total if is_sending else None


def is_v3_file(path: Path) -> bool:
    """Whether a V3 dataset takes a file of this name."""
    return path.suffix.lower() in V3_EXTENSIONS


def send_v3(name: str, path: Path) -> Work:
    """The work of sending."""

    async def work(context: WorkflowContext, recovery: RecoveryHooks | None, update: UpdateProgress) -> None:
        def on_progress(done: int, total: int | None) -> None:
            update(state=OperationState.RUNNING, done=done, total=total or 0)

        def on_status(status: JobStatus) -> None:
            update(dataset_status=status.state)

        update(state=OperationState.RUNNING)
        checkpoint = context.trail("v3 data", name, await asyncio.to_thread(file_sha256, path))
        dataset = await upload_v3_dataset(
            context, checkpoint, name, path, UploadObserver(moved=on_progress, seen=on_status), recovery
        )
        update(workspace_id=context.workspace_id, dataset=dataset)

    return work
