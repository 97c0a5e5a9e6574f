"""The CPU time of an idle window that monitors twenty jobs."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.benchmarks.bare_loop import loop_seconds
from tests.figures import CheckFigure
from tests.flows.program import ROOT

pytestmark = [pytest.mark.long, pytest.mark.gui, pytest.mark.timeout(600)]

MAX_LOOPS = 150
"""How many bare loops a minute may take: about six thousandths of one core."""


def test_monitoring_twenty_jobs_takes_almost_no_cpu_time(tmp_path: Path, figure: CheckFigure) -> None:
    def measure() -> tuple[float, float]:
        with TemporaryDirectory(dir=tmp_path) as profile:
            command = [sys.executable, "-m", "tests.benchmarks.idle_jobs", profile]
            run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        return float(run.stdout.splitlines()[-1]), min(loop_seconds() for _run in range(5))

    figure("a minute with twenty jobs, to a bare loop", measure, MAX_LOOPS, runs=2)
