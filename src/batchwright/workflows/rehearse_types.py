"""The values of a rehearsal: its input, options, results and summary."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from batchwright.base.json_values import Json
from batchwright.layout.model import Layout
from batchwright.schema.model import Schema
from batchwright.wire.base import to_payload
from batchwright.wire.batches import Batch, TaskDetails
from batchwright.wire.responses import ResponseRecord
from batchwright.wire.syncs import SyncJob
from batchwright.workflows.append import AppendProgress
from batchwright.workflows.upload_dataset import UploadResult
from batchwright.workflows.verify_report import Check


@dataclass(frozen=True)
class RehearsalInput:
    """The study to be rehearsed: a layout and the data that it is shown with."""

    name: str
    layout: Layout
    schema: Schema
    data: Path
    details: TaskDetails
    more: Path | None = None
    """A file of records that are appended once the batch is set up."""


@dataclass(frozen=True)
class RehearsalOptions:
    """How the study is rehearsed. Without `simulated`, no answers are generated: people give them."""

    tasks_per_group: int = 1
    annotators_per_task: int = 1
    participants: int = 0
    seed: int = 0
    simulated: bool = True


@dataclass(frozen=True)
class RehearsedAppend:
    """The result of appending: the records, the sync, and the number of datapoints afterwards."""

    appended: AppendProgress
    sync: SyncJob
    datapoints: int


@dataclass(frozen=True)
class RehearsalResult:
    """The result of a rehearsal; `turned_away` counts participants for whom no task group was left."""

    upload: UploadResult
    batch: Batch
    append: RehearsedAppend | None
    participants: int
    turned_away: int
    responses: Sequence[ResponseRecord]
    checks: Sequence[Check]

    @property
    def passed(self) -> bool:
        """Whether all checks passed."""
        return all(check.passed for check in self.checks)


def summary(rehearsal: RehearsalResult, options: RehearsalOptions) -> Json:
    """Return the content of `summary.json`: ids, counts, and the results of the checks."""
    upload, batch = rehearsal.upload, rehearsal.batch
    return {
        "dataset_id": upload.dataset.id,
        "import_id": upload.job.import_id,
        "import_status": upload.job.status,
        "batch_id": batch.id,
        "records": upload.accepted + upload.rejected,
        "accepted": upload.accepted,
        "rejected": upload.rejected,
        "sha256": upload.transfer.sha256,
        "appended": None if rehearsal.append is None else _append_summary(rehearsal.append),
        "tasks": batch.total_task_count,
        "task_groups": batch.total_task_groups,
        "tasks_per_group": options.tasks_per_group,
        "annotators_per_task": options.annotators_per_task,
        "participants": rehearsal.participants,
        "turned_away": rehearsal.turned_away,
        "seed": options.seed,
        "responses": len(rehearsal.responses),
        "proofs": [
            {"statement": check.statement, "holds": check.passed, "found": check.found}
            for check in rehearsal.checks
        ],
        "files": ["responses.json", "report.csv", "export.zip"],
    }


def _append_summary(append: RehearsedAppend) -> Json:
    """Return the part of `summary.json` about the append and the sync."""
    return {
        "records": append.appended.counted,
        "accepted": append.appended.accepted,
        "rejected": append.appended.rejected,
        "errors": [to_payload(rejection) for rejection in append.appended.rejections],
        "datapoints": append.datapoints,
        "sync_id": append.sync.sync_id,
        "tasks_created": append.sync.tasks_created,
        "groups_created": append.sync.groups_created,
        "groups_expanded": append.sync.groups_expanded,
    }
