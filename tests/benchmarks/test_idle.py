"""What watching twenty jobs costs a window that does nothing else (design.md 10)."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.flows.program import ROOT

pytestmark = [pytest.mark.long, pytest.mark.gui, pytest.mark.timeout(600)]

MOST = 0.005
"""Part of one core that watching may take, over what the window takes without jobs."""


def test_twenty_jobs_cost_next_to_nothing(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    command = [sys.executable, "-m", "tests.benchmarks.idle_jobs", str(tmp_path)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    cost: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    for name, part in cost.items():
        record_property(f"{name}, % of a core", round(100 * part, 2))
    assert cost["watching"] - cost["bare"] <= MOST
