"""Checkpoints: which steps of an operation at a service are done, so that it can resume from there.

They are stored under a digest of the operation's input, for files of their content. The same work, started
again, resumes, also after a crash. They are removed after 90 days.
"""

import json
from datetime import UTC, datetime, timedelta

from batchwright.base.database import Database
from batchwright.base.json_values import JsonObject, to_json
from batchwright.wire.timestamps import to_milliseconds

ABANDONED = timedelta(days=90)
"""Age at which checkpoints of operations that nobody resumed are removed."""


class CheckpointTable:
    """The steps of each operation, in the program's database; call it off the event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def steps(self, key: str) -> JsonObject:
        """The result of each step that was done; empty if the operation was never started."""
        with self._database.read() as connection:
            row = connection.execute("SELECT steps FROM trail WHERE key = ?", (key,)).fetchone()
        steps: JsonObject = json.loads(row["steps"]) if row else {}
        return steps

    def save(self, key: str, steps: JsonObject) -> None:
        """Store results of steps, null for one that must be repeated; also removes abandoned checkpoints."""
        now = datetime.now(UTC)
        values = {"key": key, "steps": to_json(steps), "now": to_milliseconds(now)}
        with self._database.write() as connection:
            connection.execute(_UPSERT, values)
            connection.execute("DELETE FROM trail WHERE touched_at < ?", (to_milliseconds(now - ABANDONED),))

    def any_has(self, step: str, outcome: str) -> bool:
        """Whether a step has this result in any operation."""
        with self._database.read() as connection:
            row = connection.execute(_ANY_HAS, (step, outcome)).fetchone()
        return bool(row[0])

    def remove(self, key: str) -> None:
        """Delete the checkpoints of an operation that has finished or is to be started from the beginning."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM trail WHERE key = ?", (key,))


_UPSERT = """
INSERT INTO trail (key, steps, touched_at) VALUES (:key, json_patch('{}', :steps), :now)
ON CONFLICT DO UPDATE SET steps = json_patch(steps, :steps), touched_at = :now
"""

_ANY_HAS = """
SELECT EXISTS (SELECT 1 FROM trail, json_each(steps) AS step WHERE step.key = ? AND step.value = ?)
"""
