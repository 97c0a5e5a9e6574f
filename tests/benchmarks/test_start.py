"""How much the program computes until the shell is painted and Home can be used, compared with an empty Qt
window.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.figures import CheckFigure
from tests.flows.program import ROOT


def computing(kind: str, profile: Path) -> float:
    """The CPU seconds of a process until its report (`packaging/start_times.py`), with compiled modules."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, str(ROOT / "packaging" / "start_times.py"), kind, str(profile)]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    _at, seconds = map(float, run.stdout.split())
    return seconds


@pytest.mark.gui
@pytest.mark.parametrize(
    ("kind", "limit"),
    [pytest.param("shell", 4, marks=pytest.mark.quick), pytest.param("home", 6, marks=pytest.mark.long)],
)
def test_the_shell_and_home_appear_soon_after_an_empty_window(
    kind: str, limit: float, tmp_path: Path, figure: CheckFigure
) -> None:
    computing(kind, tmp_path)  # compiles the modules and creates the folders

    def measure() -> tuple[float, float]:
        starts = [(computing(kind, tmp_path), computing("empty", tmp_path)) for _time in range(2)]
        ours, empty = map(min, zip(*starts, strict=True))
        return ours, empty

    figure(f"start until the {kind} is painted, to an empty window", measure, limit)
