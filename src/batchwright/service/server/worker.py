"""The worker: the process that runs the jobs of the job table, beside the HTTP process.

`WorkerProcess` starts it by spawn and restarts it when it ends; `main` runs in it. It locks the data folder,
so that two workers never write at the same time. It ends as soon as the pipe from its parent closes, since
every job can be resumed.

A job that fails is retried; after eight attempts without progress it ends as failed. A full disk does not
count as an attempt: a job that was accepted must not be lost because of a disk that can be cleared, so it
waits until there is space.
"""

import logging
import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import TypeVar

from batchwright.base.child_processes import start_ignoring_ctrl_c
from batchwright.base.files.durable_files import is_disk_full
from batchwright.base.files.file_lock import FileLock
from batchwright.base.i18n import _
from batchwright.base.logging import start_logging
from batchwright.service import clock
from batchwright.service.blobs import Blobs
from batchwright.service.data_dir import WORKER_LOCK_NAME
from batchwright.service.jobs import exports, imports, migrations, tasks
from batchwright.service.jobs.context import JobContext, JobHandler
from batchwright.service.store import jobs, record_digests
from batchwright.service.store.database import open_database
from batchwright.service.store.jobs import StoredJob, StoredJobKind

_log = logging.getLogger(__name__)

_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 5.0

T = TypeVar("T")


def retry_while_disk_full(function: Callable[[], T], wait: Callable[[float], object] = time.sleep) -> T:
    """The result of `function`, called again while the disk is full; it must have no partial effect."""
    pause = _FIRST_PAUSE_S
    while True:
        try:
            return function()
        except OSError as error:
            if not is_disk_full(error):
                raise
        if pause == _FIRST_PAUSE_S:
            log_disk_full()
        wait(pause)
        pause = min(_LONGEST_PAUSE_S, 2 * pause)


def log_disk_full() -> None:
    """Log that jobs wait for disk space."""
    _log.warning(_("The disk is full; jobs wait until there is space."))


MAX_ATTEMPTS = 8
"""Attempts without progress after which a job fails."""

_LONGEST_PAUSE_MS = 5 * clock.SECOND
_LONGEST_PAUSE_OF_FAILED_MS = 300 * clock.SECOND
"""The pause between attempts to mark a job as failed; each attempt that raises is logged."""

_INDEXED_AT_ONCE = 1000
"""Records that are indexed between jobs: other writers wait for some hundredths of a second."""

_HANDLERS: Mapping[StoredJobKind, JobHandler] = {
    StoredJobKind.IMPORT: imports.V4Import(),
    StoredJobKind.V3_IMPORT: imports.V3Import(),
    StoredJobKind.SETUP: tasks.Setup(),
    StoredJobKind.EXPORT: exports.Export(),
    StoredJobKind.SYNC: tasks.Sync(),
    StoredJobKind.MIGRATION: migrations.Migration(),
}


def main(folder: Path, job_delay: float, parent: Connection) -> None:
    """Run the worker process until its parent ends."""
    start_logging("worker")
    wake = threading.Event()
    threading.Thread(target=_listen_to_parent, args=(parent, wake), daemon=True).start()
    lock = retry_while_disk_full(lambda: FileLock(folder / WORKER_LOCK_NAME))
    lock.acquire(wait=float("inf"))
    context = retry_while_disk_full(lambda: JobContext(open_database(folder), Blobs(folder), clock.now))
    worker = Worker(context, int(job_delay * clock.SECOND))
    retry_while_disk_full(worker.reset_delays)
    while True:
        wake.clear()
        if not retry_while_disk_full(worker.run_next) and not worker.index_next():
            wake.wait(retry_while_disk_full(worker.seconds_to_next))


class Worker:
    """Runs one job at a time, each `delay` milliseconds after it became due."""

    def __init__(self, context: JobContext, delay: int) -> None:
        self._context = context
        self._delay = delay
        self._longest_pause = max(delay, _LONGEST_PAUSE_OF_FAILED_MS)

    def reset_delays(self) -> None:
        """Make every job due that an earlier worker postponed."""
        with self._context.database.write() as connection:
            jobs.reset_delays(connection, self._context.clock())

    def run_next(self) -> bool:
        """Run the next job that is due; whether there was one."""
        with self._context.database.read() as connection:
            job = jobs.next_due(connection, self._context.clock(), self._longest_pause)
        if job is None:
            return False
        with self._context.database.write() as connection:
            jobs.count_attempt(connection, job.row_id)
        try:
            self._run(job)
        except Exception as error:  # an error in one job must not stop the others
            self._retry_later(job, error)
        return True

    def index_next(self) -> bool:
        """Index some records for the next append; whether there were any.

        Called when no job is due: the first append to a dataset would wait until all are indexed. An error is
        logged, and an append indexes what is missing.
        """
        try:
            with self._context.database.read() as connection:
                dataset = record_digests.next_unindexed(connection)
            if dataset is None:
                return False
            with self._context.database.write() as connection:
                record_digests.index_next(connection, dataset, _INDEXED_AT_ONCE)
        except Exception:  # such as a full disk
            _log.exception("Records could not be indexed")
            return False
        return True

    def seconds_to_next(self) -> float | None:
        """Seconds until the next job is due; None if there is none."""
        with self._context.database.read() as connection:
            due = jobs.next_due_at(connection)
        return None if due is None else max(0, due - self._context.clock()) / clock.SECOND

    def _run(self, job: StoredJob) -> None:
        handler = _HANDLERS[job.kind]
        if self._delay and not job.attempts:
            handler.start(self._context, job)
            self._postpone(job, self._delay)
        elif job.attempts >= MAX_ATTEMPTS:
            reason = _("It was interrupted {count} times without progress and was stopped.")
            reason = reason.format(count=job.attempts)
            _log_failed_job(job)
            handler.fail(self._context, job, reason)
        else:
            handler.run(self._context, job)

    def _retry_later(self, job: StoredJob, error: Exception) -> None:
        """Postpone a job after an error. A full disk does not count as an attempt; others are logged."""
        if is_disk_full(error):
            log_disk_full()
            if job.attempts < MAX_ATTEMPTS:  # a job that is being marked as failed stays so
                with self._context.database.write() as connection:
                    jobs.reset_attempts(connection, job.row_id)
            self._postpone(job, _LONGEST_PAUSE_MS)
        else:
            _log_error(job, error)
            longest = _LONGEST_PAUSE_MS if job.attempts < MAX_ATTEMPTS else _LONGEST_PAUSE_OF_FAILED_MS
            self._postpone(job, min(longest, 100 * 2**job.attempts))

    def _postpone(self, job: StoredJob, milliseconds: int) -> None:
        with self._context.database.write() as connection:
            jobs.postpone(connection, job.row_id, self._context.clock() + milliseconds)


def _log_failed_job(job: StoredJob) -> None:
    """Log that a job is marked as failed."""
    template = _(
        "Job {number} ({kind} {subject}) was interrupted {count} times without progress and is stopped."
    )
    message = template.format(number=job.row_id, kind=job.kind, subject=job.subject, count=job.attempts)
    _log.error(message)


def _log_error(job: StoredJob, error: Exception) -> None:
    """Log an error of a job with its traceback."""
    template = (
        _("Job {number} ({kind} {subject}) failed at attempt {attempt} and is retried later.")
        if job.attempts < MAX_ATTEMPTS
        else _("Job {number} ({kind} {subject}) could not be stopped, at attempt {attempt}.")
    )
    message = template.format(number=job.row_id, kind=job.kind, subject=job.subject, attempt=job.attempts + 1)
    _log.error(message, exc_info=error)


def _listen_to_parent(parent: Connection, wake: threading.Event) -> None:
    """Wake the worker when the parent reports a new job, and exit when the parent ends."""
    try:
        while True:
            parent.recv_bytes()
            wake.set()
    except (EOFError, OSError):
        os._exit(0)


_SPAWN = multiprocessing.get_context("spawn")
_SHORT_LIFE_S = 5.0
_LONGEST_RESTART_PAUSE_S = 5.0
_STOP_TIMEOUT_S = 5.0


class WorkerProcess:
    """Keeps one worker running from `start` to `stop`."""

    def __init__(self, folder: Path, job_delay: float) -> None:
        self._folder = folder
        self._job_delay = job_delay
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._starting = threading.Lock()
        self._pipe: Connection | None = None
        self._process: SpawnProcess | None = None
        self._supervisor = threading.Thread(target=self._supervise, daemon=True)

    def start(self) -> None:
        """Start the worker, and a thread that restarts it when it ends."""
        self._spawn()
        self._supervisor.start()

    def wake(self) -> None:
        """Notify the worker of a new job; a worker that is just starting checks for jobs anyway."""
        with self._lock, suppress(OSError):
            if self._pipe is not None:
                self._pipe.send_bytes(b"job")

    @contextmanager
    def paused(self) -> Iterator[None]:
        """End the worker, and start another one at the end of the block, which resumes its job."""
        with self._starting:
            with self._lock:
                process, pipe = self._process, self._pipe
                if pipe is not None:
                    pipe.close()
                self._pipe = None
                if process is not None:
                    process.terminate()
            if process is not None:
                process.join()
            try:
                yield
            finally:
                self._spawn()

    def stop(self) -> None:
        """Stop the worker, also while it starts; an interrupted job is resumed at the next start."""
        with self._lock:
            self._stopping.set()
            if self._pipe is not None:
                self._pipe.close()
            self._pipe = None
            if self._process is not None:
                self._process.terminate()
        self._supervisor.join(_STOP_TIMEOUT_S)
        if self._supervisor.is_alive() and self._process is not None:
            self._process.kill()
            self._supervisor.join()

    def _supervise(self) -> None:
        """Restart the worker whenever it ends, with growing pauses if it ends soon after its start."""
        pause = 0.0
        while self._process is not None:
            started_at = time.monotonic()
            self._process.join()
            lifetime = time.monotonic() - started_at
            pause = 0.0 if lifetime > _SHORT_LIFE_S else min(_LONGEST_RESTART_PAUSE_S, 2 * pause + 0.1)
            if self._stopping.wait(pause):
                return
            try:
                with self._starting:
                    if not self._process.is_alive():  # else another one was started after a pause
                        self._spawn()
            except OSError:  # no memory or no process available: retried in the next round
                _log.exception("The worker could not be started")

    def _spawn(self) -> None:
        own_end, worker_end = _SPAWN.Pipe()
        process = _SPAWN.Process(
            target=main, args=(self._folder, self._job_delay, worker_end), daemon=True, name="worker"
        )
        with self._lock:
            if self._stopping.is_set():
                return
            start_ignoring_ctrl_c(process)
            worker_end.close()
            if self._pipe is not None:
                self._pipe.close()
            self._pipe, self._process = own_end, process
