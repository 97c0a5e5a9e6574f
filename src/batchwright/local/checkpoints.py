"""Trails: how far work at a service has come, so that it can go on from there."""

import json
from datetime import UTC, datetime, timedelta

from batchwright.base.database import Database
from batchwright.base.json_values import JsonObject, to_json
from batchwright.wire.timestamps import to_milliseconds

ABANDONED = timedelta(days=90)
"""How long the steps of work are kept that nobody goes on with."""


class CheckpointTable:
    """The steps of each piece of work, kept in the program's database; call it off the event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def steps(self, key: str) -> JsonObject:
        """What came of each step that was done; empty for work that nobody has begun."""
        with self._database.read() as rows:
            found = rows.execute("SELECT steps FROM trail WHERE key = ?", (key,)).fetchone()
        steps: JsonObject = json.loads(found["steps"]) if found else {}
        return steps

    def save(self, key: str, steps: JsonObject) -> None:
        """Keep what came of some steps, null for one that is to be done anew; what is abandoned goes."""
        now = datetime.now(UTC)
        values = {"key": key, "steps": to_json(steps), "now": to_milliseconds(now)}
        with self._database.write() as rows:
            rows.execute(_UPSERT, values)
            rows.execute("DELETE FROM trail WHERE touched_at < ?", (to_milliseconds(now - ABANDONED),))

    def any_has(self, step: str, outcome: str) -> bool:
        """Whether this came of a step in any work."""
        with self._database.read() as rows:
            found = rows.execute(_ANY_HAS, (step, outcome)).fetchone()
        return bool(found[0])

    def remove(self, key: str) -> None:
        """Forget some work: it is done, and what came of it is kept elsewhere; or it is to be begun anew."""
        with self._database.write() as rows:
            rows.execute("DELETE FROM trail WHERE key = ?", (key,))


_UPSERT = """
INSERT INTO trail (key, steps, touched_at) VALUES (:key, json_patch('{}', :steps), :now)
ON CONFLICT DO UPDATE SET steps = json_patch(steps, :steps), touched_at = :now
"""

_ANY_HAS = """
SELECT EXISTS (SELECT 1 FROM trail, json_each(steps) AS step WHERE step.key = ? AND step.value = ?)
"""
