"""Appending the records of the file in view to the study's dataset (specification, Datasets rule 3)."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.client.context import WorkflowContext
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.data_files.checking import Rejection
from batchwright.data_files.formats import Format
from batchwright.data_files.index import Stamp, file_stamp
from batchwright.data_files.rows import UnreadableFile
from batchwright.ui.data.import_rejections import UNKNOWN_RECORD
from batchwright.ui.data.operations import DatasetOperation, OperationState, UpdateProgress, Work
from batchwright.wire.datapoints import AppendRejection
from batchwright.workflows.append import AppendProgress, append_file


@dataclass(frozen=True)
class RecordsToAppend:
    """What is appended: every record of a file, and how many there are."""

    path: Path
    stamp: Stamp
    """That of the file when it was looked through."""
    format: Format
    records: int


@dataclass(frozen=True)
class AppendOperation(DatasetOperation):
    """An append as it stands: what the service has taken so far, and what it has not."""

    source: RecordsToAppend | None = None
    dataset_id: str = ""
    accepted: int = 0
    rejected: int = 0
    rejections: Sequence[AppendRejection] = ()
    has_count_mismatch: bool = False
    """Whether the service has counted other records than were sent (design.md 9.7)."""

    @property
    @override
    def fraction(self) -> float | None:
        if self.source is None or not self.source.records or not self.is_running:
            return None
        return min(1.0, (self.accepted + self.rejected) / self.source.records)

    def is_from(self, path: Path) -> bool:
        """Whether the records are those of a file."""
        return self.source is not None and self.source.path == path


def append_work(dataset_id: str, source: RecordsToAppend) -> Work:
    """The work of appending."""

    async def work(context: WorkflowContext, recovery: RecoveryHooks | None, update: UpdateProgress) -> None:
        if await asyncio.to_thread(file_stamp, source.path) != source.stamp:
            raise UnreadableFile(
                _("The file has changed since it was checked."), _("It is checked again; then append it.")
            )

        def show(appended: AppendProgress) -> None:
            update(
                state=OperationState.RUNNING,
                accepted=appended.accepted,
                rejected=appended.rejected,
                has_count_mismatch=appended.counted != appended.sent,
            )

        telling = replace(context, tell=lambda _sentence: update(state=OperationState.WAITING))
        appended = await append_file(telling, dataset_id, source.path, source.format, show, recovery)
        update(rejections=tuple(appended.rejections))

    return work


def append_rejections(appending: AppendOperation, line: Callable[[int], int | None]) -> tuple[Rejection, ...]:
    """What the service rejected, at the rows of the file; `line` tells the physical line of a record."""
    found = []
    for one in appending.rejections:
        record = UNKNOWN_RECORD if one.record_index is None else one.record_index - 1
        found.append(
            Rejection(line(record) or 0, record, one.field or "", one.reason or _("No reason given"))
        )
    return tuple(found)
