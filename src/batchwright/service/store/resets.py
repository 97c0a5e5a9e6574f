"""Starting a rehearsal over: what participants left behind goes."""

import sqlite3

from batchwright.service.store import participant_files
from batchwright.wire.exports import ExportStatus


def reset(connection: sqlite3.Connection, batch: int) -> list[str]:
    """Forget all submissions, answers, files and finished archives of a batch; their blobs, for deletion."""
    blobs = [file.blob for file in participant_files.of_batch(connection, batch)]
    archives = connection.execute("SELECT blob FROM export WHERE batch = ? AND blob IS NOT NULL", (batch,))
    blobs += [blob for (blob,) in archives]
    connection.execute(
        "DELETE FROM participant_file WHERE submission IN (SELECT id FROM submission WHERE batch = ?)",
        (batch,),
    )
    connection.execute("DELETE FROM response WHERE batch = ?", (batch,))
    connection.execute("DELETE FROM submission WHERE batch = ?", (batch,))
    connection.execute("DELETE FROM export WHERE batch = ? AND status <> ?", (batch, ExportStatus.GENERATING))
    return blobs
