"""The CPU time that monitoring twenty jobs costs an otherwise idle window."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.flows.program import ROOT

pytestmark = [pytest.mark.long, pytest.mark.gui, pytest.mark.timeout(600)]

MAX_FRACTION = 0.005
"""Maximum fraction of one core in addition to that of the window without jobs."""


def test_monitoring_twenty_jobs_takes_almost_no_cpu_time(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    command = [sys.executable, "-m", "tests.benchmarks.idle_jobs", str(tmp_path)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    cost: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    for name, fraction in cost.items():
        record_property(f"{name}, % of a core", round(100 * fraction, 2))
    assert cost["monitoring"] - cost["without_jobs"] <= MAX_FRACTION
