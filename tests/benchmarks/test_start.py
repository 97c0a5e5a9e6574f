"""How soon the shell is painted and Home can be used, compared with an empty Qt window."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.flows.program import ROOT

pytestmark = [pytest.mark.long, pytest.mark.gui]

TIMES = 7

KINDS = ("empty", "shell", "home")


def seconds(kind: str, profile: Path) -> tuple[float, float]:
    """The times from the start of a process, with compiled modules, to its report: wall-clock and CPU."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = time.monotonic()
    command = [sys.executable, str(ROOT / "packaging" / "start_times.py"), kind, str(profile)]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    at, computing = map(float, run.stdout.split())
    return at - before, computing


def test_the_shell_and_home_appear_soon_after_an_empty_window(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    measured = [[seconds(kind, tmp_path) for kind in KINDS] for _time in range(TIMES)]
    # The fastest of several starts: the others waited for other programs of this computer.
    fastest = [tuple(map(min, zip(*column, strict=True))) for column in zip(*measured, strict=True)]
    for kind, (by_clock, computed) in zip(KINDS, fastest, strict=True):
        record_property(f"{kind}, s", (round(by_clock, 3), round(computed, 3)))
    (empty, _computed), (shell, _computed), (home, _computed) = fastest
    assert shell < 3 * empty
    assert home < 1.5
