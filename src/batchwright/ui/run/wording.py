"""Numbers, moments and records in words, for the Run and the Results stage."""

from datetime import UTC, datetime

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
from batchwright.ui.words import later
from batchwright.wire.batches import Batch, BatchStatus
from batchwright.words import _, ngettext

_TABLES = {"import": IMPORT, "setup": BATCH, "export": EXPORT}
_ENDINGS = {"done": COMPLETE, "failed": FAILED, "gone": Status("neutral", "question", later("Gone"))}


def number(count: int) -> str:
    """A count as people read it."""
    return f"{count:,}"


def tasks(count: int) -> str:
    """So many tasks."""
    return ngettext("{count} task", "{count} tasks", count).format(count=number(count))


def records(count: int) -> str:
    """So many records."""
    return ngettext("{count} record", "{count} records", count).format(count=number(count))


def holds(batch: Batch) -> str:
    """What a batch has to show: its tasks, or while there are none its records."""
    if batch.total_task_count or batch.status in (BatchStatus.READY, BatchStatus.ERROR):
        return tasks(batch.total_task_count)
    return records(sum(dataset.total_datapoint_count for dataset in batch.datasets))


def when(moment: datetime | None, now: datetime | None = None) -> str:
    """The time for what was today, else the day; empty for never."""
    if moment is None:
        return ""
    here = moment.astimezone()
    today = (now or datetime.now(UTC)).astimezone().date()
    return here.strftime("%H:%M") if here.date() == today else here.strftime("%d %b %Y")


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
    return _("Export") if kind == "export" else title


def counts(detail: Json) -> str:
    """What a job counted, where it tells: records accepted and rejected."""
    if not isinstance(detail, dict) or not isinstance(detail.get("accepted_count"), int):
        return ""
    return _("{accepted} accepted, {rejected} rejected").format(
        accepted=detail["accepted_count"], rejected=detail.get("rejected_count") or 0
    )


def short(id: str) -> str:
    """An id cut in its middle."""
    return f"{id[:4]}…{id[-4:]}" if len(id) > 12 else id
