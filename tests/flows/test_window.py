"""The window in a separate process: it ends cleanly at any time, and ends its service."""

import os
import signal
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.processes import started

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

PROGRAM = """
import asyncio, sys
from dataclasses import replace
from pathlib import Path

from batchwright.app.window import WindowControllers, program_dependencies
from batchwright.local.paths import Folders
from batchwright.ui.program.application import OpenWindow, run


def children() -> list[str]:
    # Each thread lists those that it has started.
    return [child for one in Path("/proc/self/task").glob("*/children") for child in one.read_text().split()]


def main() -> int:
    folders = Folders(Path(sys.argv[1]) / "data", Path(sys.argv[1]) / "cache")
    folders.create()
    controllers = WindowControllers(folders)
    parts = program_dependencies(folders, controllers)

    async def opened(opened: OpenWindow) -> None:
        await parts.on_opened(opened)
        desk = controllers.controller(opened)
        if sys.argv[2] == "ready":
            await desk.session.context()
            print("service", *children(), flush=True)
        print("opened", flush=True)
        if sys.argv[2] != "wait":
            asyncio.get_running_loop().call_later(0.05, opened.window.close)

    return run(replace(parts, on_opened=opened))


if __name__ == "__main__":
    sys.exit(main())
"""


def start(folder: Path, when: str) -> AbstractContextManager["subprocess.Popen[str]"]:
    script = folder / "program.py"
    script.write_text(PROGRAM, encoding="utf-8")
    command = [sys.executable, "-W", "error", str(script), str(folder), when]
    return started(command, {**os.environ, "QT_QPA_PLATFORM": "offscreen"})


def error_lines(errors: str) -> list[str]:
    """The lines of standard error without the messages of the offscreen platform."""
    return [line for line in errors.splitlines() if line and not line.startswith("This plugin does not")]


def test_the_program_ends_with_its_window_while_the_service_starts(tmp_path: Path) -> None:
    with start(tmp_path, "starting") as program:
        output, errors = program.communicate(timeout=90)
    assert (output, program.returncode) == ("opened\n", 0)
    assert error_lines(errors) == []


@pytest.mark.skipif(sys.platform != "linux", reason="reads the process table of Linux")
def test_the_service_ends_with_the_window(tmp_path: Path) -> None:
    with start(tmp_path, "ready") as program:
        output, errors = program.communicate(timeout=90)
    assert program.returncode == 0
    assert error_lines(errors) == []
    word, *children = output.splitlines()[0].split()
    assert word == "service"
    assert children
    assert not any(Path("/proc", child).exists() for child in children)


def test_the_program_ends_on_sigterm_while_the_service_starts(tmp_path: Path) -> None:
    with start(tmp_path, "wait") as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "opened\n"
        program.send_signal(signal.SIGTERM)
        _output, errors = program.communicate(timeout=90)
    assert program.returncode == 0
    assert error_lines(errors) == []


def test_a_second_start_opens_a_window_in_the_first_program(tmp_path: Path) -> None:
    with start(tmp_path, "wait") as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "opened\n"
        with start(tmp_path, "wait") as second:
            output, errors = second.communicate(timeout=90)
        assert (output, second.returncode) == ("", 0)
        assert error_lines(errors) == []
        assert first.stdout.readline() == "opened\n"
        first.send_signal(signal.SIGTERM)
        first.communicate(timeout=90)
    assert first.returncode == 0
