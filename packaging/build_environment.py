"""The Python and the packages that the program is built with, separate from those for development."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from project import BUILD, ROOT, pip_install

OLDEST = (3, 12)
"""With Python 3.11, some errors inside the window end the program instead of being shown."""
NEWEST = (3, 15)

VENV = BUILD / "venv"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")
LOCK = ROOT / "packaging" / "build.lock"

_DESCRIBE = (
    "import sys, sysconfig; print(*sys.version_info[:2], sysconfig.get_config_var('Py_ENABLE_SHARED'))"
)


def find_python() -> Path | None:
    """Return a Python that released programs can be built with: this one, or another one of this computer."""
    return next((path for path in _pythons() if is_suitable(path)), None)


def _pythons() -> Iterator[Path]:
    yield Path(sys.executable)
    versions = [f"{major}.{minor}" for major, minor in _versions()]
    for version in versions:
        if found := shutil.which(f"python{version}"):
            yield Path(found)
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in versions:
        yield from sorted(pyenv.glob(f"{version}.*/bin/python"))


def _versions() -> Iterator[tuple[int, int]]:
    return ((3, minor) for minor in range(OLDEST[1], NEWEST[1] + 1))


def is_suitable(python: Path) -> bool:
    """Whether a Python is new enough, and has the shared library that PyInstaller needs."""
    try:
        shown = subprocess.run([python, "-c", _DESCRIBE], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return False
    if shown.returncode:
        return False
    major, minor, shared = shown.stdout.split()
    has_library = shared == "1" or not sys.platform.startswith("linux")
    return OLDEST <= (int(major), int(minor)) <= NEWEST and has_library


def create(python: Path) -> None:
    """Create the environment from the lock file, unless it is up to date, and install the program into it."""
    stamp = VENV / "batchwright-build.txt"
    expected = f"{python}\n{hashlib.sha256(LOCK.read_bytes()).hexdigest()}\n"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != expected:
        print(f"Setting up {VENV} with {LOCK.name} ...", flush=True)
        shutil.rmtree(VENV, ignore_errors=True)
        subprocess.run([python, "-m", "venv", VENV], check=True)
        pip_install(PYTHON, "--require-hashes", "-r", str(LOCK))
        stamp.write_text(expected, encoding="utf-8")
    pip_install(PYTHON, "--no-deps", "--no-build-isolation", "--force-reinstall", str(ROOT))
