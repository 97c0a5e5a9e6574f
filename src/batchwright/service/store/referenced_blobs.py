"""Which stored files the rows reference; a file without a row belongs to a request that did not complete."""

import sqlite3
from collections.abc import Collection

from batchwright.service.blobs import BlobKind

_TABLES = {
    BlobKind.UPLOAD: "import",
    BlobKind.EXPORT: "export",
    BlobKind.FEEDBACK: "feedback",
    BlobKind.PARTICIPANT: "participant_file",
}


def referenced(connection: sqlite3.Connection, kind: BlobKind) -> frozenset[str]:
    """The names of all referenced files of a kind."""
    rows = connection.execute(f"SELECT blob FROM {_TABLES[kind]} WHERE blob IS NOT NULL")  # noqa: S608 - a constant
    return frozenset(name for (name,) in rows)


def unreferenced(connection: sqlite3.Connection, kind: BlobKind, names: Collection[str]) -> list[str]:
    """Those of the given files of a kind that no row references."""
    query = f"SELECT 1 FROM {_TABLES[kind]} WHERE blob = ?"  # noqa: S608 - a constant
    return [name for name in names if connection.execute(query, (name,)).fetchone() is None]
