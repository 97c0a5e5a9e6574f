"""The longest stall of the window's event loop in the main workflow, compared with an idle loop."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.flows.program import ROOT

pytestmark = [pytest.mark.long, pytest.mark.gui]

RUNS = 3
MAX_STALL_S = 0.05
"""Maximum seconds of a stall."""
MANY_ROWS = 1_000_000

IDLE = """
import sys, time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
app = QApplication([])
ticks = []
timer = QTimer()
timer.timeout.connect(lambda: ticks.append(time.perf_counter()))
timer.start(1)
QTimer.singleShot(5000, app.quit)
app.exec()
print(max(after - before for before, after in zip(ticks, ticks[1:])))
"""


def idle_stall() -> float:
    """The longest stall of an idle loop in five seconds, caused by the computer."""
    run = subprocess.run([sys.executable, "-c", IDLE], cwd=ROOT, capture_output=True, text=True, check=True)
    return float(run.stdout)


def stalls(profile: Path, rows: int) -> dict[str, float]:
    """The longest stall in each step of a new program, in wall-clock time."""
    profile.mkdir()
    command = [sys.executable, "-m", "tests.benchmarks.flow_in_slices", str(profile), str(rows)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    measured: dict[str, tuple[float, float]] = json.loads(run.stdout.splitlines()[-1])
    return {step: wall_time for step, (wall_time, _cpu_time) in measured.items()}


@pytest.mark.parametrize("rows", [pytest.param(0, id="sample"), pytest.param(MANY_ROWS, id="a million rows")])
def test_no_step_stalls_the_event_loop(
    rows: int, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    runs = [stalls(tmp_path / str(time), rows) for time in range(RUNS)]
    idle = idle_stall()
    record_property("idle, ms", round(1000 * idle, 1))
    for step in runs[0]:
        shortest = min(run[step] for run in runs)  # a stall of every run is the program's
        record_property(f"{step}, ms", round(1000 * shortest, 1))
        assert shortest < MAX_STALL_S + idle, step
