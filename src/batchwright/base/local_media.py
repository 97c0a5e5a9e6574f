"""Media files on this computer, and the addresses that stand for them until they are on the web.

A record needs an https address for a picture, and the files of a folder have none yet. Until they are on the
web, records refer to them below a reserved domain that never resolves (RFC 2606), so that no request is sent
to anyone. The window and the service on this computer show the files instead; a hosted service is not sent
such records.
"""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote

LOCAL_MEDIA = "https://files.batchwright.invalid/"
"""The base URL of media files on this computer, followed by the id of their folder."""

_PICTURE_TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".svg": "image/svg+xml",
    ".avif": "image/avif",
}
_RECORDING_TYPES = {".mp3": "audio/mpeg", ".m4a": "audio/mp4", ".aac": "audio/aac", ".wav": "audio/wav"}
_VIDEO_TYPES = {".mp4": "video/mp4", ".webm": "video/webm", ".mov": "video/quicktime"}
_TYPES = {**_PICTURE_TYPES, **_RECORDING_TYPES, **_VIDEO_TYPES}

PICTURES, RECORDINGS, VIDEOS = tuple(_PICTURE_TYPES), tuple(_RECORDING_TYPES), tuple(_VIDEO_TYPES)
"""The extensions of files that are media, in lower case."""


@dataclass(frozen=True)
class MediaFolder:
    """A folder with media, or some files in it, as paths with slashes; without any, all files are meant."""

    folder: Path
    files: tuple[str, ...] = ()

    @cached_property
    def id(self) -> str:
        """The id of the folder or of the files; the same whenever they are opened.

        Raises:
            OSError: the folder cannot be accessed.
        """
        root = str(self.folder.resolve())
        return hashlib.sha256("\0".join((root, *sorted(self.files))).encode()).hexdigest()[:24]

    @property
    def base_address(self) -> str:
        """The base URL of the files while they are only on this computer.

        Raises:
            OSError: the folder cannot be accessed.
        """
        return f"{LOCAL_MEDIA}{self.id}/"

    def find(self, path: str) -> Path | None:
        """The file at a path with slashes; None if there is none, or if it is not one of the files."""
        return find_file(self.folder, path) if not self.files or path in self.files else None

    def find_address(self, address: str) -> Path | None:
        """The file that a URL below `base_address` stands for; None for other URLs, and if there is none.

        Raises:
            OSError: the folder cannot be accessed.
        """
        if not is_local_medium(address):
            return None
        base = self.base_address
        return self.find(unquote(address.removeprefix(base))) if address.startswith(base) else None


def is_local_medium(address: str) -> bool:
    """Whether a URL stands for a file on a computer that is not on the web yet."""
    return address.startswith(LOCAL_MEDIA)


def media_type(name: str) -> str:
    """The media type of a file by its name, the same on every system; empty if it is no medium."""
    return _TYPES.get(PurePosixPath(name).suffix.lower(), "")


def path_in_address(path: str) -> str:
    """A relative path with slashes as the part of an address."""
    return quote(path, safe="/")


def is_medium(name: str) -> bool:
    """Whether a file is visible and is named like a picture, recording or video."""
    return name.isprintable() and not name.startswith(".") and bool(media_type(name))


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
