"""Detects duplicates: an index of record digests per dataset.

The worker builds it when it has no job; an append completes it.

Two records are identical if all their values are, regardless of key order (wire reference, section 4.8).
"""

import hashlib
import sqlite3
from collections.abc import Iterable

from batchwright.base.json_values import JsonObject, to_json
from batchwright.service.store.datasets import parse_record

_DIGEST_BYTES = 16


def digest_of(record: JsonObject) -> bytes:
    """The digest of a record."""
    text = to_json({key: record[key] for key in sorted(record)})
    return hashlib.blake2b(text.encode(), digest_size=_DIGEST_BYTES).digest()


def index_next(connection: sqlite3.Connection, dataset: int, limit: int) -> bool:
    """Index up to `limit` datapoints that are not indexed yet; whether any remain."""
    indexed, count = connection.execute(
        "SELECT identified_count, datapoint_count FROM dataset WHERE number = ?", (dataset,)
    ).fetchone()
    until = min(count, indexed + limit)
    rows = connection.execute(
        "SELECT record FROM datapoint WHERE dataset = ? AND position >= ? AND position < ?",
        (dataset, indexed, until),
    )
    add(connection, dataset, (digest_of(parse_record(record)) for (record,) in rows))
    _set_count(connection, dataset, until)
    return bool(until < count)


def next_unindexed(connection: sqlite3.Connection) -> int | None:
    """A V4 dataset with datapoints that are not indexed, if there is one; V3 datasets have no appends."""
    row = connection.execute(
        "SELECT number FROM dataset WHERE identified_count < datapoint_count AND status IS NULL LIMIT 1"
    ).fetchone()
    return None if row is None else int(row[0])


def delete(connection: sqlite3.Connection, dataset: int, limit: int) -> bool:
    """Delete up to `limit` digests, because the records will change; whether any remain.

    The next append indexes the dataset again.
    """
    _set_count(connection, dataset, 0)
    removed = connection.execute(
        "DELETE FROM datapoint_identity WHERE dataset = :dataset AND digest IN"
        " (SELECT digest FROM datapoint_identity WHERE dataset = :dataset LIMIT :limit)",
        {"dataset": dataset, "limit": limit},
    ).rowcount
    return removed == limit


def contains(connection: sqlite3.Connection, dataset: int, digest: bytes) -> bool:
    """Whether an indexed dataset contains a record with this digest."""
    row = connection.execute(
        "SELECT 1 FROM datapoint_identity WHERE dataset = ? AND digest = ?", (dataset, digest)
    ).fetchone()
    return row is not None


def add(connection: sqlite3.Connection, dataset: int, digests: Iterable[bytes]) -> None:
    """Add digests; duplicates are ignored."""
    connection.executemany(
        "INSERT OR IGNORE INTO datapoint_identity (dataset, digest) VALUES (?, ?)",
        ((dataset, digest) for digest in digests),
    )


def mark_indexed(connection: sqlite3.Connection, dataset: int, count: int) -> None:
    """Record that the first `count` datapoints are indexed."""
    _set_count(connection, dataset, count)


def _set_count(connection: sqlite3.Connection, dataset: int, count: int) -> None:
    connection.execute("UPDATE dataset SET identified_count = ? WHERE number = ?", (count, dataset))
