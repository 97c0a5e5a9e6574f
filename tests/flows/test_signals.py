"""Interrupting or killing a rehearsal leaves none of its processes behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.flows.program import PROGRAM, SAMPLE, environment, study

pytestmark = [
    pytest.mark.whole_program,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at processes through /proc"),
]


def processes_of(home: Path) -> list[int]:
    """All processes started, directly or indirectly, for the user whose data is below `home`."""
    mark = f"BATCHWRIGHT_HOME={home}".encode()
    return [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and mark in environ(entry)
    ]


def environ(process: Path) -> list[bytes]:
    try:
        return (process / "environ").read_bytes().split(b"\0")
    except OSError:
        return []


def wait_until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT])
def test_interrupting_a_rehearsal_during_service_start_leaves_no_process(
    tmp_path: Path, signal_number: signal.Signals
) -> None:
    command = [*PROGRAM, "rehearse", *study(SAMPLE / "records.csv"), "--out", str(tmp_path / "out")]
    with subprocess.Popen(command, env=environment(tmp_path), stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        wait_until(lambda: len(processes_of(tmp_path)) > 1, "the service should be starting")
        os.kill(process.pid, signal_number)
        text = process.stderr.read()
    assert (process.returncode, text) == (2, "The rehearsal was interrupted.\n")
    wait_until(lambda: not processes_of(tmp_path), f"left behind: {processes_of(tmp_path)}")


@pytest.mark.matrix(4)
@pytest.mark.parametrize("line", ["Sent", "Imported", "Set up"])
@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_ending_a_rehearsal_midway_leaves_no_process(
    tmp_path: Path, line: str, signal_number: signal.Signals
) -> None:
    command = [*PROGRAM, "rehearse", *study(SAMPLE / "records.csv"), "--participants", "5"]
    command += ["--out", str(tmp_path / "out")]
    with subprocess.Popen(command, env=environment(tmp_path), stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for text in process.stderr:
            if text.startswith(line):
                break
        assert len(processes_of(tmp_path)) > 1, "the service should be running"
        os.kill(process.pid, signal_number)
        process.wait()
    wait_until(lambda: not processes_of(tmp_path), f"left behind: {processes_of(tmp_path)}")
    assert process.returncode == (-signal.SIGKILL if signal_number is signal.SIGKILL else 2)
