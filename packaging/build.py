"""Builds the program and its installers for the system it runs on: `python3 packaging/build.py`.

Needs Python 3.12 or newer, which is looked for if this one is older, and what packaging/README.md lists. The
results are in `dist`: installers, wheel, source archive, bill of materials and checksums. At last they are
installed in clean places, started, tested and uninstalled.

--development    also permits Python 3.11; the result must not be distributed
--program-only   builds the folder of the program, build/program/batchwright, and tests it
--if-possible    does nothing without Python 3.12
"""

import argparse
import hashlib
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent))

import build_environment
import distribution_check
import linux_check
import linux_packages
import mac_packages
import sizes
import system
import windows_packages
from project import BUILD, DIST, ICONS, ROOT, SAMPLE, VERSION, new_folder, reproducible_environment

PROGRAM = BUILD / "program" / "batchwright"
SUFFIX = ".exe" if os.name == "nt" else ""
BILL_OF_MATERIALS = f"batchwright-{VERSION}.cdx.json"

LIMIT_BYTES = 180_000_000
"""Maximum size of the installed program on Linux; NumPy, for the analysis of answers, takes 37 MB of it."""
SHELL_LIMIT = 3
"""The shell is painted within this many times the time of an empty window."""
HOME_LIMIT_S = 1.5
_MEASUREMENTS = 7


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--development", action="store_true")
    parser.add_argument("--program-only", action="store_true")
    parser.add_argument("--if-possible", action="store_true")
    options = parser.parse_args()
    if options.if_possible and build_environment.find_python() is None:
        print("Skipped: Python 3.12 or newer, with its shared library, was not found.")
        return 0
    system.provide("build")
    build_environment.create(_python(development=options.development))
    new_folder(DIST)
    build_program()
    report_start_times()
    finish_program()
    if not options.program_only:
        build_distributions()
        distribution_check.check_distributions()
        created = create_installers()
        write_checksums()
        check_installers(created)
    else:
        check_itself(program_file("batchwright-cli"))
    print(sizes.table(PROGRAM))
    return 0 if is_small_enough(sizes.size(PROGRAM)) else 1


def _python(*, development: bool) -> Path:
    python = build_environment.find_python()
    if python is None and development:
        print("Not for distribution: Python 3.12 or newer was not found.", flush=True)
        return Path(sys.executable)
    if python is None:
        raise SystemExit("Released programs need Python 3.12 or newer, with its shared library.")
    return python


def build_program() -> None:
    """Create the folder of the program with PyInstaller."""
    python = build_environment.PYTHON
    subprocess.run([python, "packaging/app_icon.py", ICONS], cwd=ROOT, check=True)
    new_folder(PROGRAM.parent)
    command: list[str | Path] = [python, "-m", "PyInstaller", "packaging/batchwright.spec", "--noconfirm"]
    command += ["--clean", "--log-level", "ERROR", "--distpath", PROGRAM.parent, "--workpath", BUILD / "work"]
    subprocess.run(command, cwd=ROOT, check=True, env=reproducible_environment())


def program_file(name: str) -> Path:
    return PROGRAM / f"{name}{SUFFIX}"


def report_start_times() -> None:
    """Measure the start of the program, then remove what is needed for it only."""
    measure = program_file("batchwright-start-times")
    profile = new_folder(BUILD / "profile")
    empty, shell, home = (start_times(measure, kind, profile) for kind in ("empty", "shell", "home"))
    measure.unlink()
    for name, (by_clock, computing) in (
        ("Empty window", empty),
        ("Painted shell", shell),
        ("Home ready", home),
    ):
        print(f"{name}: {by_clock:.2f} s by the clock, {computing:.2f} s of computing.")
    if shell[0] > SHELL_LIMIT * empty[0] or home[0] > HOME_LIMIT_S:
        print("The program starts too slowly, or this computer is busy.", file=sys.stderr)


def start_times(measure: Path, kind: str, profile: Path) -> tuple[float, float]:
    """Return the median seconds until a process reports, by the clock and of the CPU."""
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
    return median(clock), median(computing)


def finish_program() -> None:
    """Add the second name of the program, licences, and the bill of materials."""
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
            return [mac_packages.create_image(PROGRAM.parent / "Batchwright.app", DIST)]
        case "Windows":
            return windows_packages.create_packages(PROGRAM, DIST)
        case other:
            raise SystemExit(f"There are no installers for {other}.")


def check_installers(created: list[Path]) -> None:
    """Test the installers on Linux, and elsewhere the program that is in them."""
    if platform.system() == "Linux":
        linux_check.check_packages(created)
    else:
        check_itself(program_file("batchwright-cli"))


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


def write_checksums() -> None:
    """Write the SHA-256 sums of all results, in the format of `sha256sum`."""
    files = sorted(path for path in DIST.iterdir() if path.is_file())
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (DIST / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def is_small_enough(size: int) -> bool:
    """Whether the program keeps the limit; prints a message if it does not."""
    if platform.system() == "Linux" and size > LIMIT_BYTES:
        print(f"The program takes {size / 1e6:.0f} MB, more than {LIMIT_BYTES / 1e6:.0f}.")
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
