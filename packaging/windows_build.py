"""Builds the Windows program and its packages on Debian, under Wine: `python3 packaging/windows_build.py`.

The program is built by PyInstaller for Windows from a copy of the sources in `build/wine/source`, with the
libraries of `build.lock`; it tests itself there. The packages are in its folder `dist`.
"""

import hashlib
import os
import shutil
import sys
from pathlib import Path

import windows_packages
import windows_under_wine
from project import ROOT, commit, new_folder, source_time
from windows_under_wine import BUILT_IN, PYTHON, PYTHON_FOLDER, SITE, WINES_RUNTIME
from wine import WINE, windows_path, wine

SOURCE = WINE / "source"
"""The copy of the sources: what is built for Windows and for Linux is kept apart."""
SOURCES = ("packaging", "resources", "src", "pyproject.toml", "LICENSE", "README.md", "CHANGELOG.md")
PROGRAM = SOURCE / "build" / "program" / "batchwright"
DIST = SOURCE / "dist"
LIBRARIES = {".dll", ".pyd"}


def main() -> None:
    windows_under_wine.provide()
    build_program()
    create_packages()


def build_program() -> None:
    """Build the folder of the program, let it test itself, and check where its libraries are from."""
    copy_sources()
    given = {
        "BATCHWRIGHT_BUILD_PYTHON": windows_path(PYTHON),
        "BATCHWRIGHT_COMMIT": commit(),
        "SOURCE_DATE_EPOCH": str(source_time()),
    }
    script = windows_path(SOURCE / "packaging" / "build.py")
    path = (SITE, SOURCE / "src")
    options = ("--program-only", "--no-start-times")
    if code := wine(PYTHON, script, *options, python_path=path, **given):
        sys.exit(f"The Windows program was not built (exit code {code}).")
    if foreign := foreign_libraries(PROGRAM):
        sys.exit(f"The program has libraries that are no part of it: {', '.join(foreign)}.")


def copy_sources() -> None:
    """Copy what is built, without what Python has compiled."""
    new_folder(SOURCE)
    for name in SOURCES:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, SOURCE / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(path, SOURCE)


def foreign_libraries(program: Path) -> list[str]:
    """The libraries of the program that are, byte by byte, neither in a wheel nor in the archive of Python.

    Those of Wine, and what makes up for something that Wine lacks, would be among them. `python3.dll` is not:
    it is a part of Python that the archive lacks, was made beside it, and only forwards to `python312.dll`.
    """
    known = {digest(path) for folder in (SITE, PYTHON_FOLDER) for path in libraries(folder)}
    return sorted(path.name for path in libraries(program) if digest(path) not in known or is_of_wine(path))


def is_of_wine(path: Path) -> bool:
    """Whether a library is one of Wine, or needs what only Wine's home has."""
    content = path.read_bytes()
    return BUILT_IN in content or WINES_RUNTIME.encode() in content


def libraries(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.suffix.lower() in LIBRARIES]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def create_packages() -> list[Path]:
    """Create the installers and the portable archive; returns their paths."""
    os.environ.setdefault("SOURCE_DATE_EPOCH", str(source_time()))
    return windows_packages.create_packages(PROGRAM, new_folder(DIST), SOURCE / "build" / "icons")


if __name__ == "__main__":
    main()
