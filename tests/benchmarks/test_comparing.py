"""How the time to compare two layouts grows with their length."""

from functools import partial

import pytest

from batchwright.layout.comparing.comparison import compare_layouts
from batchwright.layout.model import Layout
from batchwright.layout.serialization import read, sequential_keys
from tests.analysis.answers import layout
from tests.benchmarks.test_rules import quickest
from tests.figures import CheckFigure

PAGES = 250
FACTOR = 4
MAX_GROWTH = 8
"""Maximum growth of the time by a layout that is `FACTOR` times longer; quadratic growth would be 16."""


def seconds(pages: int) -> float:
    """The shortest CPU time to compare a layout with its pages in reverse order."""
    content = [page for _page in range(pages) for page in layout()]
    before, again = read(content, sequential_keys()), read(content, sequential_keys())
    return quickest(partial(compare_layouts, before, Layout(again.pages[::-1])), 3)


@pytest.mark.long
def test_the_time_to_compare_layouts_grows_with_their_length(figure: CheckFigure) -> None:
    figure(
        "comparing 1,000 pages, to 250", lambda: (seconds(FACTOR * PAGES), seconds(PAGES)), MAX_GROWTH, runs=3
    )
