"""What was chosen for the analysis of answers: exclusions, systems, units and more, as JSON."""

from typing import NamedTuple

from batchwright.base.database import Database
from batchwright.base.json_values import Json, is_array, is_object, parse, to_json


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

    def forget_participant(self, id: str) -> None:
        """Remove a participant from the exclusions of all analyses, so that nothing of the id is left.

        Raises:
            StorageUnavailable: the disk is full, or another program locks the database.
        """
        with self._database.write() as connection:
            rows = connection.execute(_WITH_TEXT, (id,)).fetchall()
            for row in rows:
                content = to_json(_without(parse(row["content"]), id))
                connection.execute(_UPSERT, (row["connection"], row["source"], content))
        if rows:
            self._database.compact()


def _without(value: Json, id: str) -> Json:
    """JSON without the entries of objects and arrays that are, or are named by, an id."""
    if is_object(value):
        return {key: _without(inner, id) for key, inner in value.items() if id not in key}
    if is_array(value):
        return [_without(inner, id) for inner in value if inner != id]
    return value


_SELECT = "SELECT content FROM analysis_settings WHERE connection = ? AND source = ?"
_WITH_TEXT = "SELECT connection, source, content FROM analysis_settings WHERE instr(content, ?) > 0"
_UPSERT = """
INSERT INTO analysis_settings (connection, source, content) VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET content = excluded.content
"""
