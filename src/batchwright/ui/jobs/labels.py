"""The texts of jobs: title, status, result, and time of the next poll."""

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import is_array, is_object
from batchwright.client.job_monitoring.local_job import LocalJob
from batchwright.client.job_monitoring.monitors import PollFailure
from batchwright.client.job_monitoring.status import IS_LATE, JobKind, JobOutcome
from batchwright.local.connections import THIS_COMPUTER
from batchwright.local.job_table import MAX_LISTED
from batchwright.ui.core.formatting import number, short_datetime, tasks, transfer_progress
from batchwright.ui.core.job_types import KINDS, counts, job_status, job_title
from batchwright.ui.jobs.state import Job, JobsState
from batchwright.ui.widgets.statuses import (
    DISK_FULL,
    NOT_MONITORED,
    OFFLINE,
    RATE_LIMITED,
    REFUSED,
    SIGNED_OUT,
    STOPPED,
    Status,
)
from batchwright.ui.widgets.tables.table import Cell, IconCell, ProgressCell, TextCell

NO_CHECK = "–"
"""Shown if a job is not polled."""
_FILES = frozenset({JobKind.UPLOAD, JobKind.DOWNLOAD})
"""The kinds of job whose progress is counted in bytes."""


def job_description(job: Job, since: str = "") -> IconCell:
    """The title of a job, with its connection and optionally its start time below."""
    title = job_title(job.row.kind, job.row.title)
    below = f"{job.where} · {since}" if since else job.where
    text = TextCell(title, below, is_name=True)
    return IconCell(KINDS[job.row.kind].glyph, "question", text)


_WEATHERS = {
    PollFailure.OFFLINE: OFFLINE,
    PollFailure.RATE_LIMITED: RATE_LIMITED,
    PollFailure.SIGNED_OUT: SIGNED_OUT,
    PollFailure.REFUSED: REFUSED,
    PollFailure.NOT_STORED: DISK_FULL,
}


def status(job: Job) -> Status:
    """The status of a job; a problem with polling it takes precedence over its last reported state."""
    if job.local_job is not None and job.local_job.is_waiting:
        return OFFLINE
    if job.is_running and job.poll_failure is not None:
        return _WEATHERS[job.poll_failure]
    if job.is_running and not job.is_monitored:
        return _unwatched_status(job)
    return job_status(job.row.kind, job.row.state, job.row.outcome)


def _unwatched_status(job: Job) -> Status:
    if job.is_local and not job.row.is_of_command:
        return STOPPED
    if not job.has_connection or not job.row.is_monitored:
        return NOT_MONITORED
    return OFFLINE if job.blocked_by is None else REFUSED


def outcome(job: Job) -> Cell:
    """The progress of a running job, or the result of one that has ended."""
    if job.local_job is not None and job.local_job.is_waiting:
        return TextCell(_("Offline. Continues automatically once online."))
    if job.local_job is not None:
        return _local_progress(JobKind(job.row.kind), job.local_job)
    return _waiting(job) if job.is_running else TextCell(_ended(job), _first_error(job))


def _local_progress(kind: JobKind, local_job: LocalJob) -> Cell:
    """The progress of a job that this program runs itself: a progress bar if the total is known."""
    if local_job.total:
        progress = (
            transfer_progress(local_job.completed, local_job.total, local_job.rate) if kind in _FILES else ""
        )
        return ProgressCell(((min(1.0, local_job.completed / local_job.total), "accent"),), progress)
    return TextCell(counts(local_job.detail) or _("In progress"))


def _waiting(job: Job) -> TextCell:
    if job.poll_failure is not None:
        return _poll_failure_text(job, job.poll_failure)
    if not job.is_monitored:
        return _unmonitored(job)
    if job.row.detail.get(IS_LATE):
        if job.row.kind == JobKind.SETUP:
            return TextCell(_("Accepted. The service has not started yet."))
        return TextCell(_("Sent. The service has not started to read it yet."))
    if job.row.state == "queued":
        return TextCell(_("Waiting for its turn"))
    return TextCell(counts(job.row.detail) or _("In progress"))


def _poll_failure_text(job: Job, failure: PollFailure) -> TextCell:
    match failure:
        case PollFailure.SIGNED_OUT:
            return TextCell(_("Signed out of {connection}. Refresh to sign in.").format(connection=job.where))
        case PollFailure.RATE_LIMITED:
            return TextCell(_("The service is busy and asked to wait."))
        case PollFailure.REFUSED:
            why = _("The service or the network denies access. Checking again every minute.")
            return TextCell(
                why, _("Sign in to the network, or make sure that you have access to the workspace.")
            )
        case PollFailure.NOT_STORED:
            return TextCell(_("The disk is full or cannot be written to. Checking again automatically."))
    return TextCell(_("Offline. Checking again once online."))


def _unmonitored(job: Job) -> TextCell:
    if job.blocked_by is not None:
        return TextCell(job.blocked_by.what, job.blocked_by.remedy)
    return TextCell(_unmonitored_reason(job))


def _unmonitored_reason(job: Job) -> str:
    row = job.row
    if row.is_of_command:
        return _("Started by a command, which monitors it while it runs.")
    if job.is_local:
        return _stopped(job)
    if not job.has_connection:
        return _("Its connection was removed. Add it again to see its state.")
    if not row.is_monitored:
        return _("It continues at the service. Refresh to see its state.")
    if row.poll_error:
        return _("The last check failed: {reason}. Refresh to try again.").format(reason=row.poll_error)
    if row.connection == THIS_COMPUTER.name:
        return _("Checked again when the service on this computer is running.")
    return _("Refresh to sign in to {connection} and continue monitoring.").format(connection=job.where)


def _stopped(job: Job) -> str:
    if job.is_feedback:
        return _("Interrupted. Open it to send the file again.")
    return _("Interrupted. Start it again in its stage.")


def _ended(job: Job) -> str:
    row = job.row
    match row.outcome:
        case JobOutcome.GONE:
            return _("The service no longer has it")
        case JobOutcome.PAUSED:
            return _("Set the schema to continue")
        case JobOutcome.STOPPED:
            return _stopped(job)
        case JobOutcome.NOT_STARTED if row.kind == JobKind.SETUP:
            return _("The service accepted it but did not start it. Set up again in Run.")
        case JobOutcome.NOT_STARTED:
            return _("The service did not start to read the file. Upload it again in Data.")
        case JobOutcome.UNCLEAR:
            return _("Unknown state reported by the service")
        case JobOutcome.MISCOUNTED:
            sent = row.detail.get("sent_count")
            return _("{counts}; {sent} were sent").format(counts=counts(row.detail), sent=sent)
        case JobOutcome.FAILED:
            return str(row.detail.get("reason") or _("The service gave no reason"))
    task_count = row.detail.get("total_task_count")
    if isinstance(task_count, int):
        return tasks(task_count)
    results = {
        JobKind.SETUP: _("Its tasks are ready"),
        JobKind.PROCESSING: _("Its records are ready"),
        JobKind.EXPORT: _("Download it in Results"),
        JobKind.COLLECTION_EXPORT: _("Download it in Collections"),
    }
    return counts(row.detail) or results.get(JobKind(row.kind)) or _("Done")


def _first_error(job: Job) -> str:
    """The first record or value that the service rejected, for a job that ended with rejections."""
    errors = job.row.detail.get("errors")
    if job.row.outcome != JobOutcome.PARTLY or not is_array(errors) or not errors or not is_object(errors[0]):
        return ""
    texts = (errors[0].get("field"), errors[0].get("reason"))
    text = ": ".join(str(text_part) for text_part in texts if text_part)
    left = len(errors) - 1
    more = ngettext("{fault} ({count} more)", "{fault} ({count} more)", left)
    return more.format(fault=text, count=number(left)) if left else text


def next_check(job: Job, seconds: float | None) -> str:
    """When a job is polled next; `seconds` is the time until then, None if unknown."""
    if job.poll_failure is PollFailure.SIGNED_OUT:
        return _("when signed in")
    if not job.is_monitored or job.is_local:
        return NO_CHECK
    if seconds is None or seconds < 1:
        return _("now")
    return _("in {seconds} s").format(seconds=number(round(seconds)))


def since(job: Job) -> str:
    """When a job was started."""
    return short_datetime(job.row.started_at)


def subtitle(state: JobsState) -> str:
    """The subtitle of the stage: how many jobs are running and waiting, and whether the list is cut."""
    text = _running_jobs(state)
    if len(state.jobs) < MAX_LISTED:
        return text
    return _("{jobs} The newest {count} are listed.").format(jobs=text, count=number(MAX_LISTED))


def _running_jobs(state: JobsState) -> str:
    running, waiting = state.counts
    if not state.jobs:
        return _("Long-running jobs are listed here.")
    if not running:
        return _("No jobs are running.")
    text = ngettext("{count} running", "{count} running", running).format(count=number(running))
    if waiting:
        waits = ngettext("{count} waiting", "{count} waiting", waiting)
        text += ", " + waits.format(count=number(waiting))
    if any(job.local_job is not None for job in state.jobs):
        return _("{jobs}. Work at a service continues if you close the window.").format(jobs=text)
    return _("{jobs}. They continue if you close the window.").format(jobs=text)
