"""Version, commit, libraries and licences of this copy of the program.

A build writes `build.json` into the bundled files: `{"commit": "…", "update_url": "https://…",
"update_key": "…"}`. A checkout has none, and git is asked for the commit.

A built program has a folder `licences` with the licences of everything bundled, and `components.json` lists
them. Other copies read the metadata of the installed libraries.
"""

import json
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.base.json_values import InvalidJson, is_object, parse
from batchwright.base.local_formats import joined
from batchwright.base.resources import resource
from batchwright.base.urls import is_https_url

_BUILD_FILE = "build.json"
_COMMIT_LENGTH = 12
_GIT_TIMEOUT_S = 5.0
_LONGEST_KIND = 60
"""Longer statements are texts of licences."""
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_EXTRAS = re.compile(r"\[([^\]]*)\]")
_LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice)", re.IGNORECASE)


@dataclass(frozen=True)
class UpdateSource:
    """Where the news about the latest version is."""

    url: str
    """An https URL; `.minisig` is added for the signature."""
    key: str
    """The public key of minisign with which the news is signed, as in the second line of its file."""


@dataclass(frozen=True)
class Licence:
    """The licence of the program or of a part of it; `text` is empty if the part does not include it."""

    name: str
    version: str
    kind: str
    text: str


def program_version() -> str:
    """The version of the program."""
    return version("batchwright")


@cache
def commit() -> str:
    """The commit that this copy was made from; empty if it is unknown. Takes some milliseconds."""
    return _build_value("commit") or _commit_of_checkout()


def update_source() -> UpdateSource | None:
    """Where this copy looks for a newer version; None if it was built without https URL or key."""
    source = UpdateSource(_build_value("update_url"), _build_value("update_key"))
    return source if is_https_url(source.url) and source.key else None


def versions() -> dict[str, str]:
    """The versions of the program, of Python, of the system and of all libraries, by name."""
    return {
        "Batchwright": program_version(),
        "Commit": commit(),
        "Python": platform.python_version(),
        "System": f"{platform.system()} {platform.release()} ({platform.machine()})",
        **(
            {part.name: part.version for part in _bundled_licences()}
            or {name: part.version for name, part in sorted(_libraries().items())}
        ),
    }


def licences() -> list[Licence]:
    """The licences of the program and of everything it includes. Reads about a hundred files."""
    return _bundled_licences() or _installed_licences()


def _bundled_licences() -> list[Licence]:
    """The licences of a built program and of what it includes; empty for other copies."""
    program = Path(sys.executable).parent
    folder = program.parent / "Resources" / "licences" if sys.platform == "darwin" else program / "licences"
    components = folder / "components.json"
    if not components.is_file():
        return []
    return [
        Licence(
            component["name"],
            component["version"],
            component["licence"],
            _texts(folder / file for file in component["files"]),
        )
        for component in json.loads(components.read_bytes())
    ]


def _installed_licences() -> list[Licence]:
    """The licences of the program, of its fonts and icons, and of the installed libraries."""
    return [
        Licence("Batchwright", program_version(), "MIT", _licence_text(distribution("batchwright"))),
        Licence("Inter", "4", "OFL-1.1", _resource_text("fonts", "OFL.txt")),
        Licence("Phosphor Icons", "2", "MIT", _resource_text("icons", "LICENSE.txt")),
        *(
            Licence(name, part.version, _kind(part), _licence_text(part))
            for name, part in sorted(_libraries().items(), key=lambda entry: entry[0].casefold())
        ),
    ]


@cache
def _build_value(key: str) -> str:
    try:
        build = parse(resource(_BUILD_FILE).read_bytes())
    except (OSError, InvalidJson):
        return ""
    value = build.get(key) if is_object(build) else None
    return value if isinstance(value, str) else ""


def _commit_of_checkout() -> str:
    git, checkout = shutil.which("git"), Path(__file__).resolve().parents[3]
    if git is None or not (checkout / ".git").exists():
        return ""
    command = [git, "-C", str(checkout), "rev-parse", f"--short={_COMMIT_LENGTH}", "HEAD"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=_GIT_TIMEOUT_S, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ""
    return result.stdout.strip()


@cache
def _libraries() -> dict[str, Distribution]:
    """The libraries that the program needs, directly or indirectly, by name.

    Those whose metadata is not installed are omitted.
    """
    found: dict[str, Distribution] = {}
    visited: set[tuple[str, str]] = set()
    waiting = [("batchwright", "")]
    while waiting:
        name, extra = waiting.pop()
        if (name.casefold(), extra) in visited:
            continue
        visited.add((name.casefold(), extra))
        try:
            part = distribution(name)
        except PackageNotFoundError:
            continue
        found[part.name] = part
        waiting += _requirements(part, extra)
    found.pop("batchwright", None)
    return found


def _requirements(part: Distribution, extra: str) -> Iterator[tuple[str, str]]:
    """Yield what a library requires with an extra, or without one if `extra` is empty: names and extras."""
    for requirement in part.requires or ():
        named, _semicolon, marker = requirement.partition(";")
        if ("extra" in marker) != bool(extra) or (extra and f"'{extra}'" not in marker.replace('"', "'")):
            continue
        match = _NAME.match(named)
        if match is not None:
            yield match.group(), ""
            extras = _EXTRAS.search(named)
            for other in extras.group(1).split(",") if extras is not None else ():
                yield match.group(), other.strip()


def _kind(part: Distribution) -> str:
    """The licence in one line, as the library states it."""
    stated = next(
        (line for key in ("License-Expression", "License") for line in part.metadata.get_all(key) or ()), ""
    )
    classifiers = part.metadata.get_all("Classifier") or ()
    classified = [line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License ::")]
    first = next(iter(stated.strip().splitlines()), "")
    is_short = 0 < len(first) <= _LONGEST_KIND and first != "UNKNOWN"
    return first if is_short else joined(classified) or _("see the text")


def _licence_text(part: Distribution) -> str:
    paths = sorted(
        (path for path in part.files or () if ".dist-info" in str(path) and _LICENCE_FILE.search(path.name)),
        key=str,
    )
    return _texts(Path(str(path.locate())) for path in paths)


def _texts(paths: Iterable[Path]) -> str:
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in paths if path.is_file())
    return "\n\n".join(texts)


def _resource_text(*parts: str) -> str:
    try:
        return resource(*parts).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
