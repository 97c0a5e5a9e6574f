"""Recently opened studies, stored as JSON in the data folder."""

import os
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from batchwright.base.files.atomic_files import write_atomically
from batchwright.base.json_values import InvalidJson, Json, is_array, is_object, parse, to_json
from batchwright.local.connections import THIS_COMPUTER
from batchwright.local.places import is_other_data_folder
from batchwright.local.projects import Project, StudyKind
from batchwright.wire.timestamps import read_timestamp, write_timestamp

_FILE_NAME = "recent.json"
_MAX_STUDIES = 20
_lock = Lock()
"""Locked while the list is read and written: all windows do so, in threads."""


@dataclass(frozen=True)
class Recent:
    """A study when it was last opened or saved.

    `batch_at` and `collection_at` are the connections of its batch and its collection, if it has one.
    """

    path: Path
    name: str
    at: datetime
    errors: int = 0
    batch_at: str | None = None
    batch_state: str | None = None
    """Last known status of the batch, as the service names it; None if unknown."""
    seen_at: datetime | None = None
    """When that status was fetched."""
    collection_at: str | None = None
    workspace_ids: tuple[str, ...] = ()
    """The workspaces of hosted services that it has resources in."""


class Recents:
    """The list, newest first; call it off the event loop. A list that cannot be read counts as empty."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE_NAME

    def all(self) -> tuple[Recent, ...]:
        """The list without files that cannot be found, for example because their folder is not reachable."""
        # Path.is_file raises an error if it cannot tell.
        return tuple(recent for recent in self._stored() if os.path.isfile(recent.path))  # noqa: PTH113

    def save(self, recent: Recent) -> None:
        """Put a study at the top of the list.

        Raises:
            OSError: the list cannot be written.
        """
        with _lock:
            others = [listed for listed in self._stored() if listed.path != recent.path]
            self._write((recent, *others)[:_MAX_STUDIES])

    def record(self, path: Path, batch_at: str, state: str, seen_at: datetime) -> None:
        """Store the status of the batch of a listed study; its position does not change.

        Raises:
            OSError: the list cannot be written.
        """
        path = path.resolve()
        with _lock:
            stored = self._stored()
            updated = tuple(
                replace(listed, batch_at=batch_at, batch_state=state, seen_at=seen_at)
                if listed.path == path
                else listed
                for listed in stored
            )
            if updated != stored:
                self._write(updated)

    def remove(self, path: Path) -> None:
        """Remove a study from the list; its file is kept."""
        with _lock:
            self._write(tuple(listed for listed in self._stored() if listed.path != path))

    def _write(self, recents: tuple[Recent, ...]) -> None:
        entries: list[Json] = [_as_json(recent) for recent in recents]
        write_atomically(self._path, to_json(entries, indent=2).encode() + b"\n")

    def _stored(self) -> tuple[Recent, ...]:
        try:
            value = parse(self._path.read_bytes())
        except (FileNotFoundError, InvalidJson):
            return ()
        return tuple(listed for entry in value if (listed := _recent(entry))) if is_array(value) else ()


def recent_of(path: Path, project: Project, errors: int) -> Recent:
    """Create the entry of a study that was opened or saved just now."""
    return Recent(
        path.resolve(),
        project.name,
        datetime.now(UTC),
        errors,
        batch_at=_first_with(StudyKind.BATCH, project),
        collection_at=_first_with(StudyKind.COLLECTION, project),
        workspace_ids=_hosted_workspaces(project),
    )


def _first_with(kind: StudyKind, project: Project) -> str | None:
    """The first connection with a batch or a collection of a study, in any language."""
    return next((name for name, remote in project.remotes.items() if remote.has_any(kind)), None)


def _hosted_workspaces(project: Project) -> tuple[str, ...]:
    ids = {
        remote.workspace_id
        for name, remote in project.remotes.items()
        if name != THIS_COMPUTER.name and not is_other_data_folder(name)
    }
    return tuple(sorted(ids - {""}))


def _as_json(recent: Recent) -> Json:
    batch_seen_at = None if recent.seen_at is None else write_timestamp(recent.seen_at)
    attributes: dict[str, Json] = {
        **vars(recent),
        "path": str(recent.path),
        "at": write_timestamp(recent.at),
        "workspace_ids": list(recent.workspace_ids),
    }
    return dict(sorted({**attributes, "seen_at": batch_seen_at}.items()))


def _recent(value: Json) -> Recent | None:
    if not is_object(value):
        return None
    path, name, at = (value.get(key) for key in ("path", "name", "at"))
    if not (isinstance(path, str) and isinstance(name, str) and isinstance(at, str)):
        return None
    moment = _optional_time(at)
    if moment is None:
        return None
    errors, batch_at, state = (value.get(key) for key in ("errors", "batch_at", "batch_state"))
    collection_at, workspace_ids = value.get("collection_at"), value.get("workspace_ids")
    return Recent(
        Path(path),
        name,
        moment,
        errors if isinstance(errors, int) else 0,
        batch_at if isinstance(batch_at, str) else None,
        state if isinstance(state, str) else None,
        _optional_time(value.get("seen_at")),
        collection_at if isinstance(collection_at, str) else None,
        tuple(id for id in workspace_ids if isinstance(id, str)) if is_array(workspace_ids) else (),
    )


def _optional_time(value: Json) -> datetime | None:
    try:
        return read_timestamp(value)
    except ValueError:
        return None
