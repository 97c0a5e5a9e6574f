"""The user's own templates and blocks, each a file in the data folder.

A template is a study without its data file and without ids of services. A block is a list of pages, rows,
columns or items. The files are versioned JSON; the same files are exported and imported.
"""

import re
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from batchwright.base.files.atomic_files import write_atomically
from batchwright.base.i18n import _
from batchwright.base.json_values import (
    DEEPEST_WRAPPED,
    InvalidJson,
    Json,
    JsonObject,
    is_array,
    is_object,
    is_valid_unicode,
    parse,
    to_json,
)
from batchwright.base.text import is_blank
from batchwright.layout.editing.clipboard import ClipboardNodes, clone, parse_clipboard
from batchwright.layout.file_format import InvalidLayoutFile
from batchwright.layout.serialization import random_keys
from batchwright.local.projects import Project, project_content, with_keys_of_layout
from batchwright.local.study_files.project_migrations import InvalidProjectFile
from batchwright.local.study_files.project_parser import parse_project

MAX_NAME_CHARS, MAX_DESCRIPTION_CHARS = 80, 200
_VERSION_KEY, _VERSION = "batchwright_library", 1
_LARGEST = 64 * 1024 * 1024
"""Bytes; a larger file is not read."""
_DEEPEST = DEEPEST_WRAPPED + 2


class LibraryKind(StrEnum):
    """The kind of a library entry."""

    TEMPLATE = "template"
    BLOCK = "block"

    @property
    def suffix(self) -> str:
        """The suffix of its files."""
        return f".batchwright-{self.value}"


def is_library_file(path: Path) -> bool:
    """Whether a file is a template or block, by its name."""
    return any(path.name.endswith(kind.suffix) for kind in LibraryKind)


class InvalidLibraryFile(InvalidProjectFile):
    """A file is not a template or block, or is damaged; the message says why."""


@dataclass(frozen=True)
class LibraryEntry:
    """A template, which has a `project`, or a block, which has `nodes`.

    A file that cannot be used has an `error` instead; its name is that of the file.
    """

    kind: LibraryKind
    name: str
    description: str = ""
    project: Project | None = None
    nodes: ClipboardNodes | None = None
    page_names: tuple[str, ...] = ()
    """The names of the pages among the nodes, in their order; empty texts for those without a name."""
    path: Path = Path()
    """The file in the library; `Path()` before it is saved."""
    error: str = ""


def template_of(project: Project, name: str, description: str) -> LibraryEntry:
    """A template of a study: its layout, page names, schema and task details, not its records and ids."""
    template = replace(_copy(project), name=name, data=None, remotes={})
    return LibraryEntry(LibraryKind.TEMPLATE, name, description, project=template)


def block_of(nodes: ClipboardNodes, name: str, page_names: Mapping[str, str] | None = None) -> LibraryEntry:
    """A block of nodes, without ids; `page_names` are the names of the pages of the study, by key."""
    keys = random_keys()
    copies = ClipboardNodes(nodes.level, tuple(clone(node, keys) for node in nodes.nodes))
    names = tuple((page_names or {}).get(node.key, "") for node in nodes.nodes)
    return LibraryEntry(LibraryKind.BLOCK, name, nodes=copies, page_names=names if any(names) else ())


def study_from_template(template: LibraryEntry) -> Project:
    """A new study from a template, with nodes of its own.

    Raises:
        InvalidLibraryFile: the file of the template is damaged.
    """
    if template.project is None:
        raise InvalidLibraryFile(template.error)
    return replace(_copy(template.project), name=template.name)


def name_error(name: str) -> str:
    """Why a name cannot be used; empty if it can."""
    if is_blank(name):
        return _("Enter a name first")
    if len(name) > MAX_NAME_CHARS:
        return _("The name has more than {most} characters.").format(most=MAX_NAME_CHARS)
    if not is_valid_unicode(name) or not name.isprintable():
        return _("The name contains an invalid character.")
    return ""


class Library:
    """The folder of templates and blocks; call it off the event loop."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "library"

    def entries(self) -> list[LibraryEntry]:
        """All templates and blocks by name; files that cannot be used have an error."""
        paths = self._folder.iterdir() if self._folder.is_dir() else ()
        entries = [entry for path in paths if (entry := _listed(path)) is not None]
        return sorted(entries, key=lambda entry: (entry.name.casefold(), entry.path.name))

    def save(self, entry: LibraryEntry) -> LibraryEntry:
        """Write an entry to its file, or to a new one if it has none.

        Raises:
            OSError: the file cannot be written.
        """
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._folder / _file_name(entry) if entry.path == Path() else entry.path
        write_atomically(path, entry_content(entry))
        return replace(entry, path=path)

    def remove(self, entry: LibraryEntry) -> bytes:
        """Remove the file of an entry, also of a damaged one; returns its content, for `restore`.

        Raises:
            OSError: the file cannot be removed.
        """
        content = entry.path.read_bytes()
        entry.path.unlink()
        return content

    def restore(self, entry: LibraryEntry, content: bytes) -> None:
        """Write a removed file again.

        Raises:
            OSError: the file cannot be written.
        """
        write_atomically(entry.path, content)


def entry_content(entry: LibraryEntry) -> bytes:
    """The content of the file of an entry."""
    content: Json = None
    if entry.project is not None:
        content = parse(project_content(entry.project), _DEEPEST)
    elif entry.nodes is not None:
        content = parse(entry.nodes.text, _DEEPEST)
    value: dict[str, Json] = {
        _VERSION_KEY: _VERSION,
        "content": content,
        "description": entry.description,
        "kind": entry.kind.value,
        "name": entry.name,
    }
    if entry.page_names:
        value["page_names"] = list(entry.page_names)
    return to_json(value, indent=2).encode() + b"\n"


def read_entry(path: Path) -> LibraryEntry:
    """Read a template or block from a file, which may be outside of the library.

    Raises:
        InvalidLibraryFile: the file is not a template or block, or is damaged.
        OSError: it cannot be read.
    """
    if path.stat().st_size > _LARGEST:
        raise InvalidLibraryFile(_("The file is too large for a template or block."))
    try:
        value = parse(path.read_bytes(), _DEEPEST)
    except InvalidJson as error:
        raise InvalidLibraryFile(_("The file is not valid JSON: {reason}.").format(reason=error)) from None
    if not is_object(value) or _VERSION_KEY not in value:
        raise InvalidLibraryFile(_("The file contains neither a template nor a block."))
    if value[_VERSION_KEY] != _VERSION:
        raise InvalidLibraryFile(_("The file was written by a newer version of Batchwright."))
    try:
        return _entry(value)
    except (InvalidProjectFile, InvalidLayoutFile) as error:
        raise InvalidLibraryFile(str(error)) from None


def _entry(value: JsonObject) -> LibraryEntry:
    name, description, content = value.get("name"), value.get("description"), value.get("content")
    if not isinstance(name, str) or name_error(name) or not isinstance(description, str):
        raise InvalidLibraryFile(_("The file is damaged: its name or description is not valid."))
    description = description[:MAX_DESCRIPTION_CHARS]
    if value.get("kind") == LibraryKind.TEMPLATE and is_object(content):
        project = replace(parse_project(content), data=None, remotes={})
        return LibraryEntry(LibraryKind.TEMPLATE, name, description, project=project)
    if value.get("kind") == LibraryKind.BLOCK:
        nodes = parse_clipboard(to_json(content), random_keys())
        return LibraryEntry(
            LibraryKind.BLOCK, name, description, nodes=nodes, page_names=_names(value.get("page_names"))
        )
    raise InvalidLibraryFile(_("The file is damaged: it has no content."))


def _names(value: Json) -> tuple[str, ...]:
    """The names of pages; a value of another type counts as no name."""
    return tuple(name if isinstance(name, str) else "" for name in value) if is_array(value) else ()


def _listed(path: Path) -> LibraryEntry | None:
    """The entry of a file of the folder; None for other files."""
    kind = next((kind for kind in LibraryKind if path.name.endswith(kind.suffix)), None)
    if kind is None or path.name.startswith("."):
        return None
    try:
        entry = read_entry(path)
    except (InvalidLibraryFile, OSError) as error:
        return LibraryEntry(kind, path.name.removesuffix(kind.suffix), path=path, error=str(error))
    return replace(entry, path=path)


def _file_name(entry: LibraryEntry) -> str:
    """A file name that no other entry has, and that is valid on every system."""
    readable = re.sub(r"[^A-Za-z0-9]+", "-", entry.name).strip("-")[:40]
    return f"{readable or entry.kind.value}-{uuid.uuid4().hex[:8]}{entry.kind.suffix}"


def _copy(project: Project) -> Project:
    """The project with new keys, without ids in its layout, and without the version history of the study."""
    keys: Iterator[str] = random_keys()
    pages = [clone(page, keys) for page in project.layout.pages]
    names = {
        copy.key: project.page_names[page.key]
        for page, copy in zip(project.layout.pages, pages, strict=True)
        if page.key in project.page_names
    }
    layout = project.layout.with_children(pages)
    copied = replace(project, layout=layout, page_names=names, study_id="")
    return with_keys_of_layout(copied, project.layout)
