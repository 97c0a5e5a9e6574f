"""Builds the program as a folder, dist/batchwright, and runs its self-test.

python3 packaging/build.py
"""

import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import start

DIST = start.ROOT / "dist"
SAMPLE = start.ROOT / "resources" / "samples" / "preference"


def main() -> int:
    start.set_up("test")
    command: list[str | Path] = [
        start.SCRIPTS / "pyinstaller",
        "packaging/batchwright.spec",
        "--noconfirm",
        "--log-level",
        "WARN",
    ]
    command += ["--distpath", DIST, "--workpath", start.ROOT / "build"]
    subprocess.run(command, cwd=start.ROOT, check=True)
    program = DIST / "batchwright" / ("batchwright-cli.exe" if os.name == "nt" else "batchwright-cli")
    check_itself(program)
    print(
        f"Built {program.parent}: {size(program.parent) / 1e6:.0f} MB, ready in {start_time(program):.2f} s."
    )
    return 0


def check_itself(program: Path) -> None:
    subprocess.run([program, "--version"], check=True)
    subprocess.run([program, "self-test"], check=True)
    rehearse: list[str | Path] = [
        program,
        "rehearse",
        "--layout",
        SAMPLE / "layout.json",
        "--schema",
        SAMPLE / "schema.json",
    ]
    rehearse += ["--data", SAMPLE / "records.csv", "--participants", "4", "--tasks-per-group", "5"]
    subprocess.run([*rehearse, "--out", DIST / "rehearsal"], check=True)


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def start_time(program: Path) -> float:
    """Return the seconds that `--version` takes, the median of seven runs."""
    times = []
    for _ in range(7):
        started = time.perf_counter()
        subprocess.run([program, "--version"], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - started)
    return sorted(times)[3]


if __name__ == "__main__":
    sys.exit(main())
