"""How soon the shell is painted, against an empty window of Qt's own (design.md 10)."""

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


def seconds(program: str, profile: Path) -> float:
    """From the start of a process to the paint of its window."""
    before = time.monotonic()
    command = [sys.executable, "-c", program, str(profile)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return float(run.stdout) - before


def test_the_shell_is_painted_soon_after_an_empty_window_would_be(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    taken = [(seconds(EMPTY, tmp_path), seconds(SHELL, tmp_path)) for _time in range(TIMES)]
    empty, shell = (median(column) for column in zip(*taken, strict=True))
    record_property("empty window, s", round(empty, 3))
    record_property("painted shell, s", round(shell, 3))
    assert shell < 3 * empty
