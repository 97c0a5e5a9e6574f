"""Which stored files are named: a file that no row names came with a request that was never answered."""

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
    """The names of all files of a kind."""
    rows = connection.execute(f"SELECT blob FROM {_TABLES[kind]} WHERE blob IS NOT NULL")  # noqa: S608 - ours
    return frozenset(name for (name,) in rows)


def unreferenced(connection: sqlite3.Connection, kind: BlobKind, names: Collection[str]) -> list[str]:
    """Those of the given files of a kind that no row names."""
    named = f"SELECT 1 FROM {_TABLES[kind]} WHERE blob = ?"  # noqa: S608 - ours
    return [name for name in names if connection.execute(named, (name,)).fetchone() is None]
