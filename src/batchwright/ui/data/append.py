"""Appending the records of a data file to the study's dataset (specification, Datasets rule 3)."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.client.context import WorkflowContext
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.data_files.checking import Rejection
from batchwright.data_files.formats import Format
from batchwright.data_files.index import Stamp, file_stamp
from batchwright.data_files.rows import UnreadableFile
from batchwright.ui.core.operations import OperationRun, OperationState, Work
from batchwright.ui.data.dataset_operation import DatasetOperation
from batchwright.ui.data.import_rejections import UNKNOWN_RECORD
from batchwright.wire.datapoints import AppendRejection
from batchwright.workflows.append import AppendProgress, append_file


@dataclass(frozen=True)
class RecordsToAppend:
    """The records of a file that are to be appended: all of them, and their number."""

    path: Path
    stamp: Stamp
    """Stamp of the file when it was read."""
    format: Format
    records: int


@dataclass(frozen=True, kw_only=True)
class AppendOperation(DatasetOperation):
    """An append operation, with the records accepted and rejected so far."""

    source: RecordsToAppend
    dataset_id: str
    accepted: int = 0
    rejected: int = 0
    rejections: Sequence[AppendRejection] = ()
    has_count_mismatch: bool = False
    """Whether the service counted another number of records than were sent."""

    def is_from(self, path: Path) -> bool:
        """Whether the appended records are from this file."""
        return self.source.path == path


def append_work(dataset_id: str, source: RecordsToAppend) -> Work[None]:
    """The work of an append operation."""

    async def work(context: WorkflowContext, hooks: RecoveryHooks | None, run: OperationRun) -> None:
        if await asyncio.to_thread(file_stamp, source.path) != source.stamp:
            raise UnreadableFile(
                _("The file has changed since it was checked."),
                _("It is being checked again. Append once that is done."),
            )

        def on_progress(progress: AppendProgress) -> None:
            run.update(
                state=OperationState.RUNNING,
                is_connected=True,
                accepted=progress.accepted,
                rejected=progress.rejected,
                fraction=min(1.0, (progress.accepted + progress.rejected) / source.records),
                has_count_mismatch=progress.counted != progress.sent,
            )

        notified = replace(
            context, notify=lambda _text: run.update(state=OperationState.WAITING, is_connected=True)
        )
        appended = await append_file(notified, dataset_id, source.path, source.format, on_progress, hooks)
        run.update(rejections=tuple(appended.rejections))

    return work


def append_rejections(
    operation: AppendOperation, line_number: Callable[[int], int | None]
) -> tuple[Rejection, ...]:
    """The rejected records by row of the file; `line_number` returns the line of a record, if known."""
    found = []
    for rejection in operation.rejections:
        record = UNKNOWN_RECORD if rejection.record_index is None else rejection.record_index - 1
        reason = rejection.reason or _("No reason given")
        found.append(Rejection(line_number(record) or 0, record, rejection.field or "", reason))
    return tuple(found)
