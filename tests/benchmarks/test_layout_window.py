"""How fast the Layout stage draws an edit in a long layout, compared with a short one and with a bare loop.

Garbage is collected as it is while the window runs: Python's own collections would traverse all objects of
the test process in the middle of an action.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtWidgets import QApplication

from batchwright.layout.editing.edits import MoveRows, SetAttributes
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.model import Layout
from batchwright.ui.core.interpreter import gc_on_this_thread
from batchwright.ui.theme import ColorSchemePreference, Theme
from batchwright.ui.theme.style import install
from tests.benchmarks.bare_loop import loop_seconds
from tests.desktop.window_process import WindowDriver
from tests.figures import CheckFigure
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


@contextmanager
def opened(folder: Path, *layouts: Layout) -> Iterator[list[WindowDriver]]:
    """A window on each layout."""
    install(Theme(ColorSchemePreference.LIGHT, 100, animations_enabled=False))
    with gc_on_this_thread():
        windows = [WindowDriver(layout, folder) for layout in layouts]
        settle()
        yield windows
    for window in windows:
        window.end()
    settle()


@pytest.fixture(scope="module")
def few_and_many(
    qapp: QApplication, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[WindowDriver]]:
    """Windows on two and on a thousand pages."""
    with opened(tmp_path_factory.mktemp("pages"), long_layout(2), long_layout(PAGES)) as windows:
        yield windows


@pytest.fixture(scope="module")
def short_and_tall(
    qapp: QApplication, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[WindowDriver]]:
    """Windows on a page with ten items and on one with a hundred."""
    with opened(tmp_path_factory.mktemp("items"), long_layout(1), single_page(100)) as windows:
        yield windows


def settle() -> None:
    """Process pending events until everything is drawn."""
    for _time in range(4):
        QApplication.processEvents()


def repaints(action: str, *windows: WindowDriver, times: int = 12) -> tuple[list[list[float]], float]:
    """CPU seconds from each of several actions to its repaint, sorted, for each window; and those of a loop.

    The windows and the loop take turns, so that what else the computer does slows down all. Thumbnails are
    drawn between the actions, as they are while a user does nothing. The first actions, which fill caches, do
    not count.
    """
    acts = [ACTS[action](window) for window in windows]
    seconds: list[list[float]] = [[] for _window in windows]
    loops = []
    for number in range(-_WARM_UP, times):
        loops.append(loop_seconds())
        for window, act, durations in zip(windows, acts, seconds, strict=True):
            while window.stage.panels.pages.page_delegate.renderer.is_busy:
                QApplication.processEvents()
            started = time.process_time()
            act(number + _WARM_UP)
            settle()
            if number >= 0:
                durations.append(time.process_time() - started)
    return [sorted(durations) for durations in seconds], median(loops)


def edit(window: WindowDriver) -> Callable[[int], object]:
    """Changes the question of the first item."""
    state = window.stage.state
    return lambda number: state.apply(SetAttributes("a", {"description": f"Question {number}"}))


def undo(window: WindowDriver) -> Callable[[int], object]:
    """Undoes and redoes edits."""
    state = window.stage.state
    for number in range(3):
        state.apply(SetAttributes("a", {"description": f"Question {number}"}))
    settle()
    return lambda number: state.study.undo() if number % 2 else state.study.redo()


def drop(window: WindowDriver) -> Callable[[int], object]:
    """Moves the first row to the end of the page."""
    state = window.stage.state

    def do() -> None:
        page = state.page
        assert page is not None
        state.apply(MoveRows((page.children[0].key,), InsertionPoint(page.key, len(page.children))))

    return lambda _number: do()


def jump(window: WindowDriver) -> Callable[[int], object]:
    """Shows distant pages."""
    selection, pages = window.stage.state.selection, window.stage.state.layout.pages
    return lambda number: selection.show_page(pages[(number * 377 + 1) % len(pages)].key)


ACTS = {"edit": edit, "undo": undo, "drop": drop, "jump": jump}


LOOPS = {"edit": 5.0, "undo": 5.0, "drop": 6.0, "jump": 12.0}
"""How many bare loops each action may take."""


@pytest.mark.quick
@pytest.mark.parametrize("name", ACTS)
def test_an_action_among_a_thousand_pages_is_drawn_fast(
    few_and_many: list[WindowDriver], figure: CheckFigure, name: str
) -> None:
    def measure() -> tuple[float, float]:
        (_in_few, in_many), loop = repaints(name, *few_and_many)
        return median(in_many), loop

    figure(f"{name} among 1,000 pages, to a bare loop", measure, LOOPS[name])


@pytest.mark.quick
@pytest.mark.parametrize("name", ACTS)
def test_an_action_among_a_thousand_pages_is_drawn_nearly_as_fast_as_among_few(
    few_and_many: list[WindowDriver], figure: CheckFigure, name: str
) -> None:
    def measure() -> tuple[float, float]:
        (in_few, in_many), _loop = repaints(name, *few_and_many)
        return median(in_many), median(in_few)

    figure(f"{name} among 1,000 pages, to among 2", measure, 2.5)


@pytest.mark.long
@pytest.mark.parametrize("name", ACTS)
def test_hardly_any_action_among_a_thousand_pages_takes_much_longer_than_most(
    few_and_many: list[WindowDriver], figure: CheckFigure, name: str
) -> None:
    def measure() -> tuple[float, float]:
        (_in_few, in_many), _loop = repaints(name, *few_and_many, times=40)
        return percentile_95(in_many), median(in_many)

    figure(f"{name} among 1,000 pages, 95th percentile to median", measure, 4)


@pytest.mark.long
@pytest.mark.parametrize("name", ["edit", "undo", "drop"])
def test_a_page_with_a_hundred_items_takes_less_than_ten_times_as_long_as_with_ten(
    short_and_tall: list[WindowDriver], figure: CheckFigure, name: str
) -> None:
    def measure() -> tuple[float, float]:
        (ten, hundred), _loop = repaints(name, *short_and_tall)
        return median(hundred), median(ten)

    figure(f"{name} on a page of 100 items, to one of 10", measure, 10)


def percentile_95(seconds: list[float]) -> float:
    """The 95th percentile of sorted numbers."""
    return seconds[int(len(seconds) * 0.95)]
