"""The files that participants have sent, by the key that their answers name them with.

A file belongs to a submission from the moment it has arrived. Those that no answer names when the
submission is finished are swept away.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from batchwright.base import json_values
from batchwright.base.json_values import is_array, is_object


@dataclass(frozen=True)
class StoredFile:
    """One file; `blob` is its path below the blob folder, `size` counts bytes."""

    file_key: str
    submission: str
    blob: str
    file_name: str
    content_type: str
    size: int


def add(connection: sqlite3.Connection, files: Iterable[StoredFile]) -> None:
    """Note files that have arrived."""
    connection.executemany(
        "INSERT INTO participant_file (file_key, submission, blob, file_name, content_type, size)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [
            (one.file_key, one.submission, one.blob, one.file_name, one.content_type, one.size)
            for one in files
        ],
    )


def find(connection: sqlite3.Connection, submission: str, keys: Iterable[str]) -> list[StoredFile]:
    """Those of a submission's files that have the given keys, in the order of the keys."""
    found = []
    for key in keys:
        row = connection.execute(f"{_SELECT} WHERE file_key = ? AND submission = ?", (key, submission))
        found += [StoredFile(*values) for values in row]
    return found


def of_batch(connection: sqlite3.Connection, batch: int) -> list[StoredFile]:
    """All files of a batch, in the order of their keys."""
    rows = connection.execute(
        f"{_SELECT} JOIN submission s ON s.id = submission WHERE s.batch = ? ORDER BY file_key", (batch,)
    )
    return [StoredFile(*values) for values in rows]


def delete_unreferenced(connection: sqlite3.Connection, submission: str) -> list[str]:
    """Forget the files of a submission that no answer of it names; their blobs, for deletion."""
    named = set[str]()
    for (answer,) in connection.execute("SELECT answer FROM response WHERE submission = ?", (submission,)):
        entries = json_values.parse(answer)
        for entry in entries if is_array(entries) else ():
            if is_object(entry):
                named.add(str(entry.get("file_key")))
    rows = connection.execute(f"{_SELECT} WHERE submission = ?", (submission,))
    unnamed = [one for one in (StoredFile(*values) for values in rows) if one.file_key not in named]
    connection.executemany(
        "DELETE FROM participant_file WHERE file_key = ?", [(one.file_key,) for one in unnamed]
    )
    return [one.blob for one in unnamed]


_SELECT = "SELECT file_key, submission, blob, file_name, content_type, size FROM participant_file"
