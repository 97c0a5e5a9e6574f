"""Determines the result of an upload that was interrupted because the program was closed or killed.

It is read from the dataset and the checkpoints of the upload when the study is opened. If the file was
received, its import is monitored again without asking; a file is never sent unasked.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto

from batchwright.client.checkpoint import file_sha256
from batchwright.client.context import WorkflowContext
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.operations import OperationRunner
from batchwright.ui.core.remote_state import RemoteState
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.subject import Subject
from batchwright.ui.data.dataset.dataset_operations import UPLOAD, UploadSource, upload_checkpoint
from batchwright.ui.data.dataset.remote_dataset import RemoteDataset
from batchwright.ui.data.file.validation_run import ValidationRun
from batchwright.wire.imports import ImportJob, ImportStatus


class RemainingWork(Enum):
    """What is left of an earlier upload of the same data."""

    NOTHING = auto()
    """There was none, or it failed."""
    UNKNOWN = auto()
    """It is being checked."""
    UPLOAD = auto()
    """The file was not received: the dataset waits for it."""
    IMPORT = auto()
    """The file was received; its import is running or has ended."""


@dataclass(frozen=True)
class Interruption:
    """The state of an interrupted upload."""

    remaining: RemainingWork
    source: UploadSource
    workspace_id: str = ""
    job: ImportJob | None = None
    """The import, if every record was accepted."""


class InterruptedUpload(RemoteState[Interruption]):
    """Checks the dataset of the study if it has no recorded import, once for each dataset and data file.

    Args:
        source: returns the data that would be uploaded now.
    """

    def __init__(
        self,
        session: ConnectionSession,
        remote: RemoteDataset,
        operations: OperationRunner,
        validation: ValidationRun,
        tasks: Tasks,
        source: Callable[[], UploadSource | None],
    ) -> None:
        self._remote, self._operations, self._source = remote, operations, source
        subject = Subject(self._current, remote.changed, operations.changed, validation.changed)
        super().__init__("interrupted upload", subject, self._check, session, tasks)
        subject.setParent(self)
        self.is_active = True

    @property
    def remaining(self) -> RemainingWork:
        """The work that remains."""
        if not self._is_unresolved or self._source() is None or self._remote.error or self.error:
            return RemainingWork.NOTHING
        if self.value is None:
            return RemainingWork.UNKNOWN
        return self.value.remaining

    @property
    def _is_unresolved(self) -> bool:
        """Whether the study has a dataset without a recorded import, and no upload is shown."""
        binding = self._remote.binding
        has_unknown_data = binding.dataset_id is not None and not binding.has_data
        return has_unknown_data and self._operations.get(UPLOAD) is None

    def _current(self) -> object:
        """The dataset and the data, without the name of the study; None if there is nothing to check."""
        if not self._is_unresolved or self._remote.dataset is None or (source := self._source()) is None:
            return None
        return self._remote.subject, replace(source, name="")

    async def _check(self, context: WorkflowContext) -> Interruption:
        source, dataset = self._source(), self._remote.dataset
        if source is None or dataset is None:
            raise LookupError("the subject has changed")
        content = await asyncio.to_thread(file_sha256, source.path)
        steps = await upload_checkpoint(context, source, content).steps()
        if steps.get("dataset") != dataset.id:
            return Interruption(RemainingWork.NOTHING, source)
        jobs = {job.import_id: job for job in dataset.imports or ()}
        match jobs.get(str(steps.get("import"))):
            case None | ImportJob(status=ImportStatus.UNINITIALISED):
                return Interruption(RemainingWork.UPLOAD, source)
            case ImportJob(status=ImportStatus.COMPLETE, counted=source.records) as job:
                return Interruption(RemainingWork.IMPORT, source, context.workspace_id, job)
            case ImportJob(status=ImportStatus.FAILED):
                return Interruption(RemainingWork.NOTHING, source)
        is_monitored = "brought" not in steps
        return Interruption(RemainingWork.IMPORT if is_monitored else RemainingWork.NOTHING, source)
