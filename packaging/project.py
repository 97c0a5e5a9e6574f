"""What the scripts know about the project: version, time of the commit, folders, how to install packages."""

import os
import shutil
import subprocess
import time
import tomllib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
DIST = ROOT / "dist"
ICONS = BUILD / "icons"
SAMPLE = ROOT / "resources" / "samples" / "preference"
BUILD_SETTINGS = BUILD / "build.json"
"""What the built program knows about its build; see `batchwright.base.program_info`."""
COMMIT_LENGTH = 12
VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def source_time() -> int:
    """The time that files in packages have, in seconds: SOURCE_DATE_EPOCH, or the time of the commit.

    Without a repository, it is now.
    """
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    return int(_of_commit("%ct") or time.time())


def commit() -> str:
    """The commit that is built: BATCHWRIGHT_COMMIT, or that of the repository; empty without one."""
    return (os.environ.get("BATCHWRIGHT_COMMIT") or _of_commit("%H"))[:COMMIT_LENGTH]


@cache
def _of_commit(field: str) -> str:
    if not shutil.which("git"):
        return ""
    command = ["git", "log", "-1", f"--format={field}"]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return shown.stdout.strip() if shown.returncode == 0 else ""


def reproducible_environment() -> dict[str, str]:
    """The environment for tools that write times or sort by hashes."""
    return {**os.environ, "SOURCE_DATE_EPOCH": str(source_time()), "PYTHONHASHSEED": "0", "TZ": "UTC"}


def pip_install(python: Path, *packages: str) -> None:
    """Install packages with the pip of an environment.

    Raises:
        CalledProcessError: pip failed; it has printed why.
    """
    command: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command.append("--no-compile")  # Python compiles what it imports; that is a small part
    subprocess.run([*command, *packages], cwd=ROOT, check=True)


def new_folder(path: Path) -> Path:
    """Create an empty folder, in place of an existing one."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path
