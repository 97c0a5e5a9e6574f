"""How long the event loop computes while a million answers in a file are opened and analysed in a window."""

from pathlib import Path

import pytest

from tests.benchmarks.test_stalls import longest_stall
from tests.figures import CheckFigure

ANSWERS = 1_000_000
MAX_LOOPS = 32
"""How many bare loops a stall may take; building and painting a page takes about half of it."""
OPENING = frozenset({"start", "open Results"})
"""Steps that other tests measure."""


@pytest.mark.long
@pytest.mark.gui
@pytest.mark.timeout(1200)
def test_no_step_with_a_million_answers_computes_long_on_the_event_loop(
    tmp_path: Path, figure: CheckFigure
) -> None:
    figure(
        "longest stall, a million answers, to a bare loop",
        lambda: longest_stall("large_results", tmp_path, str(ANSWERS), others=OPENING),
        MAX_LOOPS,
    )
