"""How fast the Layout stage draws an edit in a long layout, compared with the same page alone.

Garbage is collected as it is while the window runs: Python's own collections would traverse all objects of
the test process in the middle of an action.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtWidgets import QApplication

from batchwright.layout.edits import MoveRows, SetAttributes
from batchwright.layout.model import Layout
from batchwright.layout.tree_edits import InsertionPoint
from batchwright.ui.core.interpreter import gc_on_this_thread
from batchwright.ui.theme import ColorSchemePreference, Theme
from batchwright.ui.theme.style import install
from tests.desktop.window_process import WindowDriver
from tests.layout.builders import sketch

PAGES = 1000
_WARM_UP = 4


def long_layout(pages: int) -> Layout:
    """Pages of ten questions, two per row; the first question has the key `a`."""
    letters = ["a", *(chr(0x4E00 + number) for number in range(1, 10 * pages))]
    rows = [f"{letters[k]}|{letters[k + 1]}" for k in range(0, 10 * pages, 2)]
    return sketch(" // ".join(" / ".join(rows[k : k + 5]) for k in range(0, len(rows), 5)))


def single_page(items: int) -> Layout:
    """One page of questions, two per row; the first has the key `a`."""
    pages = long_layout(items // 10).pages
    merged = pages[0].with_children([row for page in pages for row in page.children])
    return Layout().with_children([merged])


@pytest.fixture
def open_window(qapp: QApplication, tmp_path: Path) -> Iterator[Callable[[Layout], WindowDriver]]:
    """Opens a window on a layout."""
    install(Theme(ColorSchemePreference.LIGHT, 100, animations_enabled=False))
    opened: list[WindowDriver] = []

    def create(layout: Layout) -> WindowDriver:
        opened.append(WindowDriver(layout, tmp_path))
        settle()
        return opened[-1]

    with gc_on_this_thread():
        yield create
    for window in opened:
        window.end()
    settle()


def settle() -> None:
    """Process pending events until everything is drawn."""
    for _time in range(4):
        QApplication.processEvents()


def repaints(action: str, *windows: WindowDriver, times: int = 40) -> list[list[float]]:
    """CPU seconds from each of several actions to its repaint, sorted, for each window.

    The windows take turns, so that what else the computer does slows down both. Thumbnails are drawn between
    the actions, as they are while a user does nothing. The first actions, which fill caches, do not count.
    """
    acts = [ACTS[action](window) for window in windows]
    seconds: list[list[float]] = [[] for _window in windows]
    for number in range(-_WARM_UP, times):
        for window, act, durations in zip(windows, acts, seconds, strict=True):
            while window.stage.panels.pages.page_delegate.renderer.is_busy:
                QApplication.processEvents()
            started = time.process_time()
            act(number + _WARM_UP)
            settle()
            if number >= 0:
                durations.append(time.process_time() - started)
    return [sorted(durations) for durations in seconds]


def edit(window: WindowDriver) -> Callable[[int], object]:
    """Changes the question of the first item."""
    model = window.stage.model
    return lambda number: model.apply(SetAttributes("a", {"description": f"Question {number}"}))


def undo(window: WindowDriver) -> Callable[[int], object]:
    """Undoes and redoes edits."""
    model = window.stage.model
    for number in range(3):
        model.apply(SetAttributes("a", {"description": f"Question {number}"}))
    settle()
    return lambda number: model.study.undo() if number % 2 else model.study.redo()


def drop(window: WindowDriver) -> Callable[[int], object]:
    """Moves the first row to the end of the page."""
    model = window.stage.model

    def do() -> None:
        page = model.page
        assert page is not None
        model.apply(MoveRows((page.children[0].key,), InsertionPoint(page.key, len(page.children))))

    return lambda _number: do()


def jump(window: WindowDriver) -> Callable[[int], object]:
    """Shows distant pages."""
    selection, pages = window.stage.model.selection, window.stage.model.layout.pages
    return lambda number: selection.show_page(pages[(number * 377 + 1) % len(pages)].key)


ACTS = {"edit": edit, "undo": undo, "drop": drop, "jump": jump}


@pytest.mark.long
@pytest.mark.parametrize("name", ACTS)
def test_an_action_among_a_thousand_pages_is_drawn_nearly_as_fast_as_among_few(
    open_window: Callable[[Layout], WindowDriver], record_property: Callable[[str, object], None], name: str
) -> None:
    few, many = open_window(long_layout(2)), open_window(long_layout(PAGES))
    in_few, in_many = repaints(name, few, many)
    record_figures(record_property, in_many)
    record_property("times_two_pages", round(median(in_many) / median(in_few), 2))
    assert median(in_many) < 2.5 * median(in_few)
    assert percentile_95(in_many) < 4 * median(in_many)


@pytest.mark.long
@pytest.mark.parametrize("name", ["edit", "undo", "drop"])
def test_a_page_with_a_hundred_items_takes_less_than_ten_times_as_long_as_with_ten(
    open_window: Callable[[Layout], WindowDriver], record_property: Callable[[str, object], None], name: str
) -> None:
    short, tall = open_window(long_layout(1)), open_window(single_page(100))
    ten, hundred = repaints(name, short, tall)
    record_figures(record_property, hundred)
    record_property("times_ten_items", round(median(hundred) / median(ten), 2))
    assert median(hundred) < 10 * median(ten)


def record_figures(record_property: Callable[[str, object], None], seconds: Sequence[float]) -> None:
    """Record median and 95th percentile, in milliseconds."""
    record_property("median_ms", round(median(seconds) * 1000, 1))
    record_property("p95_ms", round(percentile_95(seconds) * 1000, 1))


def percentile_95(seconds: Sequence[float]) -> float:
    """The 95th percentile of sorted numbers."""
    return seconds[int(len(seconds) * 0.95)]
