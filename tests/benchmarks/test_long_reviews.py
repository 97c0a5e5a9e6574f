"""How long a review of 10,000 changes blocks the event loop, and how fast items are counted after an edit."""

import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from batchwright.client.content_review import ContentVersion, DetailTexts, review_versions
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.item_types.registry import Item
from batchwright.layout.model import Layout
from batchwright.ui.review.dialog import AffectedAnswers, ReviewDialog
from batchwright.ui.review.rows import change_rows
from batchwright.ui.theme import ColorSchemePreference, Theme
from batchwright.ui.theme.style import install
from tests.benchmarks.bare_loop import loop_seconds
from tests.benchmarks.long_study import long_layout
from tests.figures import CheckFigure

pytestmark = [pytest.mark.long, pytest.mark.gui]

RUNS = 3
LAYOUT_MS = 1000
MAX_STALL_LOOPS = 16
"""How many bare loops an iteration of the event loop may take."""


def changed(layout: Layout) -> Layout:
    """The layout with another question in each item."""
    items = {item.key: item.with_attributes(description="Why not?") for _path, item in layout.walk()}
    return layout.with_items(items)


def longest_iteration(show: Callable[[], object]) -> float:
    """CPU seconds of the longest iteration of the event loop, with `show` as the first one."""
    ticks = [time.thread_time()]
    show()
    timer, loop = QTimer(), QEventLoop()
    timer.timeout.connect(lambda: ticks.append(time.thread_time()))
    ticks.append(time.thread_time())
    timer.start(1)
    QTimer.singleShot(LAYOUT_MS, loop.quit)
    loop.exec()
    timer.stop()
    return max(after - before for before, after in pairwise(ticks))


def test_a_review_of_ten_thousand_changes_does_not_stall_the_event_loop(
    qapp: QApplication, figure: CheckFigure
) -> None:
    install(Theme(ColorSchemePreference.LIGHT, 100, animations_enabled=False))
    layout, texts = long_layout(), DetailTexts("Cats")
    review = review_versions(ContentVersion(layout, texts), ContentVersion(changed(layout), texts))
    rows = change_rows(review, {})
    assert len(rows) > 20_000

    def measure() -> tuple[float, float]:
        dialogs: list[ReviewDialog] = []

        def show() -> None:
            assert not review.is_empty
            answers = AffectedAnswers("Cats", 5, review.affected_instructions)
            dialogs.append(ReviewDialog("Changes", "Send", rows, answers=answers))
            dialogs[0].show()
            dialogs[0].show_answers(dict.fromkeys(review.affected_instructions, 1))

        seconds = longest_iteration(show)
        dialogs[0].close()
        dialogs[0].deleteLater()
        return seconds, min(loop_seconds(time.thread_time) for _run in range(RUNS))

    figure("longest stall, review of 10,000 changes, to a bare loop", measure, MAX_STALL_LOOPS)


def test_counting_items_after_an_edit_takes_a_fraction_of_counting_them_all(figure: CheckFigure) -> None:
    def quickest(layouts: list[Layout]) -> float:
        seconds = []
        for layout in layouts:
            start = time.thread_time()
            layout.count(Item)
            seconds.append(time.thread_time() - start)
        return min(seconds)

    def measure() -> tuple[float, float]:
        complete = quickest([long_layout() for _run in range(RUNS)])
        layout = long_layout()
        layout.count(Item)
        edited = [SetAttributes("a", {"description": f"{run}"})(layout) for run in range(RUNS)]
        return quickest(edited), complete

    figure("counting items after an edit, to counting all", measure, 1 / 3, runs=3)
