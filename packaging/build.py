"""Builds the program and its installers for the system it runs on: `python3 packaging/build.py`.

Needs Python 3.12 or newer, which is looked for if this one is older, and what packaging/README.md lists. The
results are in `dist`: installers, wheel, source archive, bill of materials and checksums. At last they are
installed in clean places, started, tested and uninstalled.

--update-url URL   the https address of the news about versions, also BATCHWRIGHT_UPDATE_URL
--update-key KEY   the public key of minisign with which that is signed, or its file, also
                   BATCHWRIGHT_UPDATE_KEY; without both, the program does not check for updates
--program-only     builds the folder of the program, build/program/batchwright, and tests it
--no-start-times   does not measure the start of the program
--if-possible      does nothing without Python 3.12
"""

import argparse
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import analysis_check
import build_environment
import distribution_check
import linux_check
import linux_packages
import mac_packages
import system
import windows_packages
from project import (
    BUILD,
    BUILD_SETTINGS,
    DIST,
    ICONS,
    ROOT,
    SAMPLE,
    VERSION,
    commit,
    new_folder,
    reproducible_environment,
)

PROGRAM = BUILD / "program" / "batchwright"
SUFFIX = ".exe" if os.name == "nt" else ""
START_TIMES = "batchwright-start-times"
BILL_OF_MATERIALS = f"batchwright-{VERSION}.cdx.json"

SHELL_LIMIT = 3
"""The shell is painted within this many times the time of an empty window."""
HOME_LIMIT_S = 1.5
_MEASUREMENTS = 7
STATES = {
    "empty": "Empty window",
    "shell": "Painted shell",
    "home": "Home ready",
    "analysis": "Libraries of the analysis loaded",
}
"""The states of the program whose time is measured; the arguments of `start_times.py`."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--update-url", default=os.environ.get("BATCHWRIGHT_UPDATE_URL", ""))
    parser.add_argument("--update-key", default=os.environ.get("BATCHWRIGHT_UPDATE_KEY", ""))
    parser.add_argument("--program-only", action="store_true")
    parser.add_argument("--no-start-times", action="store_true")
    parser.add_argument("--if-possible", action="store_true")
    options = parser.parse_args()
    try:
        news = update_settings(options.update_url, options.update_key)
    except ValueError as error:
        parser.error(str(error))
    python = build_environment.find_python()
    if python is None:
        print("Released programs need Python 3.12 or newer, with its shared library.")
        return 0 if options.if_possible else 1
    system.provide("build")
    build_environment.create(python)
    new_folder(DIST)
    build_program(news)
    if not options.no_start_times:
        report_start_times()
    finish_program()
    check_itself(program_file("batchwright-cli"))
    if not options.program_only:
        build_distributions()
        distribution_check.check_distributions()
        created = create_installers()
        write_checksums()
        if platform.system() == "Linux":
            linux_check.check_packages(created)
    return subprocess.run([build_environment.PYTHON, "packaging/sizes.py", PROGRAM], cwd=ROOT).returncode


def update_settings(url: str, key: str) -> dict[str, str]:
    """What the program must know to check for updates; nothing if neither is given. A key can be a file.

    Raises:
        ValueError: only one of them is given, or one is not valid.
    """
    if key and Path(key).is_file():
        key = Path(key).read_text(encoding="utf-8").splitlines()[-1]
    if bool(url) != bool(key):
        raise ValueError("--update-url and --update-key belong together.")
    if url and not url.startswith("https://"):
        raise ValueError("--update-url must be an https URL.")
    if key and not re.fullmatch(r"RW[A-Za-z0-9+/]{54}", key.strip()):
        raise ValueError("--update-key must be a public key of minisign, or its file.")
    return {"update_url": url, "update_key": key.strip()} if key else {}


def build_program(news: dict[str, str]) -> None:
    """Create the folder of the program with PyInstaller; `news` is from `update_settings`."""
    python = build_environment.PYTHON
    subprocess.run([python, "packaging/app_icon.py", ICONS], cwd=ROOT, check=True)
    settings = {"commit": commit(), **news}
    BUILD_SETTINGS.write_text(json.dumps(settings), encoding="utf-8")
    new_folder(PROGRAM.parent)
    command: list[str | Path] = [python, "-m", "PyInstaller", "packaging/batchwright.spec", "--noconfirm"]
    command += ["--clean", "--log-level", "ERROR", "--distpath", PROGRAM.parent, "--workpath", BUILD / "work"]
    subprocess.run(command, cwd=ROOT, check=True, env=reproducible_environment())


def program_file(name: str) -> Path:
    return PROGRAM / f"{name}{SUFFIX}"


def report_start_times() -> None:
    """Measure the start of the program."""
    measure = program_file(START_TIMES)
    profile = new_folder(BUILD / "profile")
    times = {kind: start_times(measure, kind, profile) for kind in STATES}
    for kind, (by_clock, computing) in times.items():
        print(f"{STATES[kind]}: {by_clock:.2f} s by the clock, {computing:.2f} s of computing.", flush=True)
    if times["shell"][0] > SHELL_LIMIT * times["empty"][0] or times["home"][0] > HOME_LIMIT_S:
        print("The program starts too slowly, or this computer is busy.", file=sys.stderr)


def start_times(measure: Path, kind: str, profile: Path) -> tuple[float, float]:
    """The fewest seconds until a process reports, by the clock and of the CPU.

    The fastest of several starts is the one that waited least for other programs of this computer.
    """
    clock, computing = [], []
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    for _time in range(_MEASUREMENTS):
        before = time.monotonic()
        shown = subprocess.run(
            [measure, kind, profile], env=environment, capture_output=True, text=True, check=True
        )
        at, computed = map(float, shown.stdout.split())
        clock.append(at - before)
        computing.append(computed)
    return min(clock), min(computing)


def finish_program() -> None:
    """Remove what is for measurements only; add the program's second name, licences, bill of materials."""
    program_file(START_TIMES).unlink()
    if os.name != "nt":
        program_file("batchwright-cli").symlink_to("batchwright")
    script = ROOT / "packaging" / "bill_of_materials.py"
    command: list[str | Path] = [build_environment.PYTHON, script, PROGRAM, DIST / BILL_OF_MATERIALS]
    subprocess.run(command, cwd=ROOT, check=True, env=reproducible_environment())


def build_distributions() -> None:
    """Create the wheel and the source archive."""
    command: list[str | Path] = [build_environment.PYTHON, "-m", "hatchling", "build", "--directory", DIST]
    environment = reproducible_environment()
    subprocess.run(command, cwd=ROOT, check=True, env=environment, stdout=subprocess.DEVNULL)


def create_installers() -> list[Path]:
    """Create the installers of this system."""
    match platform.system():
        case "Linux":
            return linux_packages.create_packages(PROGRAM, DIST)
        case "Darwin":
            return [mac_packages.create_image(PROGRAM, DIST)]
        case "Windows":
            return windows_packages.create_packages(PROGRAM, DIST)
        case other:
            raise SystemExit(f"There are no installers for {other}.")


def check_itself(program: Path) -> None:
    """Let the program test itself, rehearse the sample study, and analyse its answers."""
    subprocess.run([program, "--version"], check=True)
    subprocess.run([program, "self-test"], check=True)
    rehearse: list[str | Path] = [program, "rehearse", "--layout", SAMPLE / "layout.json"]
    rehearse += [
        "--schema",
        SAMPLE / "schema.json",
        "--data",
        SAMPLE / "records.csv",
        "--participants",
        "4",
        "--tasks-per-group",
        "5",
    ]
    subprocess.run([*rehearse, "--out", BUILD / "rehearsal"], check=True)
    analyse: list[str | Path] = [program, "analyse", BUILD / "rehearsal" / "export.zip"]
    analyse += ["--layout", SAMPLE / "layout.json", "--out", BUILD / "analysis"]
    subprocess.run(analyse, check=True)
    analysis_check.check_files(BUILD / "analysis")


def write_checksums() -> None:
    """Write the SHA-256 sums of all results, in the format of `sha256sum`."""
    files = sorted(path for path in DIST.iterdir() if path.is_file())
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (DIST / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
