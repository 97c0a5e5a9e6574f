"""The watch over every job of the program: one for all windows, whoever began a job."""

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
    """A job on disk, and what watches it."""

    row: JobRow
    poller: JobPoller


class JobWatcher:
    """Knows each job's row, and the one monitor that looks at it now.

    A job is watched by whoever waits for it, a workflow, say; or, when nobody does, as after a restart, by a
    task of the watch itself. Listeners are told on the event loop.
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
        """Be told when anything about any job is new, and when a job has ended that nobody waited for."""
        self._changed.append(changed)
        self._ended.append(ended)

    def remove_listener(self, changed: Changed, ended: Ended) -> None:
        """Be told no more."""
        self._changed.remove(changed)
        self._ended.remove(ended)

    @asynccontextmanager
    async def run_local(self, number: int, doing: LocalJob) -> AsyncIterator[LocalJob]:
        """Keep how something ends that this program does itself; listeners hear how far it is."""
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
                with suppress(StorageUnavailable):  # what was done is done all the same
                    await asyncio.shield(kept)
            finally:
                del self._local_jobs[number]
                self.notify()

    @contextmanager
    def connecting(self, connection: str) -> Iterator[None]:
        """Keep why a connection cannot be used, until it is reached: no job of it can be looked at before."""
        try:
            yield
        except Exception as error:
            self.block(connection, error)
            raise
        if self._blocked.pop(connection, None) is not None:
            self.notify()

    def block(self, connection: str, why: Exception) -> None:
        """Keep what is in the way of looking at any job of a connection."""
        self._blocked[connection] = why
        self.notify()

    def blocked_by(self, connection: str) -> Exception | None:
        """What is in the way of looking at the jobs of a connection, as far as anybody knows."""
        return self._blocked.get(connection)

    def local_job(self, number: int) -> LocalJob | None:
        """What this program does itself under this number; None when it does nothing of the kind now."""
        return self._local_jobs.get(number)

    def poller(self, number: int) -> JobPoller | None:
        """What looks at a job now; None when nothing does."""
        return self._pollers.get(number)

    def is_waited_for(self, number: int) -> bool:
        """Whether someone waits for the end of a job, so that watching it cannot be stopped."""
        return number in self._pollers and number not in self._tasks

    def statuses(self, watched: WatchedJob) -> AsyncGenerator[JobStatus | PollFailure]:
        """What a monitor sees, for someone who waits for it; the watch itself looks no more."""
        self._cancel_task(watched.row.number)
        return self._statuses(watched)

    def watch(self, jobs: Iterable[WatchedJob]) -> None:
        """Watch these jobs from now on, but those that somebody waits for."""
        for watched in jobs:
            number = watched.row.number
            if self.is_waited_for(number):
                continue
            self._cancel_task(number)
            task = asyncio.create_task(self._watch_to_end(watched))
            self._tasks[number] = task
            task.add_done_callback(partial(self._on_task_done, number))

    def poll_now(self, watched: WatchedJob) -> None:
        """Look at a job at once: anew, or, where somebody waits for it, as they do."""
        if self.is_waited_for(watched.row.number):
            self._pollers[watched.row.number].poll_now()
        else:
            self.watch([watched])

    def pause(self, number: int) -> None:
        """Look at a job no more for now; its row stays as it is, to be taken up again.

        Who waits for it looks once more at once, and hears what the matter is.
        """
        if self.is_waited_for(number):
            self._pollers[number].poll_now()
        self._cancel_task(number)
        self.notify()

    async def stop(self, number: int) -> None:
        """Watch a job no longer, unless somebody waits for it. The job itself goes on."""
        self._cancel_task(number)
        await asyncio.to_thread(self.rows.stop_watching, number)
        self.notify()

    async def clear_ended(self, connections: Iterable[str]) -> None:
        """Take off the list what has ended, and what is at none of these connections."""
        await asyncio.to_thread(self.rows.clear_ended, connections)
        self.notify()

    def notify(self) -> None:
        """Tell everybody that something is new."""
        for changed in tuple(self._changed):
            changed()

    async def close(self) -> None:
        """End what watches; the rows stay as they are, for the next start."""
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
        """Know no more of a monitor, unless another one has taken its place."""
        if self._pollers.get(watched.row.number) is watched.poller:
            del self._pollers[watched.row.number]

    async def _watch_to_end(self, watched: WatchedJob) -> None:
        number = watched.row.number
        try:
            async for _sight in self._statuses(watched):
                pass
        except Exception as error:
            # Nobody waits for it, so that nobody would hear: its row says what went wrong.
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
