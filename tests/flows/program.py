"""The program as users run it: its command line."""

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from batchwright.__main__ import main

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "resources" / "samples" / "preference"
SHARED_DATA = ROOT.parent / "shared" / "data"

PROGRAM = [sys.executable, "-m", "batchwright"]


def study(data: Path, schema: Path = SAMPLE / "schema.json") -> list[str]:
    """The options for the sample layout with this data."""
    return ["--layout", str(SAMPLE / "layout.json"), "--schema", str(schema), "--data", str(data)]


def run(*arguments: object, home: Path, folder: Path | None = None, code: int = 0) -> str:
    """Run a command to its end in this process, in `folder` if given; return its standard output.

    Importing the program would take longer than most commands.
    """
    output, errors = io.StringIO(), io.StringIO()
    with (
        patch.dict(os.environ, environment(home)),
        chdir(folder or "."),
        redirect_stdout(output),
        redirect_stderr(errors),
    ):
        ended = main(list(map(str, arguments)))
    _check_end(ended, code, output.getvalue(), errors.getvalue())
    return output.getvalue()


def run_process(*arguments: object, home: Path) -> str:
    """Run a command to its end in a process; return its standard output."""
    command = [*PROGRAM, *map(str, arguments)]
    ended = subprocess.run(command, env=environment(home), capture_output=True, text=True, timeout=110)
    _check_end(ended.returncode, 0, ended.stdout, ended.stderr)
    return ended.stdout


def _check_end(ended: int, expected: int, output: str, errors: str) -> None:
    assert ended == expected, (ended, output, errors)
    assert "Traceback" not in errors


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
