"""A job that a service has tried in vain so often that it gives it up: no request leads to one."""

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
"""The tables that hold what jobs are about."""


def use_up_attempts(folder: Path, kind: StoredJobKind, id: str) -> bool:
    """Let a service find that it has tried a job as often as it tries anything; False before it is put off.

    The service, on this folder, holds its jobs for an hour. It looks again when something new wakes it.
    """
    with closing(sqlite3.connect(folder / "service.db", timeout=30)) as database, database:
        changed = database.execute(
            "UPDATE job SET attempts = 99, due_at = 0 WHERE kind = ? AND due_at > ?"
            f" AND subject = (SELECT number FROM {_SUBJECTS[kind]} WHERE id = ?)",
            (kind.value, time.time_ns() // 10**6 + 60_000, id),
        )
        return changed.rowcount == 1
