"""Files that participants uploaded, by the key that their answers refer to.

A file belongs to a submission as soon as it is uploaded. Files that no answer refers to are deleted when
the submission is finished.
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
    """Record uploaded files."""
    connection.executemany(
        "INSERT INTO participant_file (file_key, submission, blob, file_name, content_type, size)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [
            (file.file_key, file.submission, file.blob, file.file_name, file.content_type, file.size)
            for file in files
        ],
    )


def find(connection: sqlite3.Connection, submission: str, keys: Iterable[str]) -> list[StoredFile]:
    """The files of a submission with the given keys, in the order of the keys."""
    files = []
    for key in keys:
        row = connection.execute(f"{_SELECT} WHERE file_key = ? AND submission = ?", (key, submission))
        files += [StoredFile(*values) for values in row]
    return files


def of_batch(connection: sqlite3.Connection, batch: int) -> list[StoredFile]:
    """All files of a batch, in the order of their keys."""
    rows = connection.execute(
        f"{_SELECT} JOIN submission s ON s.id = submission WHERE s.batch = ? ORDER BY file_key", (batch,)
    )
    return [StoredFile(*values) for values in rows]


def answered(connection: sqlite3.Connection, batch: int) -> list[StoredFile]:
    """The files of a batch that answers refer to, in the order of their keys."""
    answers = connection.execute(
        "SELECT answer FROM response WHERE batch = ? AND answer LIKE '%\"file_key\"%'", (batch,)
    )
    referenced = _referenced(answers)
    return [file for file in of_batch(connection, batch) if file.file_key in referenced]


def delete_unreferenced(connection: sqlite3.Connection, submission: str) -> list[str]:
    """Delete the rows of files that no answer of the submission refers to; returns their blobs."""
    referenced = _referenced(
        connection.execute("SELECT answer FROM response WHERE submission = ?", (submission,))
    )
    rows = connection.execute(f"{_SELECT} WHERE submission = ?", (submission,))
    unreferenced = [
        file for file in (StoredFile(*values) for values in rows) if file.file_key not in referenced
    ]
    connection.executemany(
        "DELETE FROM participant_file WHERE file_key = ?", [(file.file_key,) for file in unreferenced]
    )
    return [file.blob for file in unreferenced]


def _referenced(answers: Iterable[tuple[str]]) -> set[str]:
    """The keys of the files that answers, as JSON text, refer to."""
    referenced = set[str]()
    for (answer,) in answers:
        entries = json_values.parse(answer)
        for entry in entries if is_array(entries) else ():
            if is_object(entry):
                referenced.add(str(entry.get("file_key")))
    return referenced


_SELECT = "SELECT file_key, submission, blob, file_name, content_type, size FROM participant_file"
