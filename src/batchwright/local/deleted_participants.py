"""The participants whose data was deleted on request, by the digests of their ids.

Another window or command may still show, or wait to store, what it received before the deletion. So what
names a participant is stored together with the time at which it was received, and only if that was later.
"""

from collections.abc import Iterable
from datetime import datetime

from batchwright.base.database import Connection
from batchwright.wire.participant_digests import participant_digest
from batchwright.wire.timestamps import to_milliseconds


def record_deletion(connection: Connection, id: str, at: datetime) -> None:
    """Record that a participant was deleted, in a write transaction."""
    connection.execute(_UPSERT, (participant_digest(id), to_milliseconds(at)))


def deleted_since(connection: Connection, ids: Iterable[str], since: datetime) -> frozenset[str]:
    """Which of these participants were deleted at some time or later."""
    rows = connection.execute(_SELECT, (to_milliseconds(since),)).fetchall()
    digests = {row["digest"] for row in rows}
    return frozenset(id for id in ids if participant_digest(id) in digests) if digests else frozenset()


_UPSERT = """
INSERT INTO deleted_participant (digest, deleted_at) VALUES (?, ?)
ON CONFLICT DO UPDATE SET deleted_at = excluded.deleted_at
"""
_SELECT = "SELECT digest FROM deleted_participant WHERE deleted_at >= ?"
