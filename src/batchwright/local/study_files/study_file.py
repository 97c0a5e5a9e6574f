"""The file of a study: a project, or a plain layout or collection, which is saved in the same format again.

A digest of the content that was last read or written is recorded, so that what another program or another
window has written there meanwhile is not overwritten without asking.
"""

import hashlib
import os
import uuid
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from batchwright.base.files.atomic_files import write_atomically
from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject, is_object
from batchwright.base.text import without_lone_surrogates
from batchwright.data_files.file_types import YAML_SUFFIXES
from batchwright.layout.file_format import LayoutFile, file_content
from batchwright.layout.model import Layout
from batchwright.local.paths import default_paths
from batchwright.local.projects import Project, StudyContent, StudyKind, project_content, with_keys_of_layout
from batchwright.local.study_files.collection_file import (
    ITEMS,
    changed_content,
    collection_content,
    is_collection,
    project_from_collection,
    read_yaml_collection,
    rewritten_content,
)
from batchwright.local.study_files.project_migrations import InvalidProjectFile
from batchwright.local.study_files.project_parser import (
    is_project,
    parse_project,
    project_from_layout,
    read_json,
    read_layout,
)
from batchwright.local.study_files.study_archive import (
    archive_digest,
    is_archive,
    read_archive,
    templates_in,
    unpack_missing,
    write_archive,
)

_TABLES = "tables"
"""The folder in the program's cache with the tables of studies that were opened with their data."""

_LARGEST = 512 * 1024 * 1024
"""Bytes; far more than any study has. A file is read into memory at once."""


class StudyFormat(StrEnum):
    """The format of a study file."""

    STUDY = "study"
    ARCHIVE = "archive"
    """A study with its data (`local.study_files.study_archive`)."""
    LAYOUT = "layout"
    """An array of pages, or an object with one under `batch_items`."""
    COLLECTION = "collection"
    """An object with pages under `collection_items`, as JSON."""
    YAML_COLLECTION = "yaml_collection"


@dataclass(frozen=True)
class StudyFile:
    """Path and format of a study file; `digest` is of its last known content, None if unknown.

    `around` has the other keys of the object that contains the pages of a layout or collection.
    """

    path: Path
    digest: str | None = None
    format: StudyFormat = StudyFormat.STUDY
    around: JsonObject | None = None
    table_was_replaced: bool = False
    """Whether somebody has replaced the table in an archive."""
    has_templates: bool = False
    """Whether an archive has templates or blocks."""

    @property
    def has_bindings_elsewhere(self) -> bool:
        """Whether the ids of services are stored outside of the file, see `file_bindings`."""
        return self.format in {StudyFormat.COLLECTION, StudyFormat.YAML_COLLECTION}

    def as_saved(self, project: Project) -> Project:
        """What saving and opening the study again would give; only a study file contains all of it.

        Keys of nodes stay the same, so that it equals the study if nothing is missing.
        """
        match self.format:
            case StudyFormat.STUDY | StudyFormat.ARCHIVE:
                return project
            case StudyFormat.LAYOUT:
                return _named(project_from_layout(self._layout_file(project)), self.path)
            case _:
                return Project(
                    project.name,
                    project.layout,
                    details=project.details,
                    remotes=project.remotes,
                    kind=StudyKind.COLLECTION,
                )

    def content(self, project: Project) -> bytes:
        """Serialise a study in the format of the file."""
        match self.format:
            case StudyFormat.STUDY:
                return project_content(project, self.path.parent)
            case StudyFormat.LAYOUT:
                return file_content(self._layout_file(project))
            case _:
                is_yaml = self.format is StudyFormat.YAML_COLLECTION
                return collection_content(project, self.around or {}, as_yaml=is_yaml)

    def _layout_file(self, project: Project) -> LayoutFile:
        """The layout with its enclosing object, whose name and task details are updated."""
        from batchwright.wire.base import (
            to_payload,  # the wire models are not needed before a study is open
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
    """Read the study in a file.

    Raises:
        InvalidProjectFile: it contains no study, or one of a newer Batchwright.
        OSError: it cannot be read.
    """
    try:
        return _read(path)
    except InvalidProjectFile as error:
        reason = _("“{name}” cannot be opened. {reason}").format(name=path.name, reason=error)
        raise type(error)(reason) from None


def _read(path: Path) -> tuple[Project, StudyFile]:
    if is_archive(path):
        archive = read_archive(path, default_paths().cache / _TABLES)
        file = StudyFile(path, archive_digest(path), StudyFormat.ARCHIVE)
        return archive.project, replace(
            file, table_was_replaced=archive.is_changed, has_templates=bool(archive.templates)
        )
    if path.stat().st_size > _LARGEST:
        raise InvalidProjectFile(_("The file is larger than 512 MB, so it is not a study."))
    content = path.read_bytes()
    digest, absolute_path = _digest(content), path.resolve()
    if path.suffix.lower() in YAML_SUFFIXES:
        collection = read_yaml_collection(content)
        file = StudyFile(path, digest, StudyFormat.YAML_COLLECTION, _without_pages(collection))
        return _named(project_from_collection(collection), path), file
    value = read_json(content)
    if is_project(value):
        return parse_project(value, absolute_path.parent), StudyFile(path, digest)
    if is_object(value) and is_collection(value):
        file = StudyFile(path, digest, StudyFormat.COLLECTION, _without_pages(value))
        return _named(project_from_collection(value), path), file
    plain = read_layout(content, value)
    file = StudyFile(path, digest, StudyFormat.LAYOUT, plain.around)
    return _named(project_from_layout(plain), path), file


def _without_pages(collection: JsonObject) -> JsonObject:
    """The keys of a collection in their order, without the content of its pages."""
    return {**collection, ITEMS: None}


def with_study_id(project: Project, file: StudyFile | None) -> Project:
    """The project with an id for its version history.

    A file without one, such as a plain layout, has an id that is derived from its path.
    """
    if project.study_id:
        return project
    if file is None:
        return replace(project, study_id=uuid.uuid4().hex)
    return replace(project, study_id=id_of_path(file.path))


def id_of_path(path: Path) -> str:
    """An id that is derived from the path of a file."""
    return _digest(os.fsencode(os.path.normcase(path.absolute())))[:32]


def write_study(project: Project, file: StudyFile, before: StudyFile | None = None) -> StudyFile:
    """Save a study and return the updated file. An archive gets the templates of the file that it had before.

    Raises:
        OSError: it cannot be written or is read-only; the old content is kept.
    """
    if file.format is StudyFormat.ARCHIVE:
        restore_data(project, before or file)
        write_archive(project, file.path, templates_in((before or file).path))
        return replace(file, digest=archive_digest(file.path))
    content = (
        _changed_collection(project, file) or _rewritten_collection(project, file) or file.content(project)
    )
    write_atomically(file.path, content)
    return replace(file, digest=_digest(content))


def restore_data(project: Project, file: StudyFile) -> bool:
    """Unpack what is missing of the data of a study if its file has them; returns whether they exist then."""
    if project.data is None:
        return True
    if file.format is StudyFormat.ARCHIVE:
        unpack_missing(file.path, project.data.path, default_paths().cache / _TABLES)
    return project.data.path.exists()


def loses_form(project: Project, file: StudyFile) -> bool:
    """Whether saving rewrites the text of a collection file: without its comments, order and quotes.

    False if the file is missing, or does not contain what was last read or written.
    """
    try:
        is_same = file.has_bindings_elsewhere and file.path.exists() and not has_changed(file)
    except OSError:
        return False
    return is_same and _changed_collection(project, file) is None


def _changed_collection(project: Project, file: StudyFile) -> bytes | None:
    """The content of the file of a collection with only the changes of the study; None if that fails."""
    content = _current_content(file)
    is_yaml = file.format is StudyFormat.YAML_COLLECTION
    return (
        None if content is None else changed_content(content, project, _name_from(file.path), as_yaml=is_yaml)
    )


def _rewritten_collection(project: Project, file: StudyFile) -> bytes | None:
    """The content of the YAML file of a collection, rewritten with its keys; None if that fails."""
    content = _current_content(file) if file.format is StudyFormat.YAML_COLLECTION else None
    return None if content is None else rewritten_content(content, project, _name_from(file.path))


def _current_content(file: StudyFile) -> bytes | None:
    """What the file of a collection contains now; None for another file or if it cannot be read."""
    if not file.has_bindings_elsewhere:
        return None
    try:
        return file.path.read_bytes()
    except OSError:
        return None


def has_changed(file: StudyFile) -> bool:
    """Whether the content differs from what was last read or written; a missing file has not changed.

    Raises:
        OSError: it cannot be read.
    """
    try:
        if file.format is StudyFormat.ARCHIVE:
            return archive_digest(file.path) != file.digest
        return _digest(file.path.read_bytes()) != file.digest
    except FileNotFoundError:
        return False


def content_on_disk(file: StudyFile, own: Project, saved: Layout) -> StudyContent:
    """What the file of a study contains after another program has changed it.

    Nodes have the keys of the layout that was saved before. What the format of the file cannot contain is
    that of the study.

    Raises:
        InvalidProjectFile: it contains no study any more.
        OSError: it cannot be read.
    """
    from batchwright.layout.comparing.node_matching import with_keys_of  # not needed until then

    theirs, _file = read_study(file.path)
    layout = with_keys_of(theirs.layout, saved)
    if file.format in {StudyFormat.STUDY, StudyFormat.ARCHIVE}:
        page_names = theirs.page_names if layout is theirs.layout else own.page_names
        content = replace(theirs, layout=layout, page_names=page_names)
        return with_keys_of_layout(content, theirs.layout).content
    if file.around is None:
        return replace(own.content, layout=layout)
    return replace(own.content, layout=layout, name=theirs.name, details=theirs.details)


def free_sibling_path(file: StudyFile) -> StudyFile:
    """An unused path in the same folder: `study (mine).batchwright`, `study (mine 2)...`."""
    stem, suffix = file.path.stem, file.path.suffix
    suffix_text, number = _("mine"), 1
    while (path := file.path.with_name(f"{stem} ({suffix_text}){suffix}")).exists():
        number += 1
        suffix_text = _("mine {number}").format(number=number)
    return replace(file, path=path, digest=None)


def _named(project: Project, path: Path) -> Project:
    return project if project.name else replace(project, name=_name_from(path))


def _name_from(path: Path) -> str:
    """The name of a study whose file contains none."""
    return without_lone_surrogates(path.stem)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
