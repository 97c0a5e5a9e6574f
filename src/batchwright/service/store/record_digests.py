"""Which records a dataset holds already: an index of digests, built at its first append (design.md 6).

Two records are identical when all their values are, whatever the order of their keys (wire.md 4.8).
"""

import hashlib
import sqlite3
from collections.abc import Iterable

from batchwright.base.json_values import JsonObject, to_json
from batchwright.service.store.datasets import record_in

_DIGEST_BYTES = 16


def digest_of(record: JsonObject) -> bytes:
    """What stands for a record in the index."""
    text = to_json({key: record[key] for key in sorted(record)})
    return hashlib.blake2b(text.encode(), digest_size=_DIGEST_BYTES).digest()


def index_next(connection: sqlite3.Connection, dataset: int, limit: int) -> bool:
    """Index at most `limit` datapoints that are not yet; whether any is left."""
    known, count = connection.execute(
        "SELECT identified_count, datapoint_count FROM dataset WHERE number = ?", (dataset,)
    ).fetchone()
    until = min(count, known + limit)
    rows = connection.execute(
        "SELECT record FROM datapoint WHERE dataset = ? AND position >= ? AND position < ?",
        (dataset, known, until),
    )
    add(connection, dataset, (digest_of(record_in(record)) for (record,) in rows))
    _set_count(connection, dataset, until)
    return bool(until < count)


def forget(connection: sqlite3.Connection, dataset: int, limit: int) -> bool:
    """Remove at most `limit` digests, since the records become others; whether any is left.

    The next append indexes the dataset anew.
    """
    _set_count(connection, dataset, 0)
    removed = connection.execute(
        "DELETE FROM datapoint_identity WHERE dataset = ?1 AND digest IN"
        " (SELECT digest FROM datapoint_identity WHERE dataset = ?1 LIMIT ?2)",
        (dataset, limit),
    ).rowcount
    return removed == limit


def holds(connection: sqlite3.Connection, dataset: int, digest: bytes) -> bool:
    """Whether a dataset that is indexed has a record of this digest."""
    row = connection.execute(
        "SELECT 1 FROM datapoint_identity WHERE dataset = ? AND digest = ?", (dataset, digest)
    ).fetchone()
    return row is not None


def add(connection: sqlite3.Connection, dataset: int, digests: Iterable[bytes]) -> None:
    """Index records; those of a file may repeat each other."""
    connection.executemany(
        "INSERT OR IGNORE INTO datapoint_identity (dataset, digest) VALUES (?, ?)",
        ((dataset, digest) for digest in digests),
    )


def mark_indexed(connection: sqlite3.Connection, dataset: int, count: int) -> None:
    """Note that the datapoints up to `count` are all indexed."""
    _set_count(connection, dataset, count)


def _set_count(connection: sqlite3.Connection, dataset: int, count: int) -> None:
    connection.execute("UPDATE dataset SET identified_count = ? WHERE number = ?", (count, dataset))
