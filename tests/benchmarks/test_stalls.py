"""The longest stalls of the window's event loop in the main workflow and with long studies, compared with a
bare loop.

A stall is the CPU time between two ticks: what other programs take is not counted.
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.benchmarks.bare_loop import loop_seconds
from tests.figures import CheckFigure
from tests.flows.program import ROOT

pytestmark = [pytest.mark.long, pytest.mark.gui, pytest.mark.timeout(900)]

RUNS = 3
MAX_LOOPS, MAX_LONG_PAGE_LOOPS = 20, 32
"""How many bare loops a stall may take, and how many with a page of 200 items among 10,000 problems, where
one iteration handles a key, updates the panels and paints.
"""
MANY_ROWS = 1_000_000
OPENING = frozenset({"start", "open the study", "create batches"})
"""Steps that other tests measure, and what is done for the steps that follow."""


def longest_stall(
    program: str, folder: Path, *arguments: str, others: frozenset[str] = frozenset()
) -> tuple[float, float]:
    """The CPU seconds of the longest stall in a new program, and those of a bare loop.

    Prints the stalls of all steps, so that a failed test shows them. The steps `others` do not count.
    """
    with TemporaryDirectory(dir=folder) as profile:
        command = [sys.executable, "-m", f"tests.benchmarks.{program}", profile, *arguments]
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    stalls: dict[str, tuple[float, float]] = json.loads(run.stdout.splitlines()[-1])
    computing = {step: computed for step, (_by_clock, computed) in stalls.items() if step not in others}
    print(computing)
    return max(computing.values()), min(loop_seconds() for _run in range(5))


@pytest.mark.parametrize(
    ("name", "rows", "type"),
    [
        ("the sample", 0, "csv"),
        ("a million rows", MANY_ROWS, "csv"),
        ("a million converted records", MANY_ROWS, "json"),
    ],
    ids=["sample", "a million rows", "a million converted records"],
)
def test_no_step_stalls_the_event_loop(
    name: str, rows: int, type: str, tmp_path: Path, figure: CheckFigure
) -> None:
    figure(
        f"longest stall, {name}, to a bare loop",
        lambda: longest_stall("flow_in_slices", tmp_path, str(rows), type),
        MAX_LOOPS,
        runs=RUNS,
    )


@pytest.mark.parametrize(
    ("program", "limit"), [("long_study", MAX_LOOPS), ("long_page", MAX_LONG_PAGE_LOOPS)]
)
def test_no_step_with_a_long_study_computes_long_on_the_event_loop(
    program: str, limit: int, tmp_path: Path, figure: CheckFigure
) -> None:
    figure(
        f"longest stall, {program.replace('_', ' ')}, to a bare loop",
        lambda: longest_stall(program, tmp_path, others=OPENING),
        limit,
        runs=RUNS,
    )
