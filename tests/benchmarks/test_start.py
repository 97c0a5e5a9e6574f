"""How soon the shell is painted and Home can be used, compared with an empty Qt window."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest

from tests.flows.program import ROOT

pytestmark = [pytest.mark.long, pytest.mark.gui]

TIMES = 7

EMPTY = """
import sys, time
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
window = QMainWindow()
window.resize(1280, 800)
window.show()
app.processEvents()
print(time.monotonic(), time.process_time())
"""

SHELL = """
import sys, time
from pathlib import Path
from PySide6.QtWidgets import QApplication
from batchwright.app.window import program_dependencies
from batchwright.local.paths import Folders
from batchwright.ui.application import Application
folders = Folders(Path(sys.argv[1]) / "data", Path(sys.argv[1]) / "cache")
folders.create()
app = QApplication([])
program = Application(app, program_dependencies(folders))
window = program.open_window()
app.processEvents()
print(time.monotonic(), time.process_time())
assert window.isVisible()
"""

HOME = """
import os, sys, time
from dataclasses import replace
from pathlib import Path
from batchwright.app.window import program_dependencies
from batchwright.local.paths import Folders
from batchwright.ui.application import run
folders = Folders(Path(sys.argv[1]) / "data", Path(sys.argv[1]) / "cache")
folders.create()

async def usable(opened):
    opened.window.repaint()
    assert opened.window.is_showing_stage
    print(time.monotonic(), time.process_time(), flush=True)
    os._exit(0)

run(replace(program_dependencies(folders), on_interactive=usable))
"""


def seconds(program: str, profile: Path) -> tuple[float, float]:
    """The times from the start of a process to the events that its program prints: wall-clock and CPU."""
    before = time.monotonic()
    command = [sys.executable, "-c", program, str(profile)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    at, computing = map(float, run.stdout.split())
    return at - before, computing


def test_the_shell_and_home_appear_soon_after_an_empty_window(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    measured = [[seconds(program, tmp_path) for program in (EMPTY, SHELL, HOME)] for _time in range(TIMES)]
    clock, computing = (
        [median(times[kind] for times in column) for column in zip(*measured, strict=True)] for kind in (0, 1)
    )
    for name, by_clock, computed in zip(
        ("empty window", "painted shell", "Home to be used"), clock, computing, strict=True
    ):
        record_property(f"{name}, s", (round(by_clock, 3), round(computed, 3)))
    assert clock[1] < 3 * clock[0]
    assert computing[2] < 6 * computing[0]
