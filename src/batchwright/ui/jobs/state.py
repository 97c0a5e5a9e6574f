"""What the Jobs stage shows: every job that is kept, live, and what can be done with one. No widgets here."""

import asyncio
from dataclasses import dataclass, replace
from enum import Enum, auto

from PySide6.QtCore import QObject, QTimer, Signal

from batchwright.client.connection_pool import NotSignedIn
from batchwright.client.job_monitoring.job_watcher import JobWatcher
from batchwright.client.job_monitoring.monitors import PollFailure
from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.client.local_job import LocalJob
from batchwright.local.job_table import JobRow
from batchwright.ui.core.background_tasks import TaskMessage, Tasks
from batchwright.ui.core.job_types import KINDS
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.study.study_model import Study
from batchwright.workflows.retry_job import can_retry

_GATHER = 100
"""Milliseconds within which news of several jobs are read together."""
_FEEDBACK = "feedback"
"""What tells an upload of feedback from one of data: the workspace that it is about."""


class JobStateFilter(Enum):
    """Which jobs are listed."""

    ALL = auto()
    RUNNING = auto()
    FINISHED = auto()
    FAILED = auto()


@dataclass(frozen=True)
class Job:
    """A job as it stands: its row, and what watches it now."""

    row: JobRow
    is_monitored: bool = False
    poll_failure: PollFailure | None = None
    is_awaited: bool = False
    """Somebody waits for its end, so that watching it cannot be stopped."""
    title: str = ""
    """What its connection is called now, where that is another name."""
    local_job: LocalJob | None = None
    """How far it is, where this program does it."""
    has_connection: bool = True
    """Whether its connection is there: it may have been removed, and a command knows an address alone."""
    blocked_by: TaskMessage | None = None
    """Why nobody watches it, where something is in the way."""

    @property
    def where(self) -> str:
        """The connection that it runs at, as people know it."""
        return self.title or self.row.connection

    @property
    def is_running(self) -> bool:
        """Whether it has not ended, as far as anybody knows."""
        return self.row.ending is None

    @property
    def has_failed(self) -> bool:
        """Whether it ended without what it was begun for."""
        return self.row.ending in (
            JobOutcome.FAILED,
            JobOutcome.MISCOUNTED,
            JobOutcome.GONE,
            JobOutcome.UNCLEAR,
            JobOutcome.NOT_STARTED,
            JobOutcome.STOPPED,
        )

    @property
    def is_local(self) -> bool:
        """Whether this program does it, or did until it ended; no service can be asked about it."""
        return JobKind(self.row.kind).is_local

    @property
    def is_without_token(self) -> bool:
        """Whether it waits until somebody signs in."""
        return self.poll_failure is PollFailure.SIGNED_OUT

    @property
    def can_poll(self) -> bool:
        """Whether looking at it may show anything new."""
        may_be_new = not self.is_local and self.row.ending not in (JobOutcome.DONE, JobOutcome.PARTLY)
        return may_be_new and self.has_connection

    @property
    def awaits_poll(self) -> bool:
        """Whether it goes on, and the next look at it may show more; without a token none does."""
        return self.is_running and self.is_monitored and self.can_poll and not self.is_without_token

    @property
    def can_retry(self) -> bool:
        """Whether a new request begins again what the service could not do."""
        return can_retry(self.row) and self.has_connection

    @property
    def can_stop(self) -> bool:
        """Whether watching it can be stopped."""
        return self.is_monitored and not self.is_awaited

    @property
    def is_feedback(self) -> bool:
        """Whether it sends a feedback file, which belongs to no study."""
        return _FEEDBACK in self.row.subject

    @property
    def stage(self) -> str:
        """The stage that shows what it made."""
        return "feedback" if self.is_feedback else KINDS[self.row.kind].stage


@dataclass(frozen=True)
class JobFilter:
    """Which jobs are shown: by how they stand, by kind, by words."""

    which: JobStateFilter = JobStateFilter.ALL
    kind: str = ""
    text: str = ""

    def matches(self, job: Job, spoken: str) -> bool:
        """Whether a job is shown; `spoken` is all that is said of it."""
        stands = {
            JobStateFilter.ALL: True,
            JobStateFilter.RUNNING: job.is_running,
            JobStateFilter.FINISHED: not job.is_running and not job.has_failed,
            JobStateFilter.FAILED: job.has_failed,
        }[self.which]
        return stands and self.kind in ("", job.row.kind) and self.text.casefold() in spoken.casefold()


class JobsState(QObject):
    """Holds the jobs; `changed` follows everything."""

    changed = Signal()

    def __init__(
        self, study: Study, session: ConnectionSession, tasks: Tasks, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.study, self.session, self._tasks = study, session, tasks
        self._watcher: JobWatcher | None = None
        self.jobs: tuple[Job, ...] = ()
        self.chosen: Job | None = None
        """The job that is chosen in the table."""
        self.is_loading = True
        self._is_stale = False
        """Whether there is news since it was read last."""
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
        """How many jobs run, and how many of them wait: for the network, for a token, or as told."""
        running = [job for job in self.jobs if job.is_running and job.is_monitored]
        return len(running), sum(job.poll_failure is not None for job in running)

    def refresh(self) -> None:
        """Read the list anew; once more, where it is being read already."""
        self._is_stale = True
        self._tasks.start("read the jobs", self._read)

    def seconds_to_poll(self, job: Job) -> float | None:
        """Seconds until a job is looked at; None when nobody knows."""
        monitor = self._watcher.poller(job.row.number) if self._watcher else None
        if monitor is None or monitor.next_poll_at is None:
            return None
        return max(0.0, monitor.next_poll_at - asyncio.get_running_loop().time())

    def poll_now(self, job: Job) -> None:
        """Look at a job now, and watch it from now on."""
        number = job.row.number
        self._tasks.start(f"look at job {number}", lambda: self.session.look_again(job.row))

    def retry(self, job: Job) -> None:
        """Ask for what failed once more, and watch it from now on."""
        self._tasks.start(f"begin job {job.row.number} again", lambda: self.session.begin_again(job.row))

    def poll_all(self) -> None:
        """Look at everything that is watched and has not ended."""
        for job in self.jobs:
            if job.awaits_poll:
                self.poll_now(job)

    def stop_monitoring(self, job: Job) -> None:
        """Watch a job no longer; it goes on at the service."""

        async def stop() -> None:
            await (await self.session.watch()).stop(job.row.number)

        self._tasks.start(f"stop watching job {job.row.number}", stop)

    def clear_ended(self) -> None:
        """Take what has ended off the list."""
        self._tasks.start("clear the list of jobs", self.session.clear_jobs)

    def is_of_study(self, job: Job) -> bool:
        """Whether a job belongs to the study that is open, at the connection that is chosen."""
        if not self.study.is_open or job.row.connection != self.session.connection.name:
            return False
        remote = self.study.remote(job.row.connection)
        own = {remote.dataset_id, remote.batch_id} - {None}
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
            self._watcher = watcher = await self.session.watch()
            rows = await asyncio.to_thread(watcher.rows.latest)
        except Exception as error:
            # A list that cannot be read is replaced by why.
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
            has_connection=self.session.knows(row.connection),
        )
        local_job, monitor = watcher.local_job(row.number), watcher.poller(row.number)
        if local_job is not None:
            return replace(job, is_monitored=True, is_awaited=True, local_job=local_job)
        if monitor is None:
            return self._unmonitored(job, watcher.blocked_by(row.connection))
        is_waited_for = watcher.is_waited_for(row.number)
        return replace(job, is_monitored=True, poll_failure=monitor.poll_failure, is_awaited=is_waited_for)

    def _unmonitored(self, job: Job, obstacle: Exception | None) -> Job:
        """A job that nobody watches, with the reason, if there is one."""
        if obstacle is None or not job.can_poll or not job.row.is_watched:
            return job
        if isinstance(obstacle, NotSignedIn):
            return replace(job, poll_failure=PollFailure.SIGNED_OUT)
        return replace(job, blocked_by=self._tasks.message(obstacle))
