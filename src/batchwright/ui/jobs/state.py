"""The state of the Jobs stage: all stored jobs, and the commands for one of them. No widgets.

What the program does itself, such as sending a file, is a job with a row as well, so that the list is
complete; after a crash it is marked as stopped.
"""

import asyncio
from dataclasses import dataclass, replace
from enum import Enum, auto

from PySide6.QtCore import QObject, QTimer, Signal

from batchwright.client.connection_pool import NotSignedIn
from batchwright.client.job_monitoring.job_watcher import JobWatcher
from batchwright.client.job_monitoring.local_job import LocalJob
from batchwright.client.job_monitoring.monitors import PollFailure
from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.local.job_table import JobRow
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.job_types import KINDS
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.study.study_model import Study
from batchwright.workflows.retry_job import can_retry

_GATHER = 100
"""Debounce in milliseconds: changes of several jobs within this time are read together."""
_FEEDBACK = "feedback"
"""Key in the subject of an upload job that marks a feedback upload; its value is the workspace id."""
_COLLECTION = "collection_id"
"""Key in the subject of a job about a collection."""


class JobStateFilter(Enum):
    """Which jobs the filter lists, by state."""

    ALL = auto()
    RUNNING = auto()
    FINISHED = auto()
    FAILED = auto()


@dataclass(frozen=True)
class Job:
    """A job as it is shown: its row in the database, and the state of its monitoring."""

    row: JobRow
    is_monitored: bool = False
    poll_failure: PollFailure | None = None
    is_awaited: bool = False
    """Whether an operation waits for its end, so that monitoring cannot be stopped."""
    title: str = ""
    """The current title of its connection; empty to use the name stored in the row."""
    local_job: LocalJob | None = None
    """The progress, if this program runs the job itself."""
    has_connection: bool = True
    """Whether its connection exists: it may have been removed, and commands may use a URL without a
    connection."""
    blocked_by: TaskMessage | None = None
    """Why it is not monitored, if an error prevents that."""

    @property
    def where(self) -> str:
        """The title of the connection that it runs at."""
        return self.title or self.row.connection

    @property
    def is_running(self) -> bool:
        """Whether it has not ended, as far as known."""
        return self.row.outcome is None

    @property
    def has_failed(self) -> bool:
        """Whether it ended without success."""
        return self.row.outcome in (
            JobOutcome.FAILED,
            JobOutcome.MISCOUNTED,
            JobOutcome.GONE,
            JobOutcome.UNCLEAR,
            JobOutcome.NOT_STARTED,
            JobOutcome.STOPPED,
        )

    @property
    def is_local(self) -> bool:
        """Whether this program runs it or has run it; the service cannot be asked about it."""
        return JobKind(self.row.kind).is_local

    @property
    def is_without_token(self) -> bool:
        """Whether it cannot be polled until the user signs in."""
        return self.poll_failure is PollFailure.SIGNED_OUT

    @property
    def can_poll(self) -> bool:
        """Whether polling it may return a new status."""
        may_be_new = not self.is_local and self.row.outcome not in (JobOutcome.DONE, JobOutcome.PARTLY)
        return may_be_new and self.has_connection

    @property
    def awaits_poll(self) -> bool:
        """Whether it is running and monitored, and the next poll may return a new status; not without a
        token.
        """
        return self.is_running and self.is_monitored and self.can_poll and not self.is_without_token

    @property
    def can_retry(self) -> bool:
        """Whether it failed and can be requested again."""
        return can_retry(self.row) and self.has_connection

    @property
    def can_stop(self) -> bool:
        """Whether its monitoring can be stopped."""
        return self.is_monitored and not self.is_awaited

    @property
    def is_feedback(self) -> bool:
        """Whether it sends a feedback file, which belongs to no study."""
        return _FEEDBACK in self.row.subject

    @property
    def stage(self) -> str:
        """The id of the stage that shows its result."""
        if self.is_feedback:
            return "feedback"
        return "collections" if _COLLECTION in self.row.subject else KINDS[self.row.kind].stage


@dataclass(frozen=True)
class JobFilter:
    """Which jobs are shown: by state, by kind, and by text."""

    which: JobStateFilter = JobStateFilter.ALL
    kind: str = ""
    text: str = ""

    def matches(self, job: Job, spoken: str) -> bool:
        """Whether a job is shown; `spoken` is all text of its row."""
        states = {
            JobStateFilter.ALL: True,
            JobStateFilter.RUNNING: job.is_running,
            JobStateFilter.FINISHED: not job.is_running and not job.has_failed,
            JobStateFilter.FAILED: job.has_failed,
        }[self.which]
        return states and self.kind in ("", job.row.kind) and self.text.casefold() in spoken.casefold()


class JobsState(QObject):
    """The stored jobs; `changed` is emitted for every change."""

    changed = Signal()

    def __init__(
        self, study: Study, session: ConnectionSession, tasks: Tasks, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.study, self.session, self._tasks = study, session, tasks
        self._watcher: JobWatcher | None = None
        self.jobs: tuple[Job, ...] = ()
        self.chosen: Job | None = None
        """The job selected in the table."""
        self.is_loading = True
        self._is_stale = False
        """Whether jobs have changed since they were last read."""
        self.error: TaskMessage | None = None
        """Why the list could not be read."""
        self._debounce = QTimer(self)
        self._debounce.setSingleShot(True)
        self._debounce.setInterval(_GATHER)
        self._debounce.timeout.connect(self.refresh)
        session.jobs_changed.connect(self._refresh_soon)
        session.titles_changed.connect(self._refresh_soon)

    @property
    def counts(self) -> tuple[int, int]:
        """How many jobs are running, and how many of these wait: for the network, for a token, or for the
        service.
        """
        running = [job for job in self.jobs if job.is_running and job.is_monitored]
        return len(running), sum(job.poll_failure is not None for job in running)

    def refresh(self) -> None:
        """Read the list again; if it is being read, once more afterwards."""
        self._is_stale = True
        self._tasks.start("list the jobs", self._read)

    def seconds_to_poll(self, job: Job) -> float | None:
        """Seconds until a job is polled next; None if unknown."""
        monitor = self._watcher.poller(job.row.row_id) if self._watcher else None
        if monitor is None or monitor.next_poll_at is None:
            return None
        return max(0.0, monitor.next_poll_at - asyncio.get_running_loop().time())

    def poll_now(self, job: Job) -> None:
        """Poll a job now, and monitor it from now on."""
        number = job.row.row_id
        self._tasks.start(f"poll job {number}", lambda: self.session.poll_job(job.row))

    def retry(self, job: Job) -> None:
        """Request a failed job again, and monitor it."""
        self._tasks.start(f"retry job {job.row.row_id}", lambda: self.session.retry_job(job.row))

    def poll_all(self) -> None:
        """Poll all monitored jobs that have not ended."""
        for job in self.jobs:
            if job.awaits_poll:
                self.poll_now(job)

    def stop_monitoring(self, job: Job) -> None:
        """Stop monitoring a job, which continues at the service."""

        async def stop() -> None:
            await (await self.session.job_watcher()).stop(job.row.row_id)

        self._tasks.start(f"stop monitoring job {job.row.row_id}", stop)

    def clear_ended(self) -> None:
        """Remove ended jobs from the list."""
        self._tasks.start("clear the list of jobs", self.session.clear_ended_jobs)

    def is_of_collection(self, job: Job) -> bool:
        """Whether a job is about a collection at the current connection."""
        return _COLLECTION in job.row.subject and job.row.connection == self.session.connection.name

    def is_of_study(self, job: Job) -> bool:
        """Whether a job belongs to the open study at the current connection."""
        if not self.study.is_open or job.row.connection != self.session.connection.name:
            return False
        own = self.study.remote(job.row.connection).resources
        return any(value in own for value in job.row.subject.values())

    def _refresh_soon(self) -> None:
        if not self._debounce.isActive():
            self._debounce.start()

    async def _read(self) -> None:
        while self._is_stale:
            self._is_stale = False
            await self._load()

    async def _load(self) -> None:
        try:
            self._watcher = watcher = await self.session.job_watcher()
            rows = await asyncio.to_thread(watcher.rows.latest)
        except Exception as error:
            # The reason is shown in place of the list.
            self.error = self._tasks.message(error)
        else:
            self.error = None
            self.jobs = tuple(self._job(row, watcher) for row in rows)
        self.is_loading = False
        self.changed.emit()

    def _job(self, row: JobRow, watcher: JobWatcher) -> Job:
        job = Job(
            row,
            title=self.session.title_of(row.connection),
            has_connection=self.session.has_connection(row.connection),
        )
        local_job, monitor = watcher.local_job(row.row_id), watcher.poller(row.row_id)
        if local_job is not None:
            return replace(job, is_monitored=True, is_awaited=True, local_job=local_job)
        if monitor is None:
            return self._unmonitored(job, watcher.blocked_by(row.connection))
        is_waited_for = watcher.is_waited_for(row.row_id)
        return replace(job, is_monitored=True, poll_failure=monitor.poll_failure, is_awaited=is_waited_for)

    def _unmonitored(self, job: Job, obstacle: Exception | None) -> Job:
        """A job that is not monitored, with the reason if there is one."""
        if obstacle is None or not job.can_poll or not job.row.is_monitored:
            return job
        if isinstance(obstacle, NotSignedIn):
            return replace(job, poll_failure=PollFailure.SIGNED_OUT)
        return replace(job, blocked_by=self._tasks.message(obstacle))
