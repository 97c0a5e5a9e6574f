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
from typing import TypeAlias

from batchwright.base.files.atomic_files import write_atomically
from batchwright.base.json_values import (
    DEEPEST_WRAPPED,
    InvalidJson,
    Json,
    JsonObject,
    is_object,
    parse,
    to_json,
)
from batchwright.local.projects import Project, project_content, study_name
from batchwright.local.study_files.project_migrations import InvalidProjectFile
from batchwright.local.study_files.project_parser import read_project
from batchwright.local.study_files.study_file import StudyFile, StudyFormat

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

    @property
    def title(self) -> str:
        """The name of the study."""
        return study_name(self.project)


@dataclass(frozen=True)
class UnreadableCopy:
    """A copy that is no study, or one of a newer Batchwright; it is kept until the user discards it."""

    copy: Path
    file: StudyFile | None
    at: datetime
    reason: str
    """Why it cannot be opened, as a sentence."""

    @property
    def name(self) -> str:
        """The name of the copy in `AutosaveStore`."""
        return self.copy.stem

    @property
    def title(self) -> str:
        """The name of the study, as far as it is known."""
        return _title_in(self.copy) or (self.file.path.stem if self.file else self.name[:8])


RecoveryCopy: TypeAlias = RecoveredStudy | UnreadableCopy


class AutosaveStore:
    """The recovery copies in a folder; call it off the event loop."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / _FOLDER

    def new_name(self) -> str:
        """A new name for the copy of an open study."""
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

    def copies(self) -> Iterator[RecoveryCopy]:
        """Yield the existing copies, newest last."""
        for copy in sorted(self._folder.glob("*.batchwright"), key=_written):
            file, at = _file_of(copy), datetime.fromtimestamp(_written(copy), UTC)
            try:
                yield RecoveredStudy(copy, read_project(copy.read_bytes()), file, at)
            except FileNotFoundError:
                continue
            except (InvalidProjectFile, OSError) as error:
                _log.warning("The recovery copy %s cannot be read: %s", copy.name, type(error).__name__)
                reason = str(error) if isinstance(error, InvalidProjectFile) else (error.strerror or "")
                yield UnreadableCopy(copy, file, at, reason)

    def export(self, copy: UnreadableCopy, target: Path) -> None:
        """Write a copy that cannot be read to another file, byte for byte, and delete the copy.

        Raises:
            OSError: it cannot be read or written; it is kept.
        """
        write_atomically(target, copy.copy.read_bytes())
        self.remove(copy.name)


def _title_in(copy: Path) -> str:
    """The name of the study in a copy; empty if it cannot be read."""
    try:
        value = parse(copy.read_bytes(), DEEPEST_WRAPPED)
    except (OSError, InvalidJson):
        return ""
    name = value.get("name") if is_object(value) else None
    return name if isinstance(name, str) else ""


def _written(copy: Path) -> float:
    """The modification time of a copy in seconds; 0 if it no longer exists."""
    try:
        return copy.stat().st_mtime
    except OSError:
        return 0.0


def _file_of(copy: Path) -> StudyFile | None:
    """The file that a copy belongs to; None if it is unknown."""
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
