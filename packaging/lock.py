"""Regenerates the lock files from pyproject.toml (needs `uv`): `python3 packaging/lock.py`."""

import subprocess
import sys
from pathlib import Path

PACKAGING = Path(__file__).resolve().parent

LOCKS = {
    "run.lock": ["install"],
    "build.lock": ["install", "build"],
    "test.lock": ["install", "dev", "build"],
}


def main() -> None:
    for name, groups in LOCKS.items():
        command = ["uv", "pip", "compile", "pyproject.toml", "--universal", "--python-version", "3.11"]
        command += ["--generate-hashes", "--no-header", "--no-emit-index-url", "--quiet"]
        command += [f"--group={group}" for group in groups]
        command += ["--output-file", str(PACKAGING / name), *sys.argv[1:]]
        subprocess.run(command, cwd=PACKAGING.parent, check=True)


if __name__ == "__main__":
    main()
