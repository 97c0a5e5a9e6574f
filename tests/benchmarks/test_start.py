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

KINDS = ("empty", "shell", "home")


def seconds(kind: str, profile: Path) -> tuple[float, float]:
    """The times from the start of a process to the moment that it reports: wall-clock and CPU."""
    before = time.monotonic()
    command = [sys.executable, str(ROOT / "packaging" / "start_times.py"), kind, str(profile)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    at, computing = map(float, run.stdout.split())
    return at - before, computing


def test_the_shell_and_home_appear_soon_after_an_empty_window(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    measured = [[seconds(kind, tmp_path) for kind in KINDS] for _time in range(TIMES)]
    clock, computing = (
        [median(times[kind] for times in column) for column in zip(*measured, strict=True)] for kind in (0, 1)
    )
    for name, by_clock, computed in zip(
        ("empty window", "painted shell", "Home to be used"), clock, computing, strict=True
    ):
        record_property(f"{name}, s", (round(by_clock, 3), round(computed, 3)))
    assert clock[1] < 3 * clock[0]
    assert computing[2] < 6 * computing[0]
