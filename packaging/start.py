"""Sets up Batchwright and starts it, or checks it. Needs only Python 3.11 or newer.

python3 packaging/start.py run          sets up, then starts Batchwright
python3 packaging/start.py test [--long] [--windows] [--shard K/N] [--seed N]
                                     sets up, then runs every check and test; with --windows, only those that
                                     Windows' Python runs under Wine
python3 packaging/start.py bench [--record]
                                     sets up, then compares all benchmarks with the recorded figures
python3 packaging/start.py site [FOLDER]
                                     sets up, then writes the help as a static site into `site`, or FOLDER
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - older versions can run this file so far
    sys.exit("Batchwright needs Python 3.11 or newer.")

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

import system
from batchwright.base.files.file_lock import FileLock
from batchwright.cli.display import has_screen
from project import ROOT, pip_install
from pythons import recommended_pythons

VENV = ROOT / ".venv"
STAMP = VENV / "batchwright-set-up.json"
LOCK = ROOT / ".venv.lock"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")

SET_UP_S = 10 * 60
"""Maximum seconds to wait for another start that sets up."""

LIMIT_S = 60 * 60
"""Maximum seconds per check. A blocked test ends sooner: see `faulthandler_timeout` in pyproject.toml."""

WINDOW_TESTS = ("tests/ui", "tests/flows/test_screen_reader.py")
"""What runs with a screen reader on Linux, where Qt makes other calls then, and without one elsewhere."""

WITH_SCREEN_READER = "tests with a screen reader"
"""The check that runs them, beside the one that runs the other tests: each waits at times."""

LONG = ["-m", "not network", "-o", "faulthandler_timeout=4000"]
"""Options for pytest to run long tests. No test may take 4000 s: its process would be ended."""

TESTS_UNDER_WINE = ["python", "packaging/windows_tests.py"]

DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "packaging/README.md",
    "src/batchwright/README.md",
)

OF_SOURCE = {
    "format": ["ruff", "format", "--check", "."],
    "ruff": ["ruff", "check", "."],
    "dead code": ["vulture"],
    "mypy": ["mypy"],
    "imports": ["lint-imports"],
    "spelling": ["codespell", "resources/help/en", *DOCUMENTS],
}
"""The checks that start nothing of the program: one after the other, beside those that use one core."""

ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.7"
"""The program that checks the workflow file, as a Go module."""


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    set_up("test" if options.command in {"test", "bench"} else "run")
    if options.command == "run":
        return run()
    return site(options.folder) if options.command == "site" else check(options)


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Set up Batchwright and start or check it.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("run", help="start the window; without a display, rehearse the sample study")
    test = commands.add_parser("test", help="run every check and test")
    test.add_argument("--long", action="store_true", help="also long tests, benchmarks and the build")
    test.add_argument("--windows", action="store_true", help="only tests on Windows' Python, under Wine")
    test.add_argument("--shard", metavar="K/N", help="run the K-th of N parts of the tests")
    test.add_argument("--seed", help="draw the random samples of the tests from this number")
    bench = commands.add_parser("bench", help="compare all benchmarks with the recorded figures")
    bench.add_argument("--record", action="store_true", help="record the figures of this run instead")
    pages = commands.add_parser("site", help="write the help as a static site")
    pages.add_argument("folder", nargs="?", type=Path, default=ROOT / "site", help="where to")
    return parser


def site(folder: Path) -> int:
    """Write the help as a static site."""
    return exit_code([PYTHON, ROOT / "packaging" / "help_site.py", folder.absolute()])


def run() -> int:
    """Open the window with the sample study; without a screen, write a rehearsal of it and screenshots."""
    sample = ROOT / "resources" / "samples" / "preference"
    if has_screen():
        return exit_code([PYTHON, "-m", "batchwright", "window", sample])
    print("No screen found: rehearsing the sample study without a window.", flush=True)
    command: list[str | Path] = [PYTHON, "-m", "batchwright", "rehearse"]
    command += ["--layout", sample / "layout.json", "--schema", sample / "schema.json"]
    command += ["--data", sample / "records.csv", "--participants", "4", "--tasks-per-group", "5"]
    out = ROOT / "rehearsal"
    if failed := exit_code([*command, "--out", out]):
        return failed
    screenshots = out / "screenshots"
    print(f"Writing screenshots of the window to {screenshots} ...", flush=True)
    return exit_code([PYTHON, ROOT / "packaging" / "screenshots.py", screenshots])


def exit_code(command: Sequence[str | Path]) -> int:
    """Run a program to its end: Ctrl+C, which it receives as well, is left to it."""
    with subprocess.Popen(command, cwd=ROOT) as process:
        while True:
            with suppress(KeyboardInterrupt):
                return process.wait()


def check(options: argparse.Namespace) -> int:
    """Run the checks of a command."""
    if options.command == "bench":
        commands, limit = {"speed": benchmarks(is_recording=options.record)}, None
        if options.record:
            commands["figures of the help"] = ["python", "packaging/help_pages.py"]
    else:
        commands, limit = checks(options), None if options.long or options.windows else LIMIT_S

    def take(*names: str) -> dict[str, list[str]]:
        return {name: commands.pop(name) for name in names if name in commands}

    failed = failing(take("tests"), take(WITH_SCREEN_READER), limit)
    of_source = take(*OF_SOURCE)
    failed += failing(commands, of_source, limit)
    print(f"\nFailed: {', '.join(failed)}." if failed else "\nEverything passed.", flush=True)
    return 1 if failed else 0


def failing(commands: dict[str, list[str]], beside: dict[str, list[str]], limit: float | None) -> list[str]:
    """Run checks one after the other, and beside them others one after the other; return those that fail."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        results = [thread.submit(passes, *check, limit, is_beside=True) for check in beside.items()]
        failed = [name for name, command in commands.items() if not passes(name, command, limit)]
        return failed + [name for name, result in zip(beside, results, strict=True) if not result.result()]


def checks(options: argparse.Namespace) -> dict[str, list[str]]:
    """The command of each check by its name."""
    if options.windows:
        return {"tests under Wine": TESTS_UNDER_WINE}
    pytest = ["pytest", "-n", "auto", "--dist", "worksteal"]
    for name in ("shard", "seed"):
        if value := getattr(options, name):
            pytest += [f"--{name}", value]
    if options.long:
        pytest += LONG
    has_screen_reader = sys.platform == "linux"
    others = [f"--ignore={path}" for path in WINDOW_TESTS] if has_screen_reader and not options.long else []
    checks = {
        **OF_SOURCE,
        "tests": [*pytest, "--ignore=tests/benchmarks", *others],
    }
    if has_screen_reader:
        checks[WITH_SCREEN_READER] = [*pytest, "--screen-reader", *WINDOW_TESTS]
    checks["speed"] = benchmarks() if options.long else ["pytest", "-m", "quick", "tests/benchmarks"]
    if options.long:
        if sys.platform == "linux":
            checks["tests under Wine"] = [*TESTS_UNDER_WINE, "--if-possible"]
        checks["workflow"] = ["go", "run", ACTIONLINT, "-no-color"]
        checks["build"] = ["python", "packaging/build.py", "--if-possible"]
    return checks


def benchmarks(*, is_recording: bool = False) -> list[str]:
    """The command that compares all benchmarks with the recorded figures, or records them."""
    record = ["--record-figures"] if is_recording else []
    return ["pytest", *LONG, "tests/benchmarks", "--all-figures", *record]


def passes(name: str, command: list[str], limit: float | None, *, is_beside: bool = False) -> bool:
    """Run one check; it fails when it takes more than `limit` seconds.

    The output of one that runs beside another is printed when it has ended.
    """
    heading = f"\n== {name}"
    if not is_beside:
        print(heading, flush=True)
    program = shutil.which(command[0], path=f"{SCRIPTS}{os.pathsep}{os.environ.get('PATH', '')}")
    if program is None:
        print(f"{command[0]} is not installed.", flush=True)
        return False
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # the tests start hundreds of processes of the program
    try:
        ended = subprocess.run(
            [program, *command[1:]],
            cwd=ROOT,
            env=environment,
            timeout=limit,
            stdout=subprocess.PIPE if is_beside else None,
            stderr=subprocess.STDOUT if is_beside else None,
            encoding="utf-8",
            errors="replace",
        )
    except subprocess.TimeoutExpired as expired:
        print(f"{name}: stopped after {expired.timeout:.0f} s.", flush=True)
        return False
    if is_beside:
        print(f"{heading}\n{ended.stdout}", flush=True)
    return ended.returncode == 0


def set_up(purpose: str) -> None:
    """Create or update the environment, and compile the catalogues that are newer than their binary files."""
    system.provide(purpose)
    install(purpose)
    compiling: list[str | Path] = [PYTHON, ROOT / "packaging" / "translations.py", "compile", "--no-check"]
    if subprocess.run(compiling, cwd=ROOT).returncode:
        sys.exit("The catalogues could not be compiled; see the messages above.")


def install(purpose: str) -> None:
    """Create or update the environment from the lock file, one start at a time, unless it is up to date."""
    lock = ROOT / "packaging" / f"{purpose}.lock"
    expected = hashlib.sha256(lock.read_bytes() + (ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if environment_stamp().get(purpose) == expected:
        return
    try:
        only_one = FileLock(LOCK)
    except OSError as error:
        sys.exit(f"Nothing can be set up here: {error}")
    if not only_one.acquire():
        print("Waiting for another start, which sets up ...", flush=True)
        only_one.acquire(wait=SET_UP_S)
    try:
        current = environment_stamp()
        if current.get(purpose) != expected:
            install_packages(lock, is_new=not current)
            STAMP.write_text(json.dumps({**current, "root": str(ROOT), purpose: expected}))
    finally:
        only_one.release()


def install_packages(lock: Path, *, is_new: bool) -> None:
    """Install what a lock file lists, into an environment that is created if it is new."""
    try:
        if is_new:
            create_environment()
        print(f"Setting up with packaging/{lock.name} ...", flush=True)
        pip_install(PYTHON, "--require-hashes", "-r", str(lock))
        pip_install(PYTHON, "-e", ".", "--no-deps", "--no-build-isolation")
    except subprocess.CalledProcessError:
        sys.exit("The environment could not be set up; see the messages above.")


def create_environment() -> None:
    """Create an empty environment with Python 3.12 or newer if there is one, otherwise with this Python."""
    python = next((python.path for python in recommended_pythons()), None)
    if python is None:
        print("Python 3.12 or newer is recommended and was not found: using this one.", flush=True)
    shutil.rmtree(VENV, ignore_errors=True)
    subprocess.run([python or sys.executable, "-m", "venv", VENV], check=True)


def environment_stamp() -> dict[str, str]:
    """What the environment was set up for; empty if there is none or it cannot be used.

    An environment contains its own path, so one that was moved must be created again.
    """
    try:
        current = json.loads(STAMP.read_text()) if PYTHON.exists() else {}
    except (OSError, ValueError):
        return {}
    return current if current.get("root") == str(ROOT) else {}


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("Interrupted.")
