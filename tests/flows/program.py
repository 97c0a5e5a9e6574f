"""The program as users run it: its command line, in separate processes."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "resources" / "samples" / "preference"
SHARED_DATA = ROOT.parent / "shared" / "data"

PROGRAM = [sys.executable, "-m", "batchwright"]


def study(data: Path, schema: Path = SAMPLE / "schema.json") -> list[str]:
    """The options for the sample layout with this data."""
    return ["--layout", str(SAMPLE / "layout.json"), "--schema", str(schema), "--data", str(data)]


def run(*arguments: object, home: Path, folder: Path | None = None, code: int = 0) -> str:
    """Run a command to its end, in `folder` if given; return its standard output."""
    ended = subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        cwd=folder,
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=110,
    )
    assert ended.returncode == code, (ended.returncode, ended.stdout, ended.stderr)
    assert "Traceback" not in ended.stderr
    return ended.stdout


def environment(home: Path) -> dict[str, str]:
    """The environment of a user whose data is below `home`."""
    return {**os.environ, "BATCHWRIGHT_HOME": str(home)}


@contextmanager
def serving(data_dir: Path, *further: str) -> Iterator[dict[str, Any]]:
    """Start a service in a separate process; yield its ready line."""
    command = [*PROGRAM, "serve", "--data-dir", str(data_dir), *further]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.send_signal(signal.SIGTERM)
            process.stdout.close()


@dataclass(frozen=True)
class Results:
    """The files that a rehearsal wrote."""

    folder: Path

    @property
    def summary(self) -> dict[str, Any]:
        summary: dict[str, Any] = json.loads((self.folder / "summary.json").read_text(encoding="utf-8"))
        return summary

    @property
    def responses(self) -> list[dict[str, Any]]:
        responses: list[dict[str, Any]] = json.loads(
            (self.folder / "responses.json").read_text(encoding="utf-8")
        )
        return responses
