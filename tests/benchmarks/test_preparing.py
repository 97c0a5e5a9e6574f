"""How fast a million rows go through the steps of a preparation, and how much memory that needs."""

import json
import sys
import time
from pathlib import Path

import pytest

from batchwright.data_files.process_job import Completed, ProcessJob
from tests.benchmarks.preparation import ROWS, prepare_and_weigh, write_outputs
from tests.figures import CheckFigure

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(900),
    pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process's memory is read from /proc"),
]

MOST_BYTES = 300e6
MOST_LOOPS = 2.8
"""How many bare loops over the rows the steps may take: ten seconds, or a few more on a busy computer."""


def bare_seconds(path: Path, target: Path) -> float:
    """The CPU seconds of reading and writing every record."""
    started = time.process_time()
    with path.open("rb") as records, target.open("wb") as out:
        for line in records:
            out.write(json.dumps(json.loads(line), ensure_ascii=False).encode() + b"\n")
    return time.process_time() - started


def test_a_million_rows_go_through_the_steps(tmp_path: Path, figure: CheckFigure) -> None:
    path = tmp_path / "outputs.jsonl"
    offsets = write_outputs(path)
    assert len(offsets) == ROWS
    (last,) = ProcessJob(prepare_and_weigh, path, offsets, tmp_path / "prepared.jsonl").messages()
    assert isinstance(last, Completed)
    seconds, weight = last.result
    bare = bare_seconds(path, tmp_path / "bare.jsonl")
    figure("preparing a million rows, to a bare loop", lambda: (seconds, bare), MOST_LOOPS, runs=1)
    figure("memory of preparing a million rows, to 300 MB", lambda: (weight, MOST_BYTES), 1, runs=1, unit="B")
