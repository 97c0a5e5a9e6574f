"""The job watcher: monitors the jobs of all connections, for all windows.

There is one per program, and at most one monitor per job, which uses the newest token of its connection.
After a restart monitoring continues.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from weakref import WeakValueDictionary

from batchwright.base.database import StorageUnavailable
from batchwright.client.job_monitoring.local_job import LocalJob
from batchwright.client.job_monitoring.monitors import JobPoller, PollFailure
from batchwright.client.job_monitoring.status import JobStatus
from batchwright.local.job_table import JobRow, JobRows

_log = logging.getLogger(__name__)

Changed = Callable[[], object]
Ended = Callable[[JobRow], object]


@dataclass(frozen=True)
class WatchedJob:
    """A stored job and its monitor."""

    row: JobRow
    poller: JobPoller


class JobWatcher:
    """Manages the monitor of each job, identified by its row ID.

    A job is monitored by the caller that waits for it, such as a workflow, or, if there is none, as after a
    restart, by a task of the watcher. Listeners are called on the event loop.
    """

    def __init__(self, rows: JobRows) -> None:
        self.rows = rows
        self.start_lock = asyncio.Lock()
        """For those who look whether a job is stored already and store it otherwise."""
        self._work_locks = WeakValueDictionary[str, asyncio.Lock]()
        self._pollers: dict[int, JobPoller] = {}
        self._local_jobs: dict[int, LocalJob] = {}
        self._blocked: dict[str, Exception] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._changed: list[Changed] = []
        self._ended: list[Ended] = []

    def add_listener(self, changed: Changed, ended: Ended) -> None:
        """Add a listener: `changed` for any change of any job, `ended` for a job no caller waited for.

        A paused job that is still paused has not ended again. Only the first `ended` listener is called for
        a job.
        """
        self._changed.append(changed)
        self._ended.append(ended)

    def remove_listener(self, changed: Changed, ended: Ended) -> None:
        """Remove a listener added by `add_listener`."""
        self._changed.remove(changed)
        self._ended.remove(ended)

    def work_lock(self, about: str) -> asyncio.Lock:
        """The lock for work that no two windows may do at the same time; `about` identifies the work."""
        return self._work_locks.setdefault(about, asyncio.Lock())

    @asynccontextmanager
    async def run_local(self, row_id: int, local_job: LocalJob) -> AsyncIterator[LocalJob]:
        """Make a local job visible to listeners while the block runs, and record its outcome."""
        self._local_jobs[row_id] = local_job
        local_job.on_change = self.notify
        self.notify()
        error: BaseException | None = None
        try:
            yield local_job
        except BaseException as raised:
            error = raised
            raise
        finally:
            status = local_job.final_status(error)
            recording = asyncio.to_thread(
                self.rows.record, row_id, status.state, status.detail, status.outcome
            )
            try:
                with suppress(StorageUnavailable):  # the outcome is the same if it cannot be stored
                    await asyncio.shield(recording)
            finally:
                del self._local_jobs[row_id]
                self.notify()

    @contextmanager
    def connecting(self, connection: str) -> Iterator[None]:
        """Record an exception of the block as the reason why no job of a connection can be polled.

        The reason is removed when a later block succeeds.
        """
        try:
            yield
        except Exception as error:
            self.block(connection, error)
            raise
        if self._blocked.pop(connection, None) is not None:
            self.notify()

    def block(self, connection: str, error: Exception) -> None:
        """Record why no job of a connection can be polled."""
        self._blocked[connection] = error
        self.notify()

    def blocked_by(self, connection: str) -> Exception | None:
        """Why no job of a connection can be polled; None if no reason is known."""
        return self._blocked.get(connection)

    def local_job(self, row_id: int) -> LocalJob | None:
        """The running local job with this row ID; None if there is none."""
        return self._local_jobs.get(row_id)

    def poller(self, row_id: int) -> JobPoller | None:
        """The monitor of a job; None if it is not monitored at the moment."""
        return self._pollers.get(row_id)

    def is_waited_for(self, row_id: int) -> bool:
        """Whether a caller waits for the end of a job, so that its monitoring cannot be stopped."""
        return row_id in self._pollers and row_id not in self._tasks

    def statuses(self, job: WatchedJob) -> AsyncGenerator[JobStatus | PollFailure]:
        """Yield the statuses of a job to a caller that waits for it; the watcher's own task ends."""
        self._cancel_task(job.row.row_id)
        return self._statuses(job)

    def monitor(self, jobs: Iterable[WatchedJob]) -> None:
        """Monitor these jobs in tasks of the watcher, except those that a caller waits for."""
        for job in jobs:
            row_id = job.row.row_id
            if self.is_waited_for(row_id):
                continue
            self._cancel_task(row_id)
            task = asyncio.create_task(self._monitor_to_end(job))
            self._tasks[row_id] = task
            task.add_done_callback(partial(self._on_task_ended, row_id))

    def poll_now(self, job: WatchedJob) -> None:
        """Poll a job immediately, with a new monitor or with that of the caller that waits for it."""
        if self.is_waited_for(job.row.row_id):
            self._pollers[job.row.row_id].poll_now()
        else:
            self.monitor([job])

    def pause(self, row_id: int) -> None:
        """Stop monitoring a job for now; its row stays open, so that monitoring can be resumed.

        If a caller waits for the job, its monitor polls once more immediately, and so reports the reason.
        """
        if self.is_waited_for(row_id):
            self._pollers[row_id].poll_now()
        self._cancel_task(row_id)
        self.notify()

    async def stop(self, row_id: int) -> None:
        """Stop monitoring a job, also after a restart, unless a caller waits for it.

        The job itself continues at the service.
        """
        self._cancel_task(row_id)
        await asyncio.to_thread(self.rows.stop_monitoring, row_id)
        self.notify()

    async def clear_ended(self, connections: Iterable[str]) -> None:
        """Hide jobs that have ended or are no longer monitored, and those of other connections than these.

        Their rows are not deleted, but they are not monitored again, also if such a connection is added
        again.
        """
        await asyncio.to_thread(self.rows.clear_ended, connections)
        self.notify()

    def notify(self) -> None:
        """Call all `changed` listeners."""
        for changed in tuple(self._changed):
            changed()

    async def close(self) -> None:
        """Cancel all monitoring tasks; the rows stay open for the next start of the program."""
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _statuses(self, job: WatchedJob) -> AsyncGenerator[JobStatus | PollFailure]:
        row_id = job.row.row_id
        self._pollers[row_id] = job.poller
        self.notify()
        try:
            async for status in job.poller.statuses():
                if isinstance(status, JobStatus) and status.is_settled:
                    self._remove_poller(job)
                yield status
        finally:
            self._remove_poller(job)
            self.notify()

    def _remove_poller(self, job: WatchedJob) -> None:
        """Remove the monitor of a job, unless another one has replaced it."""
        if self._pollers.get(job.row.row_id) is job.poller:
            del self._pollers[job.row.row_id]

    async def _monitor_to_end(self, job: WatchedJob) -> None:
        row_id = job.row.row_id
        try:
            async for _status in self._statuses(job):
                pass
        except Exception as error:
            # No caller waits for the job, so the error is logged here and stored in its row.
            _log.exception("Unexpected error while monitoring job %d (%s)", row_id, job.row.kind)
            with suppress(StorageUnavailable):
                await asyncio.to_thread(self.rows.record_failure, row_id, str(error))
            return
        ended = await asyncio.to_thread(self.rows.get, row_id)
        if ended is not None and ended.outcome not in (None, job.row.outcome):
            for listener in tuple(self._ended)[:1]:
                listener(ended)

    def _cancel_task(self, row_id: int) -> None:
        task = self._tasks.pop(row_id, None)
        if task is not None:
            task.cancel()

    def _on_task_ended(self, row_id: int, ended_task: asyncio.Task[None]) -> None:
        if self._tasks.get(row_id) is ended_task:
            del self._tasks[row_id]
        self.notify()
