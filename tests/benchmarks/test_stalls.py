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
MAX_LONG_STUDY_S, MAX_LONG_PAGE_S = 0.05, 0.1
"""Maximum seconds of CPU time of a stall with a study of 10,000 items, and with a page of 200 items among
10,000 problems, where one iteration handles a key, updates the panels and paints.
"""
MANY_ROWS = 1_000_000
OPENING = {"start", "open the study", "create batches"}
"""Steps that other tests measure, and what is done for the steps that follow."""

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


def stalls(program: str, profile: Path, *arguments: str) -> dict[str, tuple[float, float]]:
    """The longest stall in each step of a new program, in wall-clock time and in CPU time."""
    profile.mkdir()
    command = [sys.executable, "-m", f"tests.benchmarks.{program}", str(profile), *arguments]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    measured: dict[str, tuple[float, float]] = json.loads(run.stdout.splitlines()[-1])
    return measured


@pytest.mark.parametrize("rows", [pytest.param(0, id="sample"), pytest.param(MANY_ROWS, id="a million rows")])
def test_no_step_stalls_the_event_loop(
    rows: int, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    runs = [stalls("flow_in_slices", tmp_path / str(time), str(rows)) for time in range(RUNS)]
    idle = idle_stall()
    record_property("idle, ms", round(1000 * idle, 1))
    for step in runs[0]:
        shortest = min(run[step][0] for run in runs)  # a stall of every run is the program's
        record_property(f"{step}, ms", round(1000 * shortest, 1))
        assert shortest < MAX_STALL_S + idle, step


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("program", "most"), [("long_study", MAX_LONG_STUDY_S), ("long_page", MAX_LONG_PAGE_S)]
)
def test_no_step_with_a_long_study_computes_long_on_the_event_loop(
    program: str, most: float, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    runs = [stalls(program, tmp_path / str(time)) for time in range(RUNS)]
    for step in runs[0].keys() - OPENING:
        shortest = min(run[step][1] for run in runs)
        record_property(f"{step}, ms of CPU time", round(1000 * shortest, 1))
        assert shortest < most, step
