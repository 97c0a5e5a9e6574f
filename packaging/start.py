"""Sets up Batchwright and starts it, or checks it. Needs only Python 3.11 or newer.

python3 packaging/start.py run           sets up, then starts Batchwright
python3 packaging/start.py test [...]    sets up, then runs every check and test
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - older versions can run this file so far
    sys.exit("Batchwright needs Python 3.11 or newer.")

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

import system
from batchwright.cli.display import has_screen
from project import ROOT, pip_install
from pythons import recommended_pythons

VENV = ROOT / ".venv"
STAMP = VENV / "batchwright-set-up.json"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")
LAST_FAILED = VENV / "pytest-cache" / "v" / "cache" / "lastfailed"


LIMIT_S = 40 * 60
"""Maximum seconds per check. A blocked test ends sooner: see `faulthandler_timeout` in pyproject.toml."""

SAMPLE = ["--sample-cases"]
"""Of tests marked `sampled`, the cases that the seed of the day draws; with `--long`, all run."""

MAX_UNSTABLE = 3
"""Maximum number of failed tests of a check that are run a second time."""


def main(arguments: list[str]) -> int:
    if arguments == ["run"]:
        set_up("run")
        return run()
    if arguments[:1] == ["test"]:
        set_up("test")
        return test(arguments[1:])
    print(__doc__, file=sys.stderr)
    return 2


def run() -> int:
    """Open the window with the sample study; without a screen, write a rehearsal of it and screenshots."""
    sample = ROOT / "resources" / "samples" / "preference"
    if has_screen():
        return subprocess.run([PYTHON, "-m", "batchwright", "window", sample], cwd=ROOT).returncode
    print("No screen found: rehearsing the sample study without a window.", flush=True)
    command: list[str | Path] = [PYTHON, "-m", "batchwright", "rehearse"]
    command += ["--layout", sample / "layout.json", "--schema", sample / "schema.json"]
    command += ["--data", sample / "records.csv", "--participants", "4", "--tasks-per-group", "5"]
    out = ROOT / "rehearsal"
    if failed := subprocess.run([*command, "--out", out], cwd=ROOT).returncode:
        return failed
    screenshots = out / "screenshots"
    print(f"Writing screenshots of the window to {screenshots} ...", flush=True)
    return subprocess.run([PYTHON, ROOT / "packaging" / "screenshots.py", screenshots], cwd=ROOT).returncode


def test(options: list[str]) -> int:
    long = "--long" in options
    arguments = [argument for argument in options if argument != "--long"]
    selection = ["-m", "not network"] if long else ["-n", "auto"]  # benchmarks must not run in parallel
    if not options:
        arguments += ["--window-share", "0.05", *SAMPLE]  # more run with the screen reader
    checks = {
        "format": ["ruff", "format", "--check", "."],
        "ruff": ["ruff", "check", "."],
        "mypy": ["mypy"],
        "imports": ["lint-imports"],
        "tests": ["pytest", *selection, *arguments],
        "tests with a screen reader": with_screen_reader(long=long),
    }
    if long:
        checks["build"] = ["python", "packaging/build.py", "--if-possible"]
    limit = None if long else LIMIT_S
    LAST_FAILED.unlink(missing_ok=True)
    unstable: list[str] = []
    failed = [
        name
        for name, command in checks.items()
        if not (passes(name, command, limit) or passes_again(name, command, limit, unstable))
    ]
    if unstable:
        print("\nFailed at first, passed alone:", *unstable, sep="\n  ", flush=True)
    print(f"\nFailed: {', '.join(failed)}." if failed else "\nEverything passed.", flush=True)
    return 1 if failed else 0


def passes_again(name: str, command: list[str], limit: float | None, unstable: list[str]) -> bool:
    """Run the failed tests of a check once more, one at a time; adds those that pass now to `unstable`.

    On a busy computer a window may get its size, or a process its turn, later than a test allows. A check
    with more than `MAX_UNSTABLE` failed tests has another cause and is not repeated.
    """
    failed = failed_tests() if command[0] == "pytest" else []
    if not 0 < len(failed) <= MAX_UNSTABLE:
        return False
    if not passes(f"{name}: the failed ones again", [*command, "-n", "0", "--last-failed"], limit):
        return False
    unstable += failed
    return True


def failed_tests() -> list[str]:
    """Return the names of the tests that have failed in the last run of pytest."""
    try:
        return list(json.loads(LAST_FAILED.read_text()))
    except (OSError, ValueError):
        return []


def with_screen_reader(*, long: bool) -> list[str]:
    """Return the command for window tests on a screen with a screen reader, where Qt makes other calls."""
    folders = ["tests/ui", "tests/flows/test_screen_reader.py"]
    marks = "not network and not keyring" if long else "not network and not keyring and not long"
    sample = [] if long else ["--window-share", "0.35", *SAMPLE]
    return ["pytest", "--screen-reader", "-m", marks, "-n", "auto", *sample, *folders]


def passes(name: str, command: list[str], limit: float | None) -> bool:
    """Run one check; it fails when it takes more than `limit` seconds."""
    print(f"\n== {name}", flush=True)
    program = SCRIPTS / command[0]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # the tests start hundreds of processes of the program
    try:
        return (
            subprocess.run([program, *command[1:]], cwd=ROOT, env=environment, timeout=limit).returncode == 0
        )
    except subprocess.TimeoutExpired as expired:
        print(f"Stopped after {expired.timeout:.0f} s.", flush=True)
        return False


def set_up(purpose: str) -> None:
    """Create or update the environment from the lock file; does nothing if it is up to date."""
    system.provide(purpose)
    lock = ROOT / "packaging" / f"{purpose}.lock"
    expected = hashlib.sha256(lock.read_bytes() + (ROOT / "pyproject.toml").read_bytes()).hexdigest()
    current = environment_stamp()
    if current.get(purpose) == expected:
        return
    if not current:
        create_environment()
    print(f"Setting up with packaging/{lock.name} ...", flush=True)
    try:
        pip_install(PYTHON, "--require-hashes", "-r", str(lock))
        pip_install(PYTHON, "-e", ".", "--no-deps", "--no-build-isolation")
    except subprocess.CalledProcessError:
        sys.exit("The packages could not be installed; see the messages above.")
    STAMP.write_text(json.dumps({**current, "root": str(ROOT), purpose: expected}))


def create_environment() -> None:
    """Create an empty environment with Python 3.12 or newer if there is one, otherwise with this Python."""
    python = next((python.path for python in recommended_pythons()), None)
    if python is None:
        print("Python 3.12 or newer is recommended and was not found: using this one.", flush=True)
    shutil.rmtree(VENV, ignore_errors=True)
    subprocess.run([python or sys.executable, "-m", "venv", VENV], check=True)


def environment_stamp() -> dict[str, str]:
    """Return what the environment was set up for; empty if there is none or it cannot be used.

    An environment contains its own path, so one that was moved must be created again.
    """
    try:
        current = json.loads(STAMP.read_text()) if PYTHON.exists() else {}
    except (OSError, ValueError):
        return {}
    return current if current.get("root") == str(ROOT) else {}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
