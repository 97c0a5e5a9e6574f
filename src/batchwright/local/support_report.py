"""The support report: versions, settings and log of this computer as texts in a zip file.

It contains no token, answer, record, signed URL, or user name in a path. The log never contains the first
four (`base.logging`); here, known secrets and the queries of URLs are removed once more, and user names are
replaced in paths.
"""

import getpass
import io
import os
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from batchwright.base.i18n import _
from batchwright.base.logging import without_secrets

_LONGEST_LOG = 128 * 1024
"""Bytes from the end of each log file: its latest lines."""
_MAX_LOGS = 8
_USER: Final = "USER"
_SHORTEST_NAME = 2
_SYSTEM_FOLDERS: Final = {"home", "media", "mnt", "opt", "root", "srv", "tmp", "users", "usr", "var"}
"""Names of folders of every computer. As the name of a user or a home folder, they identify nobody."""
_HOME_OF_ANYONE = re.compile(
    r"((?:/home|/Users|[A-Za-z]:[\\/]+Users)[\\/]+)"  # the folder of all home folders
    r"(?:[^\\/\r\n\"'<>|:*?]+(?=[\\/])|[^\\/\s\"'<>|:*?,;)]+)"  # a name; a space only if not the last
)
_NO_SPACE = re.compile(r"[^\s\"'<>|]+")


@dataclass(frozen=True)
class ReportFile:
    """A text file of the report."""

    name: str
    text: str


def collect_report(
    versions: Mapping[str, str], settings: Mapping[str, str], logs: Path
) -> tuple[ReportFile, ...]:
    """The files of the report: versions, settings, and the latest lines of each log file.

    Reads files, so call it in a thread. A log file that cannot be read is represented by its error.

    Args:
        versions: the versions by name.
        settings: the settings by name, without paths.
        logs: the folder of the log files.
    """
    return (
        ReportFile("versions.txt", _table(versions)),
        ReportFile("settings.txt", _table(settings)),
        *(ReportFile(f"log/{path.name}", redacted(_end_of(path))) for path in _newest(logs)),
    )


def zip_content(files: Iterable[ReportFile]) -> bytes:
    """A zip file with the files of a report."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.writestr(file.name, file.text)
    return content.getvalue()


def redacted(text: str) -> str:
    """A text without known secrets, the queries of URLs, and user names in paths."""
    text = without_secrets(text)
    for home in _homes():
        for written in _spellings(home):
            text = re.sub(rf"{re.escape(written)}(?![\w.-])", "~", text)
    text = _HOME_OF_ANYONE.sub(rf"\1{_USER}", text)
    for name in sorted(_user_names(), key=len, reverse=True):
        text = _without_user(text, re.escape(name))
    return text


def _without_user(text: str, name: str) -> str:
    """A text in which the name of a user, a regular expression, is replaced in paths."""
    folder = re.compile(rf"(?<=[\\/]){name}(?=[\\/])", re.IGNORECASE)  # also a name with a space
    word = re.compile(rf"(?<![^\W_]){name}(?![^\W_])", re.IGNORECASE)

    def without_user(match: re.Match[str]) -> str:
        is_path = "/" in match.group() or "\\" in match.group()
        return word.sub(_USER, match.group()) if is_path else match.group()

    return _NO_SPACE.sub(without_user, folder.sub(_USER, text))


def _homes() -> tuple[Path, Path]:
    """The home folder, and where it really is if it is a link."""
    return Path.home(), Path(os.path.realpath(Path.home()))


def _spellings(folder: Path) -> Iterator[str]:
    """Yield how a folder is written in texts: as it is, in a URL, and in the `repr` of a string."""
    written = str(folder)
    if folder.parent != folder:
        yield from {written, folder.as_posix(), folder.as_uri().removeprefix("file://"), repr(written)[1:-1]}


def _user_names() -> set[str]:
    """The names under which the user can occur in paths."""
    variables = ("USER", "LOGNAME", "USERNAME")
    names = {home.name for home in _homes()} | {os.environ.get(name, "") for name in variables}
    with suppress(OSError, ImportError, KeyError):  # a user without an entry in the system's list
        names.add(getpass.getuser())
    return {name for name in names if len(name) >= _SHORTEST_NAME and name.lower() not in _SYSTEM_FOLDERS}


def _newest(logs: Path) -> list[Path]:
    """The log files that were written last."""
    try:
        paths = [path for path in logs.iterdir() if ".log" in path.suffixes and path.is_file()]
        return sorted(sorted(paths, key=lambda path: path.stat().st_mtime, reverse=True)[:_MAX_LOGS])
    except OSError:
        return []


def _end_of(path: Path) -> str:
    """The last lines of a log file, without a part of a line."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            start = max(0, size - _LONGEST_LOG)
            file.seek(start)
            content = file.read()
    except OSError as error:
        return _("This file cannot be read: {reason}").format(reason=error.strerror or type(error).__name__)
    if start:
        content = content.partition(b"\n")[2]
    return content.decode(errors="replace")


def _table(values: Mapping[str, str]) -> str:
    return "".join(f"{name}: {redacted(value)}\n" for name, value in values.items())
