"""The kinds of job as the window shows them: title, icon, statuses, counts and stage of each."""

from collections.abc import Mapping
from dataclasses import dataclass

from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.json_values import Json
from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.ui.core.formatting import number, size, tasks
from batchwright.ui.widgets.statuses import (
    BATCH,
    COMPLETE,
    EXPORT,
    FAILED,
    IMPORT,
    IN_PROGRESS,
    JOB,
    NOT_STARTED,
    QUEUED,
    STOPPED,
    VERIFICATION_FAILED,
    Status,
    status_of,
)

BY_ITSELF = "by_itself"
"""Key in the detail of a sync job: set for a sync that the service started by itself (auto-sync)."""


@dataclass(frozen=True)
class JobType:
    """How the window shows one kind of job.

    `group` is the name of the kind in the filter, `title` that of one job, `stage` the id of the stage that
    shows its result, and `states` maps the states reported by the service to statuses.
    """

    group: str
    title: str
    """Contains the placeholder `{name}`."""
    glyph: str
    stage: str
    states: Mapping[str, Status]


_DOWNLOAD_STATES = {"complete": COMPLETE, "failed": FAILED, JobOutcome.STOPPED: STOPPED}

KINDS: Mapping[str, JobType] = {
    JobKind.UPLOAD: JobType(N_("Uploads"), N_("Send {name}"), "arrow-up", "data", _DOWNLOAD_STATES),
    JobKind.PROCESSING: JobType(N_("Files of V3 datasets"), N_("Read {name}"), "file-text", "data", BATCH),
    JobKind.IMPORT: JobType(N_("Imports"), N_("Import {name}"), "cloud-arrow-up", "data", IMPORT),
    JobKind.APPEND: JobType(N_("Appends"), N_("Append {name}"), "list-plus", "data", _DOWNLOAD_STATES),
    JobKind.MIGRATION: JobType(N_("Migrations"), N_("Migrate {name}"), "brackets-curly", "data", JOB),
    JobKind.SETUP: JobType(N_("Setups"), N_("Set up {name}"), "stack", "run", BATCH),
    JobKind.SYNC: JobType(N_("Syncs"), N_("Sync {name}"), "arrows-clockwise", "run", JOB),
    JobKind.EXPORT: JobType(N_("Exports"), N_("Export {name}"), "archive", "results", EXPORT),
    JobKind.COLLECTION_EXPORT: JobType(
        N_("Exports of collections"), N_("Export {name}"), "cards", "collections", EXPORT
    ),
    JobKind.DOWNLOAD: JobType(
        N_("Downloads"), N_("Download {name}"), "download-simple", "results", _DOWNLOAD_STATES
    ),
}
"""All kinds of job, in the order in which they occur in a study."""

_NOT_FOUND = Status("neutral", "question", N_("Not found"))
_ENDINGS = {
    JobOutcome.DONE: COMPLETE,
    JobOutcome.FAILED: FAILED,
    JobOutcome.STOPPED: STOPPED,
    JobOutcome.GONE: _NOT_FOUND,
}


def job_status(kind: str, state: str | None, ending: str | None) -> Status:
    """The status of a job from its last reported state and its outcome (None while it is running)."""
    if ending == JobOutcome.MISCOUNTED:
        return VERIFICATION_FAILED
    if ending == JobOutcome.NOT_STARTED:
        return NOT_STARTED
    if state is None:
        return IN_PROGRESS if JobKind(kind).is_local else QUEUED
    states = KINDS[kind].states
    by_ending = _ENDINGS.get(JobOutcome(ending)) if ending else None
    return states.get(state) or by_ending or status_of({}, state)


def job_title(kind: str, title: str) -> str:
    """The title of a job, as "Import records.csv"."""
    return _(KINDS[kind].title).format(name=title)


def counts(detail: Json) -> str:
    """What a job has counted, as text: records, tasks, values cleared or bytes; empty if it has no counts."""
    if not isinstance(detail, dict):
        return ""
    counted = {name: value for name, value in detail.items() if isinstance(value, int)}
    match counted:
        case {"accepted_count": accepted}:
            return _("{accepted} accepted, {rejected} rejected").format(
                accepted=number(accepted), rejected=number(counted.get("rejected_count", 0))
            )
        case {"tasks_created": made}:
            by_itself = _("{tasks} created by auto-sync") if detail.get(BY_ITSELF) else _("{tasks} created")
            return by_itself.format(tasks=tasks(made))
        case {"reprocessed_count": fitting}:
            return _migrated(fitting, counted.get("failed_count", 0))
        case {"size": count}:
            return size(count)
    return ""


def _migrated(unchanged: int, failed: int) -> str:
    text = ngettext("{count} record fits", "{count} records fit", unchanged).format(count=number(unchanged))
    if not failed:
        return text
    lost = ngettext("{count} lost a value", "{count} lost values", failed).format(count=number(failed))
    return f"{text}, {lost}"
