"""The file of a study: a project, or a plain layout that is written back as what it was (design.md D11, D12).

A file remembers what it held when it was last read or written, so that nobody writes over what another
program, or another window, has put there meanwhile.
"""

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

from batchwright.base.atomic_files import write_atomically
from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject, is_object
from batchwright.base.text import without_lone_surrogates
from batchwright.layout.file_format import LayoutFile, file_content
from batchwright.local.project_migrations import InvalidProjectFile
from batchwright.local.project_parser import (
    is_project,
    parse_project,
    project_from_layout,
    read_json,
    read_layout,
)
from batchwright.local.projects import Project, project_content

_LARGEST = 512 * 1024 * 1024
"""Bytes; no study is nearly as large, and a file is read whole."""


@dataclass(frozen=True)
class StudyFile:
    """Where a study is saved, and as what; `digest` is of what stood there last, None when that is not known.

    A plain file is an array of pages, or an object `around` them.
    """

    path: Path
    digest: str | None = None
    is_plain: bool = False
    around: JsonObject | None = None

    def held(self, project: Project) -> Project:
        """What would come back if a study were saved here and opened again: a plain file holds less."""
        return (
            project
            if not self.is_plain
            else _named(project_from_layout(self._layout_file(project)), self.path)
        )

    def content(self, project: Project) -> bytes:
        """What the file is to hold for a study."""
        if self.is_plain:
            return file_content(self._layout_file(project))
        return project_content(project, self.path.parent)

    def _layout_file(self, project: Project) -> LayoutFile:
        """The layout with the object around it, in which name and task details are kept up to date."""
        from batchwright.wire.base import (
            to_payload,  # the models of the wire are not needed before a study is open
        )

        if self.around is None:
            return LayoutFile(project.layout)
        around = dict(self.around)
        if isinstance(around.get("name"), str):
            around["name"] = project.name
        if is_object(around.get("task_details")):
            around["task_details"] = to_payload(project.details)
        return LayoutFile(project.layout, around)


def read_study(path: Path) -> tuple[Project, StudyFile]:
    """The study in a file, and the file as it is.

    Raises:
        NotAProject: it holds no study, or one of a newer Batchwright.
        OSError: it cannot be read.
    """
    try:
        return _read(path)
    except InvalidProjectFile as fault:
        reason = _("“{name}” cannot be opened. {reason}").format(name=path.name, reason=fault)
        raise type(fault)(reason) from None


def _read(path: Path) -> tuple[Project, StudyFile]:
    if path.stat().st_size > _LARGEST:
        raise InvalidProjectFile(_("The file is larger than 512 MB, which no study is."))
    content = path.read_bytes()
    whole = path.resolve()
    value = read_json(content)
    if is_project(value):
        return parse_project(value, whole.parent), StudyFile(path, _digest(content))
    plain = read_layout(content, value)
    file = StudyFile(path, _digest(content), is_plain=True, around=plain.around)
    return _named(project_from_layout(plain), path), file


def write_study(project: Project, file: StudyFile) -> StudyFile:
    """Save a study, and give the file as it is from then on.

    Raises:
        OSError: it cannot be written, or is not to be; what was there stays.
    """
    content = file.content(project)
    write_atomically(file.path, content)
    return replace(file, digest=_digest(content))


def has_changed(file: StudyFile) -> bool:
    """Whether something else stands in the file than was last read or written; nothing is no change.

    Raises:
        OSError: it cannot be read.
    """
    try:
        return _digest(file.path.read_bytes()) != file.digest
    except FileNotFoundError:
        return False


def free_sibling_path(file: StudyFile) -> StudyFile:
    """A file in the same folder that is not there yet: `study (mine).batchwright`, `study (mine 2)...`."""
    stem, suffix = file.path.stem, file.path.suffix
    words, number = _("mine"), 1
    while (path := file.path.with_name(f"{stem} ({words}){suffix}")).exists():
        number += 1
        words = _("mine {number}").format(number=number)
    return replace(file, path=path, digest=None)


def _named(project: Project, path: Path) -> Project:
    return project if project.name else replace(project, name=without_lone_surrogates(path.stem))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
