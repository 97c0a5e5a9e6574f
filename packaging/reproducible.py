"""Builds the program twice from this commit and compares: `python3 packaging/reproducible.py`.

The folder of the program, wheel, source archive, bill of materials and installers are compared file by file;
those that differ are listed. Exit code 0 if there are none. `reproducible.py A B` compares two folders that
exist already.
"""

import filecmp
import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import build
import build_environment
from project import BUILD, DIST, new_folder


def different_files(a: Path, b: Path) -> list[str]:
    """The paths that differ in content, permissions or link target, or exist in one folder only."""
    names = {path.relative_to(folder).as_posix() for folder in (a, b) for path in folder.rglob("*")}
    return sorted(name for name in names if not is_same(a / name, b / name))


def is_same(a: Path, b: Path) -> bool:
    if a.is_symlink() or b.is_symlink():
        return a.is_symlink() and b.is_symlink() and a.readlink() == b.readlink()
    if a.is_dir() and b.is_dir():
        return True
    if not (a.is_file() and b.is_file()) or a.stat().st_mode != b.stat().st_mode:
        return False
    return filecmp.cmp(a, b, shallow=False)


def build_once(target: Path) -> None:
    """Build into a folder; caches of an earlier build are not used."""
    shutil.rmtree(BUILD / "work", ignore_errors=True)
    os.environ["PYINSTALLER_CONFIG_DIR"] = str(new_folder(BUILD / "pyinstaller"))
    new_folder(DIST)
    build.build_program(news={})
    build.finish_program()
    build.build_distributions()
    build.create_installers()
    build.write_checksums()
    new_folder(target)
    shutil.copytree(build.PROGRAM, target / "program", symlinks=True)
    shutil.copytree(DIST, target / "dist")


def main(folders: list[Path]) -> int:
    if not folders:
        python = build_environment.find_python()
        if python is None:
            raise SystemExit("This needs Python 3.12 or newer, as build.py does.")
        build_environment.create(python)
        folders = [BUILD / "first", BUILD / "second"]
        for folder in folders:
            build_once(folder)
    differences = different_files(*folders)
    print("\n".join(["Different files:", *(differences or ["  none"])]))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main([Path(argument) for argument in sys.argv[1:]]))
