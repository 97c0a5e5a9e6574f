"""Copies of studies that are not saved, so that a crash loses a second's work and no more.

Each open study has a copy of its own, named by chance. A copy that lies there when the program starts was
left by one that did not end well: a copy is deleted when its study is saved, or discarded by a person.
"""

import logging
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from batchwright.base.atomic_files import write_atomically
from batchwright.base.json_values import InvalidJson, Json, is_object, parse, to_json
from batchwright.local.project_migrations import InvalidProjectFile
from batchwright.local.project_parser import read_project
from batchwright.local.projects import Project, project_content
from batchwright.local.study_file import StudyFile

_log = logging.getLogger(__name__)

_FOLDER = "recovery"


@dataclass(frozen=True)
class RecoveredStudy:
    """A study found after a crash; `file` is the one it belongs to, if it had one."""

    copy: Path
    project: Project
    file: StudyFile | None
    at: datetime
    """When the copy was written, which is when the study was last changed."""

    @property
    def name(self) -> str:
        """What `AutosaveStore` knows the copy by."""
        return self.copy.stem


class AutosaveStore:
    """The copies in a folder; call it off the event loop."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / _FOLDER

    def new_name(self) -> str:
        """A name for the copy of one open study."""
        return uuid.uuid4().hex

    def save(self, name: str, project: Project, file: StudyFile | None) -> None:
        """Write the copy of a study, over an older one.

        Raises:
            OSError: it cannot be written.
        """
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside: Json = None if file is None else {**vars(file), "path": str(file.path)}
        write_atomically(self._folder / f"{name}.file", to_json(beside).encode())
        write_atomically(self._folder / f"{name}.batchwright", project_content(project))

    def remove(self, name: str) -> None:
        """Throw a copy away; nothing happens when there is none."""
        for suffix in (".batchwright", ".file"):
            (self._folder / f"{name}{suffix}").unlink(missing_ok=True)

    def recovered(self) -> Iterator[RecoveredStudy]:
        """What is there, the newest last; copies that cannot be read are passed over and stay."""
        for copy in sorted(self._folder.glob("*.batchwright"), key=_written):
            try:
                project, at = read_project(copy.read_bytes()), datetime.fromtimestamp(_written(copy), UTC)
            except (InvalidProjectFile, OSError) as error:
                _log.warning("The recovery copy %s cannot be read: %s", copy.name, type(error).__name__)
                continue
            yield RecoveredStudy(copy, project, _file_of(copy), at)


def _written(copy: Path) -> float:
    """When a copy was written, in seconds; 0 for one that is gone."""
    try:
        return copy.stat().st_mtime
    except OSError:
        return 0.0


def _file_of(copy: Path) -> StudyFile | None:
    """The file that a copy belongs to; none when that cannot be told any more."""
    try:
        said = parse(copy.with_suffix(".file").read_bytes())
    except (OSError, InvalidJson):
        return None
    if not is_object(said) or not isinstance(path := said.get("path"), str):
        return None
    digest, around = said.get("digest"), said.get("around")
    return StudyFile(
        Path(path),
        digest if isinstance(digest, str) else None,
        is_plain=said.get("is_plain") is True,
        around=around if is_object(around) else None,
    )
