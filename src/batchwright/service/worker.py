"""The worker: a process beside the HTTP one that does the jobs of the job table (design.md 6).

It holds a lock on the data folder, so that no two workers ever write beside each other, and ends
the moment the pipe from its parent closes: everything it does can be taken up again.
"""

import logging
import os
import signal
import threading
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path

from batchwright.base.durable_files import is_disk_full
from batchwright.base.i18n import _
from batchwright.base.logging import start_logging
from batchwright.service import clock
from batchwright.service.blobs import Blobs
from batchwright.service.disk_full import log_disk_full, retry_while_disk_full
from batchwright.service.jobs import exports, imports, migrations, setups, syncs, v3_imports
from batchwright.service.jobs.context import JobContext, JobHandler
from batchwright.service.locks import FolderLock
from batchwright.service.store import jobs
from batchwright.service.store.database import open_database
from batchwright.service.store.jobs import StoredJob, StoredJobKind

_log = logging.getLogger(__name__)

LOCK_NAME = "worker.lock"
MOST_ATTEMPTS = 8
"""How often a job is tried without getting anywhere before it is given up."""

_LONGEST_PAUSE = 5 * clock.SECOND
_LONGEST_REST = 300 * clock.SECOND
"""Between two tries to give a job up: nobody waits for it any more, and each leaves its trace in the log."""
_WORK: Mapping[StoredJobKind, JobHandler] = {
    StoredJobKind.IMPORT: imports,
    StoredJobKind.V3_IMPORT: v3_imports,
    StoredJobKind.SETUP: setups,
    StoredJobKind.EXPORT: exports,
    StoredJobKind.SYNC: syncs,
    StoredJobKind.MIGRATION: migrations,
}


def main(folder: Path, job_delay: float, parent: Connection) -> None:
    """The whole life of the worker process."""
    start_logging("worker")
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    wake = threading.Event()
    threading.Thread(target=_listen, args=(parent, wake), daemon=True).start()
    lock = retry_while_disk_full(lambda: FolderLock(folder / LOCK_NAME))
    lock.take(wait=float("inf"))
    bench = retry_while_disk_full(lambda: JobContext(open_database(folder), Blobs(folder), clock.now))
    worker = Worker(bench, int(job_delay * clock.SECOND))
    retry_while_disk_full(worker.make_all_due)
    while True:
        wake.clear()
        if not retry_while_disk_full(worker.do_next):
            wake.wait(retry_while_disk_full(worker.seconds_to_next))


class Worker:
    """Does one job at a time; `delay` milliseconds pass between a job's turn and its doing."""

    def __init__(self, bench: JobContext, delay: int) -> None:
        self._bench = bench
        self._delay = delay

    def make_all_due(self) -> None:
        """Let nothing wait for the end of a pause that an earlier worker made."""
        with self._bench.database.write() as connection:
            jobs.reset_delays(connection, self._bench.clock())

    def do_next(self) -> bool:
        """Do the next job that is due; whether there was one."""
        with self._bench.database.read() as connection:
            job = jobs.next_due(connection, self._bench.clock())
        if job is None:
            return False
        with self._bench.database.write() as connection:
            jobs.begin(connection, job.number)
        try:
            self._do(job)
        except Exception as fault:  # whatever it is must not take the other jobs with it
            self._try_later(job, fault)
        return True

    def seconds_to_next(self) -> float | None:
        """How long there is nothing to do; None when there is nothing to come."""
        with self._bench.database.read() as connection:
            due = jobs.next_due_at(connection)
        return None if due is None else max(0, due - self._bench.clock()) / clock.SECOND

    def _do(self, job: StoredJob) -> None:
        work = _WORK[job.kind]
        if self._delay and not job.attempts:
            work.begin(self._bench, job)
            self._put_off(job, self._delay)
        elif job.attempts >= MOST_ATTEMPTS:
            reason = _("It was interrupted {count} times without getting further and was given up.")
            reason = reason.format(count=job.attempts)
            _tell_of_end(job)
            work.give_up(self._bench, job, reason)
        else:
            work.run(self._bench, job)

    def _try_later(self, job: StoredJob, fault: Exception) -> None:
        """Tell of a fault of ours; a full disk is none, and the job waits for room as long as it takes."""
        if is_disk_full(fault):
            log_disk_full()
            if job.attempts < MOST_ATTEMPTS:  # what is being given up stays so
                with self._bench.database.write() as connection:
                    jobs.reset_attempts(connection, job.number)
            self._put_off(job, _LONGEST_PAUSE)
        else:
            _tell_of_fault(job, fault)
            longest = _LONGEST_PAUSE if job.attempts < MOST_ATTEMPTS else _LONGEST_REST
            self._put_off(job, min(longest, 100 * 2**job.attempts))

    def _put_off(self, job: StoredJob, milliseconds: int) -> None:
        with self._bench.database.write() as connection:
            jobs.postpone(connection, job.number, self._bench.clock() + milliseconds)


def _tell_of_end(job: StoredJob) -> None:
    """Say in the log which job is given up."""
    sentence = _(
        "Job {number} ({kind} {subject}) was interrupted {count} times without getting further"
        " and is given up."
    )
    words = sentence.format(number=job.number, kind=job.kind, subject=job.subject, count=job.attempts)
    _log.error(words)


def _tell_of_fault(job: StoredJob, fault: Exception) -> None:
    """Say in the log which job it was that failed, and where."""
    said = (
        _("Job {number} ({kind} {subject}) failed at attempt {attempt} and is tried again later.")
        if job.attempts < MOST_ATTEMPTS
        else _("Job {number} ({kind} {subject}) could not even be given up, at attempt {attempt}.")
    )
    words = said.format(number=job.number, kind=job.kind, subject=job.subject, attempt=job.attempts + 1)
    _log.error(words, exc_info=fault)


def _listen(parent: Connection, wake: threading.Event) -> None:
    """Wake the worker when there is a new job, and end it when the parent is gone."""
    try:
        while True:
            parent.recv_bytes()
            wake.set()
    except (EOFError, OSError):
        os._exit(0)
