"""What was chosen for the analysis of answers: exclusions, systems, units and more, as JSON."""

from typing import NamedTuple

from batchwright.base.database import Database


class AnswersKey(NamedTuple):
    """What answers belong to: a batch or collection at a connection, or a file."""

    connection: str
    """The name of the connection; empty for a file."""
    source: str
    """Kind and id, as `batch:<id>`."""


class AnalysisSettingsTable:
    """The settings of all analyses, in the program's database; call it off the event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self, key: AnswersKey) -> str:
        """The settings as JSON; empty if none are stored."""
        with self._database.read() as connection:
            row = connection.execute(_SELECT, key).fetchone()
        return "" if row is None else str(row["content"])

    def store(self, key: AnswersKey, content: str) -> None:
        """Store the settings.

        Raises:
            StorageUnavailable: the disk is full, or another program locks the database.
        """
        with self._database.write() as connection:
            connection.execute(_UPSERT, (*key, content))


_SELECT = "SELECT content FROM analysis_settings WHERE connection = ? AND source = ?"
_UPSERT = """
INSERT INTO analysis_settings (connection, source, content) VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET content = excluded.content
"""
