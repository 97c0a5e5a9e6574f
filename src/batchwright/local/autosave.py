"""Recovery copies of unsaved studies, so that a crash loses at most a second of work.

Each open study has one copy under a random name. It is deleted when the study is saved, or when the user
discards it; a copy that exists when the program starts was left by a crash.
"""

import logging
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from batchwright.base.atomic_files import write_atomically
from batchwright.base.json_values import InvalidJson, Json, JsonObject, is_object, parse, to_json
from batchwright.local.project_migrations import InvalidProjectFile
from batchwright.local.project_parser import read_project
from batchwright.local.projects import Project, project_content
from batchwright.local.study_file import StudyFile, StudyFormat

_log = logging.getLogger(__name__)

_FOLDER = "recovery"


@dataclass(frozen=True)
class RecoveredStudy:
    """A study found after a crash; `file` is the file it was opened from or saved to, if any."""

    copy: Path
    project: Project
    file: StudyFile | None
    at: datetime
    """When the copy was written, which is when the study was last changed."""

    @property
    def name(self) -> str:
        """The name of the copy in `AutosaveStore`."""
        return self.copy.stem


class AutosaveStore:
    """The recovery copies in a folder; call it off the event loop."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / _FOLDER

    def new_name(self) -> str:
        """Return a new name for the copy of an open study."""
        return uuid.uuid4().hex

    def save(self, name: str, project: Project, file: StudyFile | None) -> None:
        """Write the copy of a study; an older one is replaced.

        Raises:
            OSError: it cannot be written.
        """
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file_info: Json = (
            None if file is None else {**vars(file), "format": file.format.value, "path": str(file.path)}
        )
        write_atomically(self._folder / f"{name}.file", to_json(file_info).encode())
        write_atomically(self._folder / f"{name}.batchwright", project_content(project))

    def remove(self, name: str) -> None:
        """Delete a copy, if it exists."""
        for suffix in (".batchwright", ".file"):
            (self._folder / f"{name}{suffix}").unlink(missing_ok=True)

    def recovered(self) -> Iterator[RecoveredStudy]:
        """Yield the existing copies, newest last; copies that cannot be read are skipped and kept."""
        for copy in sorted(self._folder.glob("*.batchwright"), key=_written):
            try:
                project, at = read_project(copy.read_bytes()), datetime.fromtimestamp(_written(copy), UTC)
            except (InvalidProjectFile, OSError) as error:
                _log.warning("The recovery copy %s cannot be read: %s", copy.name, type(error).__name__)
                continue
            yield RecoveredStudy(copy, project, _file_of(copy), at)


def _written(copy: Path) -> float:
    """Return the modification time of a copy in seconds; 0 if it no longer exists."""
    try:
        return copy.stat().st_mtime
    except OSError:
        return 0.0


def _file_of(copy: Path) -> StudyFile | None:
    """Return the file that a copy belongs to; None if it is unknown."""
    try:
        value = parse(copy.with_suffix(".file").read_bytes())
    except (OSError, InvalidJson):
        return None
    if not is_object(value) or not isinstance(path := value.get("path"), str):
        return None
    digest, around = value.get("digest"), value.get("around")
    return StudyFile(
        Path(path),
        digest if isinstance(digest, str) else None,
        _format_of(value),
        around=around if is_object(around) else None,
    )


def _format_of(value: JsonObject) -> StudyFormat:
    """The format of the file of a copy; a copy of an older version has `is_plain` for a layout."""
    if value.get("is_plain") is True:
        return StudyFormat.LAYOUT
    formats = (candidate for candidate in StudyFormat if candidate == value.get("format"))
    return next(formats, StudyFormat.STUDY)
