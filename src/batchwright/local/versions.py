"""The versions of each study: what the user had designed at every save, send and setup.

They are stored in the program's database as compressed project files, so that versions stored by an older
Batchwright are migrated like its files. A version that equals the newest one of its study is not stored
again; the newest one gets the later cause and time instead, but keeps a send or setup as its cause when the
study is only saved, here or by another program.

After each new version the older ones are thinned out:

- all versions of the last day (`RETAIN_ALL`) are kept,
- then, for two weeks (`RETAIN_HOURLY`), the last one of each hour,
- then the last one of each day.

Versions that were sent or set up are thinned out separately from those that were only saved, so that neither
replaces the other. Of what remains, at most `MAX_VERSIONS` and `MAX_BYTES` (compressed) are kept for each
study; the oldest are removed first, and the newest is always kept.
"""

import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from batchwright.base.database import Connection, Database
from batchwright.base.text import without_lone_surrogates
from batchwright.local.projects import Project, StudyContent, project_content
from batchwright.local.study_files.project_parser import read_project
from batchwright.wire.timestamps import from_milliseconds, to_milliseconds

RETAIN_ALL = timedelta(days=1)
RETAIN_HOURLY = timedelta(days=14)
MAX_VERSIONS = 300
MAX_BYTES = 16 * 1024 * 1024


class VersionCause(StrEnum):
    """Why a version was stored."""

    SAVED = "saved"
    CREATED = "created"
    """A batch or collection was created from it."""
    UPDATED = "updated"
    """A batch or collection was updated to it."""
    SET_UP = "set_up"
    """A service has accepted to create tasks from it."""
    ON_DISK = "on_disk"
    """Another program has written it to the file of the study."""

    @property
    def is_sent(self) -> bool:
        """Whether a service got this version; otherwise it was only saved, here or by another program."""
        return self not in (VersionCause.SAVED, VersionCause.ON_DISK)


@dataclass(frozen=True)
class NewVersion:
    """A version that is to be stored."""

    study_id: str
    cause: VersionCause
    content: StudyContent


@dataclass(frozen=True)
class Version:
    """A stored version, without its content; `size` is in bytes, compressed."""

    row_id: int
    at: datetime
    cause: VersionCause
    name: str
    size: int


class VersionNotFound(LookupError):
    """A version was thinned out in the meantime."""


class VersionStore:
    """The versions of all studies, in the program's database; call it off the event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def store(self, new: NewVersion, at: datetime) -> None:
        """Store a version of a study, unless it equals the newest one, and thin out older ones."""
        content = _serialized(new.content)
        digest, compressed = hashlib.sha256(content).hexdigest(), zlib.compress(content)
        with self._database.write() as connection:
            newest = connection.execute(_NEWEST, (new.study_id,)).fetchone()
            if newest is not None and newest["digest"] == digest:
                if new.cause.is_sent or not VersionCause(newest["cause"]).is_sent:
                    connection.execute(_UPDATE, (new.cause, to_milliseconds(at), newest["number"]))
                return
            name = without_lone_surrogates(new.content.name)
            connection.execute(
                _INSERT, (new.study_id, to_milliseconds(at), new.cause, name, digest, compressed)
            )
            removed = surplus(_versions(connection, new.study_id), at)
            connection.executemany(
                "DELETE FROM version WHERE number = ?", [(version.row_id,) for version in removed]
            )

    def versions(self, study_id: str) -> tuple[Version, ...]:
        """The versions of a study, newest first."""
        with self._database.read() as connection:
            return _versions(connection, study_id)

    def content(self, version: Version) -> StudyContent:
        """The content of a version.

        Raises:
            VersionNotFound: it was thinned out.
            InvalidProjectFile: it was stored by a newer Batchwright.
        """
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT content FROM version WHERE number = ?", (version.row_id,)
            ).fetchone()
        if row is None:
            raise VersionNotFound(version.row_id)
        return read_project(zlib.decompress(row["content"])).content


def surplus(versions: Sequence[Version], now: datetime) -> tuple[Version, ...]:
    """The versions of one study to remove (see above); `versions` has the newest first."""
    periods: set[object] = set()
    removed: list[Version] = []
    count = size = 0
    for version in versions:
        period = _period(version, now)
        is_in_period = period is not None and period in periods
        is_beyond_limit = count >= MAX_VERSIONS or size + version.size > MAX_BYTES
        if count and (is_in_period or is_beyond_limit):
            removed.append(version)
            if is_beyond_limit:
                size = MAX_BYTES  # all older ones are removed, too, even smaller ones
            continue
        periods.add(period)
        count, size = count + 1, size + version.size
    return tuple(removed)


def _period(version: Version, now: datetime) -> object:
    """The period of which one version is kept; None for all."""
    age, moment = now - version.at, version.at.astimezone(UTC)
    if age < RETAIN_ALL:
        return None
    period = "%Y-%m-%d %H" if age < RETAIN_HOURLY else "%Y-%m-%d"
    return version.cause.is_sent, moment.strftime(period)


def _serialized(content: StudyContent) -> bytes:
    return project_content(Project("").with_content(content))


def _versions(connection: Connection, study_id: str) -> tuple[Version, ...]:
    return tuple(
        Version(
            row["number"],
            from_milliseconds(row["created_at"]),
            VersionCause(row["cause"]),
            row["name"],
            row["size"],
        )
        for row in connection.execute(_ALL, (study_id,))
    )


_NEWEST = "SELECT number, cause, digest FROM version WHERE study_id = ? ORDER BY number DESC LIMIT 1"
_ALL = """
SELECT number, created_at, cause, name, length(content) AS size
FROM version WHERE study_id = ? ORDER BY number DESC
"""
_INSERT = """
INSERT INTO version (study_id, created_at, cause, name, digest, content) VALUES (?, ?, ?, ?, ?, ?)
"""
_UPDATE = "UPDATE version SET cause = ?, created_at = ? WHERE number = ?"
