"""What was chosen for the analysis of answers: exclusions, systems, units and more, as JSON."""

from collections.abc import Callable, Iterator, Set
from datetime import datetime
from typing import NamedTuple

from batchwright.base.database import Connection, Database
from batchwright.base.json_values import Json, is_object, parse, to_json
from batchwright.local.deleted_participants import deleted_since


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

    def change(self, key: AnswersKey, change: Callable[[str], str], *, answers_at: datetime) -> str:
        """Store what `change` returns for the stored settings, empty if there are none; returns the new ones.

        They exclude no participant who was deleted since the answers were fetched (`answers_at`).

        Raises:
            StorageUnavailable: the disk is full, or another program locks the database.
        """
        with self._database.write() as connection:
            row = connection.execute(_SELECT, key).fetchone()
            content = change("" if row is None else str(row["content"]))
            if removed := _excluded_after_deletion(connection, content, answers_at):
                content = to_json(_without(parse(content), removed))
            connection.execute(_UPSERT, (*key, content))
        return content


def remove_participant(connection: Connection, id: str) -> None:
    """Remove a participant from the exclusions of all analyses, in a write transaction."""
    for row in connection.execute(_SELECT_ALL).fetchall():
        before = parse(row["content"])
        after = _without(before, {entry for entry in _excluded(row["content"]) if id in _people(entry)})
        if after != before:
            connection.execute(_UPSERT, (row["connection"], row["source"], to_json(after)))


_PARTICIPANTS, _ANSWERS = "participants", "answers"
"""The objects of the exclusions whose keys are ids."""


def _excluded(content: str) -> set[tuple[str, str]]:
    """What settings exclude: participants and answers, by their ids."""
    settings = parse(content) if content else {}
    exclusions = settings.get("exclusions") if is_object(settings) else None
    if not is_object(exclusions):
        return set()
    groups = ((name, exclusions.get(name)) for name in (_PARTICIPANTS, _ANSWERS))
    return {(name, id) for name, group in groups if is_object(group) for id in group}


def _excluded_after_deletion(
    connection: Connection, content: str, answers_at: datetime
) -> set[tuple[str, str]]:
    """What settings exclude of participants who were deleted since the answers were fetched."""
    excluded = _excluded(content)
    deleted = deleted_since(connection, {id for entry in excluded for id in _people(entry)}, answers_at)
    return {entry for entry in excluded if not deleted.isdisjoint(_people(entry))}


def _people(entry: tuple[str, str]) -> Iterator[str]:
    """Yield the ids of participants whom an exclusion may name.

    The id of an answer begins with that of its participant and a hyphen.
    """
    group, id = entry
    yield id
    if group == _ANSWERS:
        yield from (id[:end] for end, character in enumerate(id) if character == "-")


def _without(settings: Json, removed: Set[tuple[str, str]]) -> Json:
    """Settings that do not exclude some participants and answers."""
    exclusions = settings.get("exclusions") if is_object(settings) else None
    if not is_object(settings) or not is_object(exclusions):
        return settings
    left = dict(exclusions)
    for name in (_PARTICIPANTS, _ANSWERS):
        if is_object(group := exclusions.get(name)):
            left[name] = {id: reason for id, reason in group.items() if (name, id) not in removed}
    return {**settings, "exclusions": left}


_SELECT = "SELECT content FROM analysis_settings WHERE connection = ? AND source = ?"
_SELECT_ALL = "SELECT connection, source, content FROM analysis_settings"
_UPSERT = """
INSERT INTO analysis_settings (connection, source, content) VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET content = excluded.content
"""
