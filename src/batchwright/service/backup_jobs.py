"""Backups that are being written in threads: how far each is, and ending it."""

import logging
import threading
from collections.abc import Callable

_log = logging.getLogger(__name__)


class BackupCancelled(Exception):
    """The backup is no longer wanted."""


class BackupJob:
    """A backup that is being written, or was; its values are read by other threads."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.written, self.total = 0, 0
        """Bytes, and how many there will be; 0 until that is known."""
        self.is_complete = False
        self.error: Exception | None = None
        """Why it could not be written."""
        self._is_cancelled = False

    def cancel(self) -> None:
        """End writing it at the next step."""
        self._is_cancelled = True

    def on_step(self, written: int, total: int) -> None:
        """Record how far it is.

        Raises:
            BackupCancelled: it is no longer wanted.
        """
        if self._is_cancelled:
            raise BackupCancelled
        self.written, self.total = written, total


class BackupJobs:
    """The backup that was written last, and those that are being written."""

    def __init__(self) -> None:
        self._jobs: dict[str, BackupJob] = {}
        self._lock = threading.Lock()

    def start(self, id: str, write: Callable[[BackupJob], None]) -> BackupJob:
        """Write a backup in a thread; what was written before is forgotten."""
        job = BackupJob(id)
        with self._lock:
            self._jobs = {id: job for id, job in self._jobs.items() if not job.is_complete}
            self._jobs[id] = job
        threading.Thread(target=self._run, args=(job, write), name="backup", daemon=True).start()
        return job

    def find(self, id: str) -> BackupJob | None:
        """A backup that is being written, or was written last."""
        with self._lock:
            return self._jobs.get(id)

    def remove(self, id: str) -> None:
        """End writing a backup, and forget it."""
        with self._lock:
            job = self._jobs.pop(id, None)
        if job is not None:
            job.cancel()

    @staticmethod
    def _run(job: BackupJob, write: Callable[[BackupJob], None]) -> None:
        try:
            write(job)
            job.is_complete = True
        except BackupCancelled:
            _log.info("A backup was cancelled")
        except Exception as error:
            _log.exception("A backup was not written")
            job.error = error
