"""Backups of a data folder in one file, and restoring one, while the service runs.

A backup is a ZIP archive with the database, the stored files that its rows refer to, and a manifest with the
size and SHA-256 of each. Everything is verified before anything is changed; then the stored files are added,
and the database is replaced in one transaction. A process that is killed leaves the former state or the new
one: files that no row refers to are removed at the next start.

Participants who were deleted on request since the backup was made are deleted in it, too. Studies come back:
a backup is what brings them back.
"""

import hashlib
import re
import secrets
import shutil
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import IO, BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from batchwright.base.database import Connection, Database, DatabaseUnusable
from batchwright.base.files.durable_files import create_folder
from batchwright.base.i18n import _
from batchwright.base.json_values import InvalidJson, Json, is_object, parse, to_json
from batchwright.service.blobs import CHUNK_SIZE, BlobKind, Blobs, UnfinishedFile
from batchwright.service.clock import timestamp
from batchwright.service.erasing import BACKUPS_FOLDER, finish_deletions
from batchwright.service.store import referenced_blobs, restored_data, stored_data
from batchwright.service.store.database import FILE_NAME, open_database

_MANIFEST = "manifest.json"
_FORMAT = 1
_MOST_ATTEMPTS = 3

OnStep = Callable[[int, int], object]
"""Called with the number of bytes that are written or checked, and of all; an exception ends the work."""

_LARGEST_MANIFEST = 256 * 1024 * 1024
_ID = re.compile(r"[0-9a-f]{32}")
_NAME = re.compile(r"blobs/([a-z]+/[0-9a-f]{2}/[0-9a-f]{32})")


class BackupUnusable(Exception):
    """A file cannot be restored, or a backup cannot be made; the message says for people why."""


@dataclass(frozen=True)
class Restored:
    """What is stored after a backup was restored."""

    studies: int
    answers: int
    deleted_again: int
    """Participants of the backup who were deleted on request since it was made."""


@dataclass(frozen=True)
class _Entry:
    """A file in a backup, as its manifest describes it."""

    size: int
    sha256: str


class Backups:
    """The backups of a data folder that are being written, received or restored."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / BACKUPS_FOLDER

    def clear(self) -> None:
        """Remove everything; call it only at start."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def path(self, id: str) -> Path:
        """The file of a backup.

        Raises:
            FileNotFoundError: this cannot be an id.
        """
        if not _ID.fullmatch(id):
            raise FileNotFoundError(id)
        return self._folder / f"{id}.zip"

    def exists(self, id: str) -> bool:
        """Whether there is a backup with an id."""
        return bool(_ID.fullmatch(id)) and self.path(id).exists()

    def take(self, received: UnfinishedFile, id: str) -> None:
        """Make a file that was received the one of a backup."""
        received.stream.flush()
        create_folder(self._folder)
        received.stream.close()  # Windows renames no open file
        received.path.replace(self.path(id))

    @contextmanager
    def removed_afterwards(self, id: str) -> Iterator[None]:
        """Remove a backup at the end of the block, unless the disk fails: then it can be restored later.

        Raises:
            FileNotFoundError: this cannot be an id.
        """
        path = self.path(id)
        try:
            yield
        except OSError:
            raise
        except Exception:
            path.unlink(missing_ok=True)
            raise
        path.unlink(missing_ok=True)

    def new_id(self) -> str:
        """An id for a backup that is to be written or received; the folder exists afterwards."""
        create_folder(self._folder)
        return secrets.token_hex(16)

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """An empty folder that is removed at the end of the block."""
        create_folder(self._folder)
        folder = self._folder / secrets.token_hex(16)
        folder.mkdir(mode=0o700)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def remove(self, id: str) -> None:
        """Remove a backup, if it is there and nobody downloads it on Windows.

        Raises:
            FileNotFoundError: this cannot be an id.
        """
        with suppress(PermissionError):
            self.path(id).unlink(missing_ok=True)

    def create(self, id: str, database: Database, blobs: Blobs, now: int, on_step: OnStep) -> None:
        """Write a backup with an id, and remove older ones, and uploads that were not restored.

        Raises:
            BackupUnusable: files are removed all the time.
            OSError: it cannot be written; nothing of it is left.
        """
        for earlier in self._folder.glob("*.zip"):
            with suppress(OSError):  # Windows removes no file that is being downloaded
                earlier.unlink()
        create_folder(self._folder)
        try:
            for _attempt in range(_MOST_ATTEMPTS):
                with self.scratch() as folder, self.path(id).open("wb") as out:
                    steps = _Steps(database.size(), on_step)
                    database.back_up(folder / FILE_NAME, steps.on_copied)
                    written = _write(out, folder / FILE_NAME, blobs, now, steps)
                if not _has_changed(database, written):
                    steps.report()  # Windows removes the file only now, if it is no longer wanted
                    return
        except BaseException:
            self.path(id).unlink(missing_ok=True)
            raise
        self.path(id).unlink(missing_ok=True)
        raise BackupUnusable(_("Data is being deleted. Try again when that has ended."))

    def restore(
        self,
        id: str,
        database: Database,
        blobs: Blobs,
        alone: AbstractContextManager[object],
        on_step: OnStep,
        before_change: Callable[[], object],
    ) -> Restored:
        """Replace what is stored by a backup; call it while nothing else is deleted.

        Args:
            id: the backup.
            database: the database.
            blobs: the stored files.
            alone: no job runs during its block.
            on_step: called while files are compared.
            before_change: called before anything is changed; an exception ends the work.

        Raises:
            BackupUnusable: it is damaged, or was not made by this program; nothing was changed.
            FileNotFoundError: there is no such backup.
            OSError: the disk is full; nothing was changed.
        """
        with ExitStack() as stack:
            folder = stack.enter_context(self.scratch())
            with self.path(id).open("rb") as file:
                _extract(file, folder, on_step)
            staged = stack.enter_context(closing(_opened(folder)))
            stack.enter_context(alone)
            deleted = restored_data.adopt(staged, database)
            with staged.read() as connection:
                counts = restored_data.counts(connection)
                kept = _referenced(connection)
            before_change()
            for name in kept:
                received = folder / "blobs" / name
                if received.exists() and not blobs.exists(name):
                    blobs.adopt(received, name)
            with database.read() as connection:
                former = _referenced(connection)
            database.replace_by(folder / FILE_NAME)
        # Files that are received meanwhile have no row yet: they stay.
        finish_deletions(database, blobs, former - kept)
        return Restored(*counts, deleted)


def _referenced(connection: Connection) -> set[str]:
    """The names of all stored files that rows refer to."""
    return {name for kind in BlobKind for name in referenced_blobs.referenced(connection, kind)}


@dataclass(frozen=True)
class _Written:
    """The state of the database in a backup: its last deletion, and stored files that do not exist."""

    last_deletion: int
    missing: dict[BlobKind, list[str]]


class _Steps:
    """Counts what is written: the database is copied first, then added to the archive as the files are."""

    def __init__(self, database_size: int, on_step: OnStep) -> None:
        self._copied, self._written, self._on_step = 0, 0, on_step
        self._copy_size, self._archive_size = database_size, database_size

    def on_copied(self, fraction: float) -> None:
        """Report how much of the database is copied."""
        self._copied = round(fraction * self._copy_size)
        self.report()

    def set_archive_size(self, size: int) -> None:
        """Set how many bytes are added to the archive."""
        self._archive_size = size

    def on_added(self, count: int) -> None:
        """Report that so many further bytes are in the archive."""
        self._written += count
        self.report()

    def report(self) -> None:
        """Report how much is written."""
        self._on_step(self._copied + self._written, self._copy_size + self._archive_size)


def _write(out: BinaryIO, database: Path, blobs: Blobs, now: int, steps: _Steps) -> _Written:
    missing: dict[BlobKind, list[str]] = {}
    names, last_deletion = restored_data.state_of_copy(database)
    files_size = sum(blobs.size_of(name) for of_kind in names.values() for name in of_kind)
    steps.set_archive_size(database.stat().st_size + files_size)
    with ZipFile(out, "w", ZIP_STORED) as archive:
        files: dict[str, Json] = {}
        with database.open("rb") as source:
            files[FILE_NAME] = _add(archive, FILE_NAME, source, ZIP_DEFLATED, steps)
        for kind, name in ((kind, name) for kind, of_kind in names.items() for name in of_kind):
            try:
                with blobs.open(name) as source:
                    files[f"blobs/{name}"] = _add(archive, f"blobs/{name}", source, ZIP_STORED, steps)
            except FileNotFoundError:
                missing.setdefault(kind, []).append(name)
        manifest: dict[str, Json] = {
            "format": _FORMAT,
            "program": version("batchwright"),
            "created_at": timestamp(now),
            "files": files,
        }
        archive.writestr(_MANIFEST, to_json(manifest, indent=1))
    return _Written(last_deletion, missing)


def _add(archive: ZipFile, name: str, source: BinaryIO, compression: int, steps: _Steps) -> Json:
    """Add a file; returns its entry in the manifest."""
    digest, size = hashlib.sha256(), 0
    archive.compression = compression
    with archive.open(name, "w", force_zip64=True) as written:
        while chunk := source.read(CHUNK_SIZE):
            written.write(chunk)
            digest.update(chunk)
            size += len(chunk)
            steps.on_added(len(chunk))
    return {"size": size, "sha256": digest.hexdigest()}


def _has_changed(database: Database, written: _Written) -> bool:
    """Whether something was deleted while a backup was written; files that were lost before do not count."""
    with database.read() as connection:
        unreferenced = [
            name
            for kind, names in written.missing.items()
            for name in referenced_blobs.unreferenced(connection, kind, names)
        ]
        return bool(unreferenced) or stored_data.last_deletion(connection) != written.last_deletion


def _extract(file: IO[bytes], folder: Path, on_step: OnStep) -> None:
    """Unpack a backup, and compare every file with the manifest.

    Raises:
        BackupUnusable: they differ, or the file is no backup.
    """
    try:
        with ZipFile(file) as archive:
            entries = _entries(archive)
            if sorted(archive.namelist()) != sorted([_MANIFEST, *entries]):
                raise BackupUnusable(_("Files in the backup are missing, or do not belong to it."))
            before, total = 0, sum(entry.size for entry in entries.values())
            for name, entry in entries.items():
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(name) as source, target.open("xb") as out:
                    for copied in _copy(source, out, entry):
                        on_step(before + copied, total)
                before += entry.size
    except (BadZipFile, EOFError, RuntimeError, ValueError, KeyError, zlib.error) as error:
        raise BackupUnusable(_("The backup is damaged, or is no backup.")) from error


def _entries(archive: ZipFile) -> dict[str, _Entry]:
    if archive.getinfo(_MANIFEST).file_size > _LARGEST_MANIFEST:
        raise BackupUnusable(_("The backup is damaged, or is no backup."))
    try:
        manifest = parse(archive.read(_MANIFEST))
    except InvalidJson as error:
        raise BackupUnusable(_("The backup is damaged, or is no backup.")) from error
    form = manifest.get("format") if is_object(manifest) else None
    if isinstance(form, int) and form > _FORMAT:
        raise BackupUnusable(_("The backup was made by a newer Batchwright. Please update this one."))
    files = manifest.get("files") if is_object(manifest) and form == _FORMAT else None
    entries: dict[str, _Entry] = {}
    for name, entry in files.items() if is_object(files) else ():
        match entry:
            case {"size": int(size), "sha256": str(sha256)} if name == FILE_NAME or _NAME.fullmatch(name):
                entries[name] = _Entry(size, sha256)
            case _other:
                raise BackupUnusable(_("The backup is damaged, or is no backup."))
    if FILE_NAME not in entries:
        raise BackupUnusable(_("The backup is damaged, or is no backup."))
    return entries


def _copy(source: IO[bytes], out: BinaryIO, entry: _Entry) -> Iterator[int]:
    """Copy a file, and compare it with its entry; yields how much is copied."""
    digest, left = hashlib.sha256(), entry.size
    while chunk := source.read(CHUNK_SIZE):
        left -= len(chunk)
        if left < 0:
            break
        digest.update(chunk)
        out.write(chunk)
        yield entry.size - left
    if left or digest.hexdigest() != entry.sha256:
        raise BackupUnusable(_("The backup is damaged: a file in it is not the one that was saved."))


def _opened(folder: Path) -> Database:
    """The unpacked database, updated to this version of the program.

    Raises:
        BackupUnusable: it is damaged, or was written by a newer version.
    """
    try:
        database = open_database(folder, may_be_new=False)
    except DatabaseUnusable as error:
        text = _("The database in the backup cannot be used: {reason}")
        reason = str(error).replace(str(folder / FILE_NAME), FILE_NAME)
        raise BackupUnusable(text.format(reason=reason)) from error
    if not database.is_sound():
        database.close()
        raise BackupUnusable(_("The database in the backup is damaged."))
    return database
