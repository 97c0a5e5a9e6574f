"""Files that were kept and are then named by a row: one that stays without a name must not stay."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from batchwright.base.database import Database
from batchwright.service.blobs import BlobKind, Blobs
from batchwright.service.store import referenced_blobs


@contextmanager
def delete_unless_referenced(database: Database, blobs: Blobs, kind: BlobKind, name: str) -> Iterator[None]:
    """Name a file within the block; when an exception leaves it, a file without a name is removed."""
    try:
        yield
    except BaseException:
        delete_unreferenced(database, blobs, kind, [name])
        raise


def delete_unreferenced(database: Database, blobs: Blobs, kind: BlobKind, names: Collection[str]) -> None:
    """Remove those files that no row names.

    The rows are asked, as a transaction may have been kept although its flush to the disk failed.
    """
    with database.read() as connection:
        unnamed = referenced_blobs.unreferenced(connection, kind, names)
    for name in unnamed:
        blobs.remove(name)
