"""How soon the shell is painted and Home can be used, against an empty window of Qt's own (design.md 10)."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest

from tests.whole_program.program import ROOT

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
print(time.monotonic())
"""

SHELL = """
import sys, time
from pathlib import Path
from PySide6.QtWidgets import QApplication
from batchwright.bootstrap.window import parts_of
from batchwright.local.folders import Folders
from batchwright.ui.program import Program
folders = Folders(Path(sys.argv[1]) / "data", Path(sys.argv[1]) / "cache")
folders.make()
app = QApplication([])
program = Program(app, parts_of(folders))
window = program.open_window()
app.processEvents()
print(time.monotonic())
assert window.isVisible()
"""

HOME = """
import os, sys, time
from dataclasses import replace
from pathlib import Path
from batchwright.bootstrap.window import parts_of
from batchwright.local.folders import Folders
from batchwright.ui.program import run
folders = Folders(Path(sys.argv[1]) / "data", Path(sys.argv[1]) / "cache")
folders.make()

async def usable(opened):
    opened.window.repaint()
    assert opened.window.shows_stage
    print(time.monotonic(), flush=True)
    os._exit(0)

run(replace(parts_of(folders), usable=usable))
"""


def seconds(program: str, profile: Path) -> float:
    """From the start of a process to what its program prints the time of."""
    before = time.monotonic()
    command = [sys.executable, "-c", program, str(profile)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return float(run.stdout) - before


def test_the_shell_and_home_come_soon_after_an_empty_window_would(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    taken = [[seconds(program, tmp_path) for program in (EMPTY, SHELL, HOME)] for _time in range(TIMES)]
    empty, shell, home = (median(column) for column in zip(*taken, strict=True))
    record_property("empty window, s", round(empty, 3))
    record_property("painted shell, s", round(shell, 3))
    record_property("Home to be used, s", round(home, 3))
    assert shell < 3 * empty
    assert home < 5 * empty
