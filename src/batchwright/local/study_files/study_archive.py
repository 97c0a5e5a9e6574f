"""A study file with its data: a ZIP archive with the study, its table and templates, for any computer.

    study.json      the study as in a file without data; `data.path` is the table in the archive
    contents.json   version of this format; version, size and SHA-256 of the table
    data/NAME       the table, byte for byte, or its used columns as JSONL; or a folder with media
    templates/NAME  templates and blocks
    README.txt      what the files are

Nothing but these is accepted in an archive. The table is unpacked to a folder named by its digest, so that
the same table is unpacked once and its path stays the same.
"""

import hashlib
import lzma
import os
import shutil
import time
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path, PurePosixPath
from stat import S_ISLNK

from batchwright.base.files.atomic_files import (
    errors_naming,
    replace_atomically,
    require_replaceable,
    sibling_temp_file,
)
from batchwright.base.i18n import _
from batchwright.base.json_values import InvalidJson, JsonObject, is_object, parse, to_json
from batchwright.base.local_media import is_medium
from batchwright.base.text import without_lone_surrogates
from batchwright.data_files.archive_members import open_member, require_likely_sizes, require_likely_total
from batchwright.data_files.file_types import ARCHIVED_STUDY
from batchwright.local.projects import DataFile, Project, project_content
from batchwright.local.study_files.project_migrations import InvalidProjectFile
from batchwright.local.study_files.project_parser import parse_project, read_json

STUDY = ARCHIVED_STUDY.decode()
_CONTENTS, _README, _DATA, _TEMPLATES = "contents.json", "README.txt", "data", "templates"
_VERSION = 1
_LARGEST_JSON = 512 << 20
"""Maximum bytes of `study.json`, `contents.json` and of each template."""
_BLOCK = 1 << 20
_OLD_S = 90 * 24 * 3600
"""Seconds after which an unpacked table that was not opened again is removed."""

_DAMAGED = (
    *(zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, KeyError, InvalidJson),
    *(zlib.error, lzma.LZMAError),
)
"""The errors of reading a damaged archive."""

OnProgress = Callable[[int, int], object]
"""Called with the bytes of the table that were written, and all."""


@dataclass(frozen=True)
class ArchivedTable:
    """The table in an archive, or the folder with media; `version` increases with each change of it.

    The directory of the archive has the CRC of what is in it, and that tells whether it was replaced. Size,
    digest and CRC of a folder are those of all its files.
    """

    name: str
    size: int
    sha256: str
    crc32: int
    version: int = 1


@dataclass(frozen=True)
class ArchivedFile:
    """A template or block in an archive."""

    name: str
    content: bytes


@dataclass(frozen=True)
class StudyArchive:
    """The content of an archive.

    `is_changed` says that the table is not the one that was saved: somebody has replaced it in the archive.
    """

    project: Project
    table: ArchivedTable | None
    templates: tuple[ArchivedFile, ...]
    is_changed: bool


def is_archive(path: Path) -> bool:
    """Whether a file is an archive with a study, by its beginning.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        start = file.read(30 + len(STUDY))
    return start.startswith(b"PK\x03\x04") and start[30:] == STUDY.encode()


def write_archive(
    project: Project,
    target: Path,
    templates: Sequence[ArchivedFile] = (),
    on_progress: OnProgress = lambda _done, _all: None,
) -> ArchivedTable | None:
    """Write a study with the file of its data; an existing archive is replaced as a whole, or not at all.

    The version of the table is that of the existing archive, or the next one if it had another table.

    Raises:
        OSError: the data cannot be read, or the archive cannot be written; the old one is kept.
    """
    require_replaceable(target)
    data = project.data
    name, files = ("", {}) if data is None else _members_for(data)
    table = None if data is None else _with_version(_digested(name, files), _table_of(target))
    if data is not None:
        project = replace(project, data=_archived_data(data, name, files))
    with sibling_temp_file(target) as temporary:
        with errors_naming(target), zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
            _write(project, table, archive, templates)
            done = 0
            for member, path in files.items():
                done = _add(archive, member, path, done, table.size if table else 0, on_progress)
        replace_atomically(temporary, target)
    return table


def media_amount(data: DataFile) -> tuple[int, int]:
    """The number of files, and their bytes, that an archive would have for a folder with media.

    Raises:
        OSError: the folder cannot be read.
    """
    _name, files = _members_for(data)
    return len(files), sum(path.stat().st_size for path in files.values())


def read_archive(path: Path, folder: Path) -> StudyArchive:
    """Read a study, and unpack its table below `folder` if it is not there already.

    Raises:
        InvalidProjectFile: it is damaged, contains other files, or decompresses to far too much data.
        OSError: it cannot be read, or the table cannot be written.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return _read(archive, folder)
    except _DAMAGED as error:
        raise InvalidProjectFile(_("The archive is damaged: {reason}.").format(reason=error)) from None


def unpack_missing(path: Path, table: Path, folder: Path) -> None:
    """Unpack the table of an archive again if it is, or was, at this path below `folder`; else do nothing."""
    with suppress(*_DAMAGED, InvalidProjectFile, OSError), zipfile.ZipFile(path) as archive:
        _require_known_members(archive)
        archived = _archived_table(_contents(archive))
        if archived is not None and table == _unpacked_folder(archive, archived, folder) / archived.name:
            _unpacked(archive, archived, folder)


def templates_in(path: Path) -> tuple[ArchivedFile, ...]:
    """The templates and blocks in an archive; none if it cannot be read."""
    with (
        suppress(*_DAMAGED, InvalidProjectFile, OSError),
        zipfile.ZipFile(path) as archive,
    ):
        _require_known_members(archive)
        return _templates(archive)
    return ()


def archive_digest(path: Path) -> str:
    """A digest of what an archive contains, from its directory.

    Raises:
        OSError: it cannot be read, or is no archive any more.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            content = [(member.filename, member.CRC, member.file_size) for member in archive.infolist()]
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise OSError(str(error)) from None
    return hashlib.sha256(repr(sorted(content)).encode()).hexdigest()


def _write(
    project: Project,
    table: ArchivedTable | None,
    archive: zipfile.ZipFile,
    templates: Sequence[ArchivedFile],
) -> None:
    """Write everything but the table."""
    archive.writestr(STUDY, project_content(project))
    contents: JsonObject = {"format": _VERSION, "table": None if table is None else dict(vars(table))}
    archive.writestr(_CONTENTS, f"{to_json(contents, indent=2)}\n".encode())
    archive.writestr(_README, _readme())
    for template in templates:
        archive.writestr(f"{_TEMPLATES}/{_member_name(template.name)}", template.content)


def _members_for(data: DataFile) -> tuple[str, dict[str, Path]]:
    """The name of a table in an archive, and its file; or those of a folder with media, and its files."""
    name = f"{_DATA}/{_member_name(data.path.name)}"
    if data.media is None or data.conversion is None:
        return name, {name: data.path}
    from batchwright.data_files.sources.media_folder import listed_files

    members: dict[str, Path] = {}
    used: set[str] = set()
    for path in sorted(listed_files(data.path, data.conversion.options)):
        safe = "/".join(map(_member_name, path.split("/")))
        stem, dot, suffix = safe.rpartition(".")
        numbers = (f"{stem} ({number}){dot}{suffix}" for number in count(2))
        unique = next(each for each in chain([safe], numbers) if each.casefold() not in used)
        used.add(unique.casefold())
        members[f"{name}/{unique}"] = data.path / path
    return name, members


def _archived_data(data: DataFile, name: str, files: Mapping[str, Path]) -> DataFile:
    """The data file with its path in the archive, and with the names that chosen media have there."""
    conversion = data.conversion
    if data.media is not None and conversion is not None and conversion.options.files:
        names = "\n".join(sorted(member.removeprefix(f"{name}/") for member in files))
        options = replace(conversion.options, files=names)
        data = replace(data, conversion=replace(conversion, options=options))
    return replace(data, path=Path(name))


def _add(
    archive: zipfile.ZipFile, member: str, path: Path, done: int, size: int, on_progress: OnProgress
) -> int:
    """Add a file; returns the bytes written so far. What is compressed already is stored as it is."""
    info = zipfile.ZipInfo(member, time.localtime()[:6])
    is_compressed = is_medium(member) and not member.lower().endswith(_UNCOMPRESSED)
    info.compress_type = zipfile.ZIP_STORED if is_compressed else zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    with path.open("rb") as source, archive.open(info, "w", force_zip64=True) as out:
        while block := source.read(_BLOCK):
            out.write(block)
            done += len(block)
            on_progress(done, size)
    return done


def _with_version(table: ArchivedTable, before: ArchivedTable | None) -> ArchivedTable:
    if before is None:
        return table
    return replace(table, version=before.version + (before.sha256 != table.sha256))


def _table_of(path: Path) -> ArchivedTable | None:
    """The table of an existing archive; None if there is none, or it cannot be read."""
    with (
        suppress(*_DAMAGED, InvalidProjectFile, OSError),
        zipfile.ZipFile(path) as archive,
    ):
        return _archived_table(_contents(archive))
    return None


def _read(archive: zipfile.ZipFile, folder: Path) -> StudyArchive:
    _require_known_members(archive)
    contents = _contents(archive)
    table = _archived_table(contents)
    root = folder if table is None else _unpacked(archive, table, folder)
    is_changed = table is not None and table.crc32 != _crc(archive, table.name)
    value = read_json(_json_member(archive, STUDY))
    if not is_object(value):
        raise InvalidProjectFile(_("The archive contains no study."))
    return StudyArchive(parse_project(value, root), table, _templates(archive), is_changed)


def _templates(archive: zipfile.ZipFile) -> tuple[ArchivedFile, ...]:
    return tuple(
        ArchivedFile(PurePosixPath(name).name, _json_member(archive, name))
        for name in archive.namelist()
        if name.startswith(f"{_TEMPLATES}/")
    )


def _require_known_members(archive: zipfile.ZipFile) -> None:
    """Check the names, kinds and sizes of all members.

    Raises:
        InvalidProjectFile: a member is a link, encrypted, not one of a study, or is there twice.
        RuntimeError: one decompresses to far too much data.
    """
    names: set[str] = set()
    for member in archive.infolist():
        name = member.filename
        parts = PurePosixPath(name).parts
        is_link = S_ISLNK(member.external_attr >> 16)
        is_plain = not is_link and not member.flag_bits & 0x1 and name == "/".join(parts)
        if not is_plain or not _is_known(parts) or name.casefold() in names:
            raise _unexpected(name)
        names.add(name.casefold())
    for name in archive.namelist():
        if not names.isdisjoint(str(parent).casefold() for parent in PurePosixPath(name).parents):
            raise _unexpected(name)
    require_likely_sizes(archive)
    require_likely_total(archive)


def _is_known(parts: Sequence[str]) -> bool:
    """Whether the path of a member is that of a study, a table, a template, or media in a folder."""
    match parts:
        case [name]:
            return name in {STUDY, _CONTENTS, _README}
        case [root, name]:
            return root in {_DATA, _TEMPLATES} and _member_name(name) == name
        case [root, *folders, name] if root == _DATA and len(parts) <= _MAX_DEPTH:
            return is_medium(name) and all(_member_name(each) == each for each in (*folders, name))
    return False


def _unexpected(name: str) -> InvalidProjectFile:
    return InvalidProjectFile(_("“{name}” cannot be in the archive of a study.").format(name=name))


def _contents(archive: zipfile.ZipFile) -> JsonObject:
    contents = parse(_json_member(archive, _CONTENTS))
    if not is_object(contents) or contents.get("format") != _VERSION:
        raise InvalidProjectFile(_("The archive was written by a newer Batchwright."))
    return contents


def _archived_table(contents: JsonObject) -> ArchivedTable | None:
    match contents.get("table"):
        case {
            "name": str(name),
            "size": int(size),
            "sha256": str(digest),
            "crc32": int(crc),
            "version": int(version),
        }:
            return ArchivedTable(name, size, digest, crc, version)
    return None


def _unpacked(archive: zipfile.ZipFile, table: ArchivedTable, folder: Path) -> Path:
    """Unpack the table or its media, unless that was done before; returns the folder that `data` is in."""
    _remove_old(folder)
    found = _unpacked_folder(archive, table, folder)
    for member in _members_of(archive, table.name):
        target = found / member.filename
        if not target.is_file() or target.stat().st_size != member.file_size:
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with sibling_temp_file(target) as temporary:
                with open_member(archive, member.filename) as source, temporary.open("wb") as out:
                    shutil.copyfileobj(source, out, _BLOCK)
                replace_atomically(temporary, target)
    os.utime(found)
    return found


def _unpacked_folder(archive: zipfile.ZipFile, table: ArchivedTable, folder: Path) -> Path:
    return folder / f"{table.sha256[:32]}-{_crc(archive, table.name):08x}"


def _members_of(archive: zipfile.ZipFile, name: str) -> list[zipfile.ZipInfo]:
    """The member of a table, or those of a folder with media.

    Raises:
        KeyError: there are none.
    """
    members = archive.infolist()
    found = [each for each in members if each.filename == name or each.filename.startswith(f"{name}/")]
    return found or [archive.getinfo(name)]


def _crc(archive: zipfile.ZipFile, name: str) -> int:
    """The CRC of a table, or of the names and CRCs in a folder, from the directory of the archive."""
    return _joint_crc(name, {member.filename: member.CRC for member in _members_of(archive, name)})


def _joint_crc(name: str, crcs: Mapping[str, int]) -> int:
    return crcs[name] if name in crcs else zlib.crc32(repr(sorted(crcs.items())).encode())


def _remove_old(folder: Path) -> None:
    """Remove the tables that were not opened for a long time; their archives still have them."""
    for unpacked in folder.iterdir() if folder.is_dir() else ():
        with suppress(OSError):
            if time.time() - unpacked.stat().st_mtime > _OLD_S:
                shutil.rmtree(unpacked)


def _digested(name: str, files: Mapping[str, Path]) -> ArchivedTable:
    """The table that a file becomes, or the folder that media become."""
    whole, crcs, size = hashlib.sha256(), dict[str, int](), 0
    for member, path in sorted(files.items()):
        digest = whole if member == name else hashlib.sha256(member.encode())
        crc = 0
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
                crc, size = zlib.crc32(block, crc), size + len(block)
        crcs[member] = crc
        if digest is not whole:
            whole.update(digest.digest())
    return ArchivedTable(name, size, whole.hexdigest(), _joint_crc(name, crcs))


def _member_name(name: str) -> str:
    """A name for a file in an archive that every system can unpack."""
    safe = "".join("_" if char in _UNSAFE or ord(char) < 32 else char for char in name)
    return without_lone_surrogates(safe).strip(". ") or "table"


_UNCOMPRESSED = (".svg", ".wav")
"""Media that are not compressed."""
_MAX_DEPTH = 32
"""Folders in each other."""
_UNSAFE = frozenset('<>:"/\\|?*\x7f')


def _json_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """The content of a small member.

    Raises:
        KeyError: there is none.
        RuntimeError: it is far too large.
    """
    if archive.getinfo(name).file_size > _LARGEST_JSON:
        raise RuntimeError(_("{name} decompresses to far too much data").format(name=name))
    return archive.read(name)


def _readme() -> str:
    return _(
        "This is a study of Batchwright, which opens it as it is. Unpacked, it can be read with other"
        " programs: study.json has the pages, the schema and the settings, the folder data has the table or"
        " the pictures, recordings or videos, and the folder templates has templates and blocks."
    )
