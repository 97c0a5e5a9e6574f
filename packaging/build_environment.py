"""The Python and the packages that the program is built with, separate from those for development."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from project import BUILD, ROOT, pip_install
from pythons import recommended_pythons

VENV = BUILD / "venv"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
GIVEN = os.environ.get("BATCHWRIGHT_BUILD_PYTHON")
"""The path of a Python with what `build.lock` lists, and the program; without it, one is set up."""
PYTHON = Path(GIVEN) if GIVEN else SCRIPTS / ("python.exe" if os.name == "nt" else "python")
LOCK = ROOT / "packaging" / "build.lock"


def find_python() -> Path | None:
    """A Python to build released programs with; on Linux, PyInstaller needs its shared library."""
    if GIVEN:
        return PYTHON
    is_linux = sys.platform.startswith("linux")
    return next((python.path for python in recommended_pythons() if python.is_shared or not is_linux), None)


def create(python: Path) -> None:
    """Create the environment from the lock file, unless it is up to date, and install the program into it."""
    if GIVEN:
        return
    stamp = VENV / "batchwright-build.txt"
    expected = f"{python}\n{hashlib.sha256(LOCK.read_bytes()).hexdigest()}\n"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != expected:
        print(f"Setting up {VENV} with {LOCK.name} ...", flush=True)
        shutil.rmtree(VENV, ignore_errors=True)
        subprocess.run([python, "-m", "venv", VENV], check=True)
        pip_install(PYTHON, "--require-hashes", "-r", str(LOCK))
        stamp.write_text(expected, encoding="utf-8")
    pip_install(PYTHON, "--no-deps", "--no-build-isolation", "--force-reinstall", str(ROOT))
