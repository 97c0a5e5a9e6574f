"""How long the event loop computes while a million answers in a file are opened and analysed in a window."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.benchmarks.test_stalls import stalls

ANSWERS = 1_000_000
RUNS = 3
MAX_STALL_S = 0.1
"""Maximum seconds of CPU time of a stall; building and painting a page takes about half of it."""
OPENING = {"start", "open Results"}
"""Steps that other tests measure."""


@pytest.mark.long
@pytest.mark.gui
@pytest.mark.timeout(1200)
def test_no_step_with_a_million_answers_computes_long_on_the_event_loop(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    runs = [stalls("large_results", tmp_path / str(time), str(ANSWERS)) for time in range(RUNS)]
    for step in runs[0].keys() - OPENING:
        shortest = min(run[step][1] for run in runs)
        record_property(f"{step}, ms of CPU time", round(1000 * shortest, 1))
        assert shortest < MAX_STALL_S, step
