"""Media files on this computer, and the addresses that stand for them until they are on the web.

A record needs an https address for a picture, and the files of a folder have none yet. Until they are on the
web, records refer to them below a reserved domain that never resolves (RFC 2606), so that no request is sent
to anyone; such records are not uploaded.
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import quote

LOCAL_MEDIA = "https://files.batchwright.invalid/"
"""The base URL of media files on this computer, followed by the id of their folder."""

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif")
RECORDINGS = (".mp3", ".m4a", ".aac", ".wav")
VIDEOS = (".mp4", ".webm", ".mov")
MEDIA = frozenset({*PICTURES, *RECORDINGS, *VIDEOS})
"""The extensions of files that are media, in lower case."""


def folder_id(folder: Path, files: Sequence[str] = ()) -> str:
    """The id of a folder, or of some files in it; the same whenever it is opened."""
    return hashlib.sha256("\0".join((str(folder), *sorted(files))).encode()).hexdigest()[:24]


def path_in_address(path: str) -> str:
    """A relative path with slashes as the part of an address."""
    return quote(path, safe="/")


def is_medium(name: str) -> bool:
    """Whether a file is visible and is named like a picture, recording or video."""
    return name.isprintable() and not name.startswith(".") and PurePosixPath(name).suffix.lower() in MEDIA


def entries_below(folder: Path, *, deep: bool) -> Iterator["os.DirEntry[str]"]:
    """The entries of a folder and, if `deep`, of those in it; links to folders are not followed.

    Raises:
        OSError: one of the folders cannot be read.
    """
    pending = [str(folder)]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                yield entry
                if deep and not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)


def find_file(folder: Path, path: str) -> Path | None:
    """The media file at a path in a folder; None if there is none, or if the path leads out of the folder.

    Links are followed only to files in the folder.
    """
    *folders, name = path.split("/")
    if not is_medium(name) or not all(map(_is_plain, (*folders, name))):
        return None
    try:
        root = folder.resolve(strict=True)
        found = root.joinpath(*folders, name).resolve(strict=True)
    except (OSError, ValueError):
        return None
    return found if found.is_file() and found.is_relative_to(root) else None


def _is_plain(name: str) -> bool:
    """Whether a name is that of a visible file or folder, on every system."""
    return bool(name) and name.isprintable() and not name.startswith(".") and "\\" not in name
