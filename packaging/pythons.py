"""Finds a Python on this computer: the one that runs the script, or a newer one."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

RECOMMENDED = (3, 12)
"""PySide 6.12 and later need it."""
NEWEST = (3, 15)

_DESCRIBE = (
    "import ensurepip, sys, sysconfig, venv;"
    "print(*sys.version_info[:2], sysconfig.get_config_var('Py_ENABLE_SHARED'))"
)


@dataclass(frozen=True)
class Python:
    """A Python that can create environments: its program and version, and whether it has a shared library."""

    path: Path
    version: tuple[int, int]
    is_shared: bool


def recommended_pythons() -> Iterator[Python]:
    """Yield this Python and others of this computer, from `RECOMMENDED` to `NEWEST`, this one first."""
    found = (describe(path) for path in _paths())
    return (python for python in found if python and RECOMMENDED <= python.version <= NEWEST)


def describe(path: Path) -> Python | None:
    """What a Python says about itself; None if it does not run, or cannot create environments."""
    try:
        shown = subprocess.run([path, "-c", _DESCRIBE], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if shown.returncode:
        return None
    major, minor, shared = shown.stdout.split()
    return Python(path, (int(major), int(minor)), shared == "1")


def _paths() -> Iterator[Path]:
    yield Path(sys.executable)
    versions = [f"3.{minor}" for minor in range(RECOMMENDED[1], NEWEST[1] + 1)]
    for version in versions:
        if found := shutil.which(f"python{version}"):
            yield Path(found)
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in versions:
        yield from sorted(pyenv.glob(f"{version}.*/bin/python"))
