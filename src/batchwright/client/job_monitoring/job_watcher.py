"""The job watcher: monitors the jobs of all connections, for all windows.

There is one per program, and at most one monitor per job, which uses the newest token of its connection.
After a restart monitoring continues.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial

from batchwright.base.database import StorageUnavailable
from batchwright.client.job_monitoring.monitors import JobPoller, PollFailure
from batchwright.client.job_monitoring.status import JobStatus
from batchwright.client.local_job import LocalJob
from batchwright.local.job_table import JobRow, JobRows

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
        self._pollers: dict[int, JobPoller] = {}
        self._local_jobs: dict[int, LocalJob] = {}
        self._blocked: dict[str, Exception] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._changed: list[Changed] = []
        self._ended: list[Ended] = []

    def add_listener(self, changed: Changed, ended: Ended) -> None:
        """Add a listener: `changed` for any change of any job, `ended` for a job no caller waited for.

        Only the first `ended` listener is called for a job.
        """
        self._changed.append(changed)
        self._ended.append(ended)

    def remove_listener(self, changed: Changed, ended: Ended) -> None:
        """Remove a listener added by `add_listener`."""
        self._changed.remove(changed)
        self._ended.remove(ended)

    @asynccontextmanager
    async def run_local(self, number: int, doing: LocalJob) -> AsyncIterator[LocalJob]:
        """Make a local job visible to listeners while the block runs, and record its outcome."""
        self._local_jobs[number] = doing
        doing.on_change = self.notify
        self.notify()
        fault: BaseException | None = None
        try:
            yield doing
        except BaseException as error:
            fault = error
            raise
        finally:
            seen = doing.final_status(fault)
            kept = asyncio.to_thread(self.rows.record, number, seen.state, seen.detail, seen.outcome)
            try:
                with suppress(StorageUnavailable):  # the outcome is the same if it cannot be stored
                    await asyncio.shield(kept)
            finally:
                del self._local_jobs[number]
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

    def block(self, connection: str, why: Exception) -> None:
        """Record why no job of a connection can be polled."""
        self._blocked[connection] = why
        self.notify()

    def blocked_by(self, connection: str) -> Exception | None:
        """Return why no job of a connection can be polled; None if no reason is known."""
        return self._blocked.get(connection)

    def local_job(self, number: int) -> LocalJob | None:
        """Return the running local job with this row ID; None if there is none."""
        return self._local_jobs.get(number)

    def poller(self, number: int) -> JobPoller | None:
        """Return the monitor of a job; None if it is not monitored at the moment."""
        return self._pollers.get(number)

    def is_waited_for(self, number: int) -> bool:
        """Whether a caller waits for the end of a job, so that its monitoring cannot be stopped."""
        return number in self._pollers and number not in self._tasks

    def statuses(self, watched: WatchedJob) -> AsyncGenerator[JobStatus | PollFailure]:
        """Yield the statuses of a job to a caller that waits for it; the watcher's own task ends."""
        self._cancel_task(watched.row.number)
        return self._statuses(watched)

    def watch(self, jobs: Iterable[WatchedJob]) -> None:
        """Monitor these jobs in tasks of the watcher, except those that a caller waits for."""
        for watched in jobs:
            number = watched.row.number
            if self.is_waited_for(number):
                continue
            self._cancel_task(number)
            task = asyncio.create_task(self._watch_to_end(watched))
            self._tasks[number] = task
            task.add_done_callback(partial(self._on_task_done, number))

    def poll_now(self, watched: WatchedJob) -> None:
        """Poll a job immediately, with a new monitor or with that of the caller that waits for it."""
        if self.is_waited_for(watched.row.number):
            self._pollers[watched.row.number].poll_now()
        else:
            self.watch([watched])

    def pause(self, number: int) -> None:
        """Stop monitoring a job for now; its row stays open, so that monitoring can be resumed.

        If a caller waits for the job, its monitor polls once more immediately, and so reports the reason.
        """
        if self.is_waited_for(number):
            self._pollers[number].poll_now()
        self._cancel_task(number)
        self.notify()

    async def stop(self, number: int) -> None:
        """Stop monitoring a job, also after a restart, unless a caller waits for it.

        The job itself continues at the service.
        """
        self._cancel_task(number)
        await asyncio.to_thread(self.rows.stop_watching, number)
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

    async def _statuses(self, watched: WatchedJob) -> AsyncGenerator[JobStatus | PollFailure]:
        number = watched.row.number
        self._pollers[number] = watched.poller
        self.notify()
        try:
            async for seen in watched.poller.statuses():
                if isinstance(seen, JobStatus) and seen.is_settled:
                    self._remove_poller(watched)
                yield seen
        finally:
            self._remove_poller(watched)
            self.notify()

    def _remove_poller(self, watched: WatchedJob) -> None:
        """Remove the monitor of a job, unless another one has replaced it."""
        if self._pollers.get(watched.row.number) is watched.poller:
            del self._pollers[watched.row.number]

    async def _watch_to_end(self, watched: WatchedJob) -> None:
        number = watched.row.number
        try:
            async for _sight in self._statuses(watched):
                pass
        except Exception as error:
            # No caller waits for the job, so the error is stored in its row.
            with suppress(StorageUnavailable):
                await asyncio.to_thread(self.rows.record_failure, number, str(error))
            return
        ended = await asyncio.to_thread(self.rows.find, number)
        if ended is not None and ended.ending is not None:
            for told in tuple(self._ended)[:1]:
                told(ended)

    def _cancel_task(self, number: int) -> None:
        task = self._tasks.pop(number, None)
        if task is not None:
            task.cancel()

    def _on_task_done(self, number: int, done: asyncio.Task[None]) -> None:
        if self._tasks.get(number) is done:
            del self._tasks[number]
        self.notify()
