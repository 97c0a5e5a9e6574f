"""Ctrl+C in a console of Windows ends a command as it does elsewhere (see `tests/flows/test_signals.py`)."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.flows.program import PROGRAM, SAMPLE, environment, study
from tests.processes import WITH_CONSOLE, stop

pytestmark = pytest.mark.skipif(sys.platform != "win32", reason="consoles of Windows")


def test_a_rehearsal_ends_with_a_message_and_leaves_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out"
    simulated = ["--participants", "2", "--seconds-per-page", "600", "--out", str(out)]
    command = [*PROGRAM, "rehearse", *study(SAMPLE / "records.csv"), *simulated]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(tmp_path),
        creationflags=WITH_CONSOLE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline()  # it has begun
        stop(process.pid)
        lines = process.stdout.read()
    assert process.returncode == 2, lines
    assert "Traceback" not in lines
    assert not list(out.glob(".*"))
