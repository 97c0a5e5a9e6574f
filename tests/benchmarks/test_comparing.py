"""How the time to compare two layouts grows with their length."""

from collections.abc import Callable
from time import process_time

import pytest

from batchwright.layout.comparison import compare_layouts
from batchwright.layout.model import Layout
from batchwright.layout.serialization import read, sequential_keys
from tests.analysis.answers import layout

PAGES = 250
FACTOR = 4
RUNS = 3
MAX_GROWTH = 8
"""Maximum growth of the time by a layout that is `FACTOR` times longer; quadratic growth would be 16."""


def seconds(pages: int) -> float:
    """The shortest CPU time to compare a layout with its pages in reverse order."""
    content = [page for _page in range(pages) for page in layout()]
    before, again = read(content, sequential_keys()), read(content, sequential_keys())
    after = Layout(again.pages[::-1])
    found = []
    for _run in range(RUNS):
        start = process_time()
        compare_layouts(before, after)
        found.append(process_time() - start)
    return min(found)


@pytest.mark.long
def test_the_time_to_compare_layouts_grows_with_their_length(
    record_property: Callable[[str, object], None],
) -> None:
    growth = seconds(FACTOR * PAGES) / seconds(PAGES)
    record_property("growth of the time", round(growth, 1))
    assert growth < MAX_GROWTH
