"""Folders and selections of media files as tables: a row for each picture, recording or video.

Only headers of files are read. Files that are hidden or of another type, and links that lead out of the
folder, are left out and counted.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.json_values import Json, is_valid_unicode
from batchwright.base.local_formats import joined, quoted
from batchwright.base.local_media import (
    PICTURES,
    RECORDINGS,
    VIDEOS,
    MediaFolder,
    entries_below,
    find_file,
    is_medium,
    media_type,
    path_in_address,
)
from batchwright.data_files.picture_sizes import read_picture_size
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.sources.source import Row, SourceChoice, SourceOptions, SourceTable

MAX_ENTRIES = 1_000_000
"""Files and folders that are looked at."""

_KINDS = {
    "picture": (PICTURES, N_("Pictures")),
    "recording": (RECORDINGS, N_("Recordings")),
    "video": (VIDEOS, N_("Videos")),
}
"""The kinds of media: extensions and title. The column with the address has their name."""
_DIGITS = re.compile(r"(\d+)")
_HIDDEN_FILES = frozenset({"thumbs.db", "desktop.ini"})
_MAX_NAMED = 3


@dataclass
class _Found:
    """The media files below a folder, by path with slashes, and how many others were left out."""

    files: list[str] = field(default_factory=list)
    hidden: int = 0
    others: int = 0
    outside: int = 0
    """Links that lead out of the folder, or to nothing."""
    folders: int = 0
    is_cut: bool = False
    """Whether there are more than `MAX_ENTRIES`."""


@contextmanager
def open_table(path: Path, options: SourceOptions) -> Iterator[SourceTable]:
    """Open the table of a folder, or of the files chosen in it (`options.files`).

    Raises:
        UnreadableFile: it contains no media.
        OSError: it cannot be read.
    """
    folder = path.resolve()
    chosen = options.files.splitlines()
    found = _found(folder, options)
    kind, by_kind = _by_kind(found, options)
    files = sorted(by_kind[kind], key=_natural_order)
    if not files:
        raise UnreadableFile(
            _("“{name}” contains no pictures, recordings or videos.").format(name=path.name),
            _("Choose a folder with files such as {examples}.").format(examples="PNG, JPEG, MP3, MP4"),
        )
    base = options.base_address or MediaFolder(folder, tuple(chosen)).base_address
    columns: tuple[str, ...] = ("file_name", kind, "size", "media_type")
    if kind == "picture":
        columns += ("width", "height")
    notes = list(_notes(found, by_kind, kind))
    table = SourceTable(columns, iter(()), tuple(_choices(options, found, by_kind, kind)), notes, len(files))
    table.rows = _rows(folder, files, kind, base, table.notes)
    yield table


def listed_files(folder: Path, options: SourceOptions) -> list[str]:
    """The files that have a row in the table of a folder, as paths with slashes.

    Raises:
        OSError: it cannot be read.
    """
    kind, by_kind = _by_kind(_found(folder, options), options)
    return by_kind[kind]


def select_files(paths: Sequence[Path]) -> tuple[Path, SourceOptions]:
    """The folder that contains all of some files, and the options for reading only these.

    Raises:
        UnreadableFile: they are on different drives.
        OSError: one of them cannot be accessed.
    """
    resolved = [path.resolve() for path in paths]
    try:
        folder = Path(os.path.commonpath([path.parent for path in resolved]))
    except ValueError:
        raise UnreadableFile(
            _("The files are on different drives."), _("Copy them to one folder first.")
        ) from None
    names = sorted(path.relative_to(folder).as_posix() for path in resolved)
    return folder, SourceOptions(files="\n".join(names))


def _found(folder: Path, options: SourceOptions) -> _Found:
    chosen = options.files.splitlines()
    return _chosen(folder, chosen) if chosen else _below(folder, deep=options.subfolders != 0)


def _by_kind(found: _Found, options: SourceOptions) -> tuple[str, dict[str, list[str]]]:
    """The kind of media of the table, and the files of each kind."""
    by_kind = {kind: [name for name in found.files if _is_of(name, kind)] for kind in _KINDS}
    most = max(by_kind, key=lambda kind: len(by_kind[kind]))
    return options.medium if by_kind.get(options.medium) else most, by_kind


def _below(folder: Path, *, deep: bool) -> _Found:
    found = _Found()
    for number, entry in enumerate(entries_below(folder, deep=deep)):
        if number == MAX_ENTRIES:
            found.is_cut = True
            break
        _add(found, folder, entry)
    return found


def _add(found: _Found, folder: Path, entry: "os.DirEntry[str]") -> None:
    if entry.name.startswith(".") or entry.name.lower() in _HIDDEN_FILES:
        found.hidden += 1
    elif entry.is_dir(follow_symlinks=False):
        found.folders += 1
    elif not is_medium(entry.name) or not is_valid_unicode(entry.path):
        found.others += 1
    else:
        path = Path(entry.path).relative_to(folder).as_posix()
        if entry.is_symlink() and find_file(folder, path) is None:
            found.outside += 1
        else:
            found.files.append(path)


def _chosen(folder: Path, files: Sequence[str]) -> _Found:
    found = _Found()
    for path in files:
        if find_file(folder, path) is not None:
            found.files.append(path)
        else:
            found.others += 1
    return found


def _is_of(name: str, kind: str) -> bool:
    return PurePosixPath(name).suffix.lower() in _KINDS[kind][0]


def _natural_order(path: str) -> list[tuple[bool, int, str]]:
    """The order in which people expect names: numbers by their value, letters without their case."""
    parts = _DIGITS.split(path.casefold())
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]


def _rows(folder: Path, files: Sequence[str], kind: str, base: str, notes: list[str]) -> Iterator[Row]:
    damaged: list[str] = []
    for number, name in enumerate(files, 1):
        path = folder / name
        address = base + path_in_address(name)
        cells: list[Json] = [name, address, path.stat().st_size, media_type(name)]
        if kind == "picture":
            size = read_picture_size(path)
            cells += [size.width, size.height] if size else [None, None]
            if size is None and not name.lower().endswith(".avif"):
                damaged.append(name)
        yield number, cells
    if damaged:
        text = ngettext(
            "{count} file is damaged or no picture: {names}.",
            "{count} files are damaged or no pictures: {names}.",
            len(damaged),
        )
        notes.append(text.format(count=len(damaged), names=joined(map(quoted, damaged), _MAX_NAMED)))


def _choices(
    options: SourceOptions, found: _Found, by_kind: dict[str, list[str]], kind: str
) -> Iterator[SourceChoice]:
    kinds = [(name, title) for name, (_extensions, title) in _KINDS.items() if by_kind[name]]
    yield SourceChoice("medium", _("Media"), tuple((name, _(title)) for name, title in kinds), kind)
    if not options.files and (found.folders or not options.subfolders):
        values = ((1, _("With subfolders")), (0, _("Without subfolders")))
        yield SourceChoice("subfolders", _("Subfolders"), values, 1 if options.subfolders else 0)


def _notes(found: _Found, by_kind: dict[str, list[str]], kind: str) -> Iterator[str]:
    other_media = sum(len(files) for name, files in by_kind.items() if name != kind)
    for count, text in (
        (
            other_media,
            ngettext(
                "{count} file of another medium is left out.",
                "{count} files of other media are left out.",
                other_media,
            ),
        ),
        (
            found.others,
            ngettext(
                "{count} file is no medium and is left out.",
                "{count} files are no media and are left out.",
                found.others,
            ),
        ),
        (
            found.hidden,
            ngettext("{count} hidden file is left out.", "{count} hidden files are left out.", found.hidden),
        ),
        (
            found.outside,
            ngettext(
                "{count} link leads out of the folder and is left out.",
                "{count} links lead out of the folder and are left out.",
                found.outside,
            ),
        ),
    ):
        if count:
            yield text.format(count=count)
    if found.is_cut:
        yield _("The folder has more files than can be read; the others are left out.")
