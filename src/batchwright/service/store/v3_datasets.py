"""How far V3 datasets have come with their files (specification, Dataset V3 status; wire.md 4.2)."""

import sqlite3

from batchwright.service.store import imports
from batchwright.wire.datasets import DatasetStatus


def mark_file_received(connection: sqlite3.Connection, number: int, filename: str) -> None:
    """Note that a file is there to be read."""
    connection.execute(
        "UPDATE dataset SET status = ?, filename = ?, fault = NULL WHERE number = ?",
        (DatasetStatus.PROCESSING, filename, number),
    )


def mark_file_processed(connection: sqlite3.Connection, number: int, fault: str | None = None) -> None:
    """Note that a file has been read, or why it was not; further files keep the dataset `PROCESSING`."""
    if not imports.is_running(connection, number):
        connection.execute(
            "UPDATE dataset SET status = ?, fault = ? WHERE number = ?",
            (DatasetStatus.READY if fault is None else DatasetStatus.ERROR, fault, number),
        )
