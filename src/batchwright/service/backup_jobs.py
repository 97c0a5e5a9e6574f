"""Backups that are being written or restored in threads: how far each is, and ending it."""

import logging
import threading
from collections.abc import Callable

from batchwright.service.backups import BackupUnusable, Restored

_log = logging.getLogger(__name__)


class BackupCancelled(Exception):
    """The backup is no longer wanted."""


class BackupJob:
    """A backup that is being written or restored, or was; its values are read by other threads."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.done, self.total = 0, 0
        """Bytes, and how many there will be; 0 until that is known."""
        self.is_complete = False
        self.restored: Restored | None = None
        """What is stored since it was restored."""
        self.error: Exception | None = None
        """Why it could not be written or restored."""
        self.is_cancelled = False
        self._is_final = False
        self._lock = threading.Lock()

    def cancel(self) -> bool:
        """End the work at the next step; returns False if it can no longer be ended."""
        with self._lock:
            self.is_cancelled = not self._is_final
            return self.is_cancelled

    def on_step(self, done: int, total: int) -> None:
        """Record how far it is.

        Raises:
            BackupCancelled: it is no longer wanted.
        """
        if self.is_cancelled:
            raise BackupCancelled
        self.done, self.total = done, total

    def finalize(self) -> None:
        """From here on, it cannot be cancelled.

        Raises:
            BackupCancelled: it is no longer wanted.
        """
        with self._lock:
            if self.is_cancelled:
                raise BackupCancelled
            self._is_final = True


class BackupJobs:
    """The backup that was written or restored last, and those that are being written or restored."""

    def __init__(self) -> None:
        self._jobs: dict[str, BackupJob] = {}
        self._lock = threading.Lock()

    def start(self, id: str, work: Callable[[BackupJob], None]) -> BackupJob:
        """Write or restore a backup in a thread, unless that is being done; what has ended is forgotten."""
        with self._lock:
            self._jobs = {id: job for id, job in self._jobs.items() if not (job.is_complete or job.error)}
            if (running := self._jobs.get(id)) is not None:
                return running
            job = self._jobs[id] = BackupJob(id)
        threading.Thread(target=self._run, args=(job, work), name="backup", daemon=True).start()
        return job

    def find(self, id: str) -> BackupJob | None:
        """A backup that is being written or restored, or was the last one."""
        with self._lock:
            return self._jobs.get(id)

    def remove(self, id: str) -> bool:
        """End writing or restoring a backup, and forget it; returns False if it can no longer be ended.

        What was written completely is forgotten, too; what was restored is not, since it has an effect.
        """
        with self._lock:
            job = self._jobs.get(id)
            if job is None or job.cancel():
                self._jobs.pop(id, None)
                return True
            return False

    @staticmethod
    def _run(job: BackupJob, work: Callable[[BackupJob], None]) -> None:
        try:
            work(job)
            job.is_complete = True
        except Exception as error:
            job.error = error
            if job.is_cancelled:  # also if its file was removed before it was read
                _log.info("A backup was cancelled")
            elif isinstance(error, BackupUnusable):
                _log.warning("A backup was not written or restored: %s", error)
            else:
                _log.exception("A backup was not written or restored")
