"""The folders of media on this computer whose files participants are shown."""

import json
import sqlite3
from pathlib import Path

from batchwright.base.local_media import MediaFolder


def store(connection: sqlite3.Connection, folder: MediaFolder) -> None:
    """Store a folder under its id."""
    connection.execute(
        "INSERT OR REPLACE INTO media_folder (id, folder, files) VALUES (?, ?, ?)",
        (folder.id, str(folder.folder), json.dumps(folder.files)),
    )


def find(connection: sqlite3.Connection, id: str) -> MediaFolder | None:
    """The folder with an id; None if there is none."""
    row = connection.execute("SELECT folder, files FROM media_folder WHERE id = ?", (id,)).fetchone()
    return None if row is None else MediaFolder(Path(row[0]), tuple(json.loads(row[1])))
