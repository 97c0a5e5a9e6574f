"""Makes a job fail permanently as if all attempts had been used; no request does that."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from batchwright.service.store.jobs import StoredJobKind

_SUBJECTS = {
    StoredJobKind.SETUP: "batch",
    StoredJobKind.MIGRATION: "migration",
    StoredJobKind.EXPORT: "export",
}
"""The tables with the subjects of jobs."""


def use_up_attempts(folder: Path, kind: StoredJobKind, id: str) -> bool:
    """Set the attempts of a job to their maximum; returns False until the job has been postponed.

    The service that runs on this folder delays its jobs for an hour, and reads them again when a new job
    wakes it.
    """
    with closing(sqlite3.connect(folder / "service.db", timeout=30)) as database, database:
        changed = database.execute(
            "UPDATE job SET attempts = 99, due_at = 0 WHERE kind = ? AND due_at > ?"
            f" AND subject = (SELECT number FROM {_SUBJECTS[kind]} WHERE id = ?)",
            (kind.value, time.time_ns() // 10**6 + 60_000, id),
        )
        return changed.rowcount == 1
