"""What a data folder keeps once and for all: its workspace, its owner, its signing key."""

import secrets
import sqlite3
from dataclasses import dataclass

from batchwright.service.store import ids


@dataclass(frozen=True)
class ServiceSettings:
    """The settings of one data folder."""

    workspace_id: str
    user_id: str
    signing_key: bytes


def settings(connection: sqlite3.Connection) -> ServiceSettings:
    """The settings of this folder; made when it is used for the first time."""
    fresh = {
        "workspace_id": ids.new_object_id(),
        "user_id": ids.new_object_id(),
        "signing_key": secrets.token_hex(32),
    }
    connection.executemany("INSERT OR IGNORE INTO setting (name, value) VALUES (?, ?)", fresh.items())
    kept = dict(connection.execute("SELECT name, value FROM setting").fetchall())
    return ServiceSettings(kept["workspace_id"], kept["user_id"], bytes.fromhex(kept["signing_key"]))
