"""What was chosen for the analysis of answers: exclusions, systems, units and more, as JSON."""

from typing import NamedTuple

from batchwright.base.database import Database
from batchwright.base.json_values import Json, is_object, parse, to_json


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
        has_changed = False
        with self._database.write() as connection:
            for row in connection.execute(_WITH_TEXT, (id,)).fetchall():
                before = parse(row["content"])
                after = _without(before, id)
                if after != before:
                    connection.execute(_UPSERT, (row["connection"], row["source"], to_json(after)))
                    has_changed = True
        if has_changed:
            self._database.compact()


def _without(settings: Json, id: str) -> Json:
    """Settings without the exclusions of a participant, and of answers that the id of one begins with."""
    exclusions = settings.get("exclusions") if is_object(settings) else None
    if not is_object(settings) or not is_object(exclusions):
        return settings
    participants, answers = exclusions.get("participants"), exclusions.get("answers")
    left = dict(exclusions)
    if is_object(participants):
        left["participants"] = {key: reason for key, reason in participants.items() if key != id}
    if is_object(answers):
        left["answers"] = {
            key: reason for key, reason in answers.items() if key != id and not key.startswith(f"{id}-")
        }
    return {**settings, "exclusions": left}


_SELECT = "SELECT content FROM analysis_settings WHERE connection = ? AND source = ?"
_WITH_TEXT = "SELECT connection, source, content FROM analysis_settings WHERE instr(content, ?) > 0"
_UPSERT = """
INSERT INTO analysis_settings (connection, source, content) VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET content = excluded.content
"""
