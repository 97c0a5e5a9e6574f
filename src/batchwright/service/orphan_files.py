"""Deletes stored files that no database row references, for example because a transaction failed."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from batchwright.base.database import Database
from batchwright.service.blobs import BlobKind, Blobs
from batchwright.service.store import referenced_blobs


@contextmanager
def delete_unless_referenced(database: Database, blobs: Blobs, kind: BlobKind, name: str) -> Iterator[None]:
    """Reference the file `name` in a row within the block; on an exception, delete it if no row does."""
    try:
        yield
    except BaseException:
        delete_unreferenced(database, blobs, kind, [name])
        raise


def delete_unreferenced(database: Database, blobs: Blobs, kind: BlobKind, names: Collection[str]) -> None:
    """Delete those of the files that no row references.

    The database is queried because a transaction may be stored although its flush to the disk failed.
    """
    with database.read() as connection:
        unreferenced = referenced_blobs.unreferenced(connection, kind, names)
    for name in unreferenced:
        blobs.remove(name)
