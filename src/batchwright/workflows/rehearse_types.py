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
        return all(proof.passed for proof in self.checks)


def summary(rehearsal: RehearsalResult, plan: RehearsalOptions) -> Json:
    """Return the content of `summary.json`: ids, counts, and the results of the checks."""
    brought, batch = rehearsal.upload, rehearsal.batch
    return {
        "dataset_id": brought.dataset.id,
        "import_id": brought.job.import_id,
        "import_status": brought.job.status,
        "batch_id": batch.id,
        "records": brought.accepted + brought.rejected,
        "accepted": brought.accepted,
        "rejected": brought.rejected,
        "sha256": brought.transfer.sha256,
        "appended": None if rehearsal.append is None else _append_summary(rehearsal.append),
        "tasks": batch.total_task_count,
        "task_groups": batch.total_task_groups,
        "tasks_per_group": plan.tasks_per_group,
        "annotators_per_task": plan.annotators_per_task,
        "participants": rehearsal.participants,
        "turned_away": rehearsal.turned_away,
        "seed": plan.seed,
        "responses": len(rehearsal.responses),
        "proofs": [
            {"statement": proof.statement, "holds": proof.passed, "found": proof.found}
            for proof in rehearsal.checks
        ],
        "files": ["responses.json", "report.csv", "export.zip"],
    }


def _append_summary(grown: RehearsedAppend) -> Json:
    """Return the part of `summary.json` about the append and the sync."""
    return {
        "records": grown.appended.counted,
        "accepted": grown.appended.accepted,
        "rejected": grown.appended.rejected,
        "errors": [to_payload(one) for one in grown.appended.rejections],
        "datapoints": grown.datapoints,
        "sync_id": grown.sync.sync_id,
        "tasks_created": grown.sync.tasks_created,
        "groups_created": grown.sync.groups_created,
        "groups_expanded": grown.sync.groups_expanded,
    }
