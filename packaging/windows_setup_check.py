"""Runs the installer for users, a 32-bit program, under Wine: `python3 packaging/windows_setup_check.py`.

As root on Debian. Wine's 32-bit libraries are in a system of their own, `build/wine-32`, so that this one
gets no packages of another architecture. What is installed there only prints its version: it is the installer
and its exit codes that are checked. `windows_check.py` installs the program itself.
"""

import shutil
import subprocess
from pathlib import Path

import start
import system
import windows_packages
import windows_under_wine
from linux_check import SUITE, run_in
from project import BUILD, ICONS, ROOT, new_folder
from windows_under_wine import COMPILER, PYTHON_FOLDER

SYSTEM = BUILD / "wine-32"
COMPLETE = SYSTEM / "complete"
FOLDER = SYSTEM / "check"
WINDOWS = ROOT / "packaging" / "windows"
PROGRAMS = ("batchwright.exe", "batchwright-cli.exe")
VERSIONS = {"older": "0.0.1", "newer": "0.0.2"}


def main() -> None:
    system.provide("wine")
    system.provide("build")
    windows_under_wine.provide()
    provide_system()
    new_folder(FOLDER)
    subprocess.run([start.PYTHON, "packaging/app_icon.py", ICONS], cwd=ROOT, check=True)
    for name, version in VERSIONS.items():
        create_installer(name, version).rename(FOLDER / f"{name}.exe")
    for script in ("as_plain_user.py", "check-setup.sh"):
        shutil.copy(WINDOWS / script, FOLDER)
    shutil.copytree(PYTHON_FOLDER, FOLDER / "python")
    run_in(SYSTEM, "/check/check-setup.sh")


def provide_system() -> None:
    """Create the system with Wine of 32 and 64 bit, unless it exists."""
    if COMPLETE.exists():
        return
    new_folder(SYSTEM)
    print(f"Creating a Debian system ({SUITE}) with Wine's 32-bit libraries ...", flush=True)
    subprocess.run(["debootstrap", "--variant=minbase", SUITE, SYSTEM], check=True, stdout=subprocess.DEVNULL)
    run_in(
        SYSTEM,
        "dpkg --add-architecture i386 && apt-get update -qq &&"
        " apt-get install -y -qq --no-install-recommends wine wine32:i386 wine64 >/dev/null",
    )
    COMPLETE.touch()


def create_installer(name: str, version: str) -> Path:
    """The installer of a program that prints `name` as its version."""
    program = new_folder(FOLDER / name)
    (program / "_internal").mkdir()
    (program / "_internal" / f"{name}.txt").touch()
    source = WINDOWS / "stand_in.c"
    for executable in PROGRAMS:
        definition = f'-DVERSION="{name.upper()}"'
        subprocess.run([COMPILER, definition, "-o", program / executable, source], check=True)
    return windows_packages.create_installer(program, FOLDER, ICONS, version=version)


if __name__ == "__main__":
    main()
