"""Batches and jobs in words."""

from batchwright.records.json_values import Json
from batchwright.ui.kit.statuses import (
    BATCH,
    COMPLETE,
    EXPORT,
    FAILED,
    IMPORT,
    QUEUED,
    Status,
    status_of,
)
from batchwright.ui.measures import number, records, tasks
from batchwright.ui.words import later
from batchwright.wire.batches import Batch, BatchStatus
from batchwright.words import _

_TABLES = {"import": IMPORT, "setup": BATCH, "export": EXPORT}
_ENDINGS = {"done": COMPLETE, "failed": FAILED, "gone": Status("neutral", "question", later("Gone"))}


def holds(batch: Batch) -> str:
    """What a batch has to show: its tasks, or while there are none its records."""
    if batch.total_task_count or batch.status in (BatchStatus.READY, BatchStatus.ERROR):
        return tasks(batch.total_task_count)
    return records(sum(dataset.total_datapoint_count for dataset in batch.datasets))


def job_status(kind: str, state: str | None, ending: str | None) -> Status:
    """How a job of a kind stands."""
    if state is None:
        return QUEUED
    table = _TABLES.get(kind, {})
    return status_of(table, state) if state in table else _ENDINGS.get(ending or "", status_of({}, state))


def job_title(kind: str, title: str) -> str:
    """What a job is about."""
    if kind == "import":
        return _("Import {name}").format(name=title)
    if kind == "setup":
        return _("Set up {name}").format(name=title)
    if kind == "export":
        return _("Export {name}").format(name=title)
    return title


def counts(detail: Json) -> str:
    """What a job counted, where it tells: records accepted and rejected."""
    if not isinstance(detail, dict) or not isinstance(detail.get("accepted_count"), int):
        return ""
    return _("{accepted} accepted, {rejected} rejected").format(
        accepted=number(detail["accepted_count"]), rejected=number(detail.get("rejected_count") or 0)
    )
