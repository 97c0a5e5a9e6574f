"""How quickly the Layout stage draws an edit in a long layout, against the same page alone (design.md 10)."""

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtWidgets import QApplication

from batchwright.layout.edits import SetAttributes
from batchwright.layout.model import Layout
from batchwright.ui.theme import Look, Theme
from batchwright.ui.theme.style import install
from tests.benchmarks.test_rules import quickest
from tests.desktop.window_process import Witness
from tests.layout.sketches import sketch

PAGES = 1000


def long_layout(pages: int) -> Layout:
    """Pages of ten questions, two to a row; the first question of all has the key `a`."""
    letters = ["a", *(chr(0x4E00 + number) for number in range(1, 10 * pages))]
    rows = [f"{letters[k]}|{letters[k + 1]}" for k in range(0, 10 * pages, 2)]
    return sketch(" // ".join(" / ".join(rows[k : k + 5]) for k in range(0, len(rows), 5)))


@pytest.fixture
def open_window(qapp: QApplication, tmp_path: Path) -> Iterator[Callable[[Layout], Witness]]:
    """Opens a window on a layout."""
    install(Theme(Look.LIGHT, 100, moves=False))
    opened: list[Witness] = []

    def make(layout: Layout) -> Witness:
        opened.append(Witness(layout, tmp_path))
        settle()
        return opened[-1]

    yield make
    for one in opened:
        one.end()
    settle()


def settle() -> None:
    """Let everything be drawn that waits to be."""
    for _time in range(4):
        QApplication.processEvents()


def drawing_an_edit(window: Witness) -> float:
    """Seconds from an edit of the page in view to its repaint."""
    numbers = count()

    def edit() -> None:
        window.stage.model.do(SetAttributes("a", {"description": f"Question {next(numbers)}"}))
        settle()

    return quickest(edit, 20)


@pytest.mark.long
def test_an_edit_among_a_thousand_pages_is_drawn_nearly_as_soon_as_on_one(
    open_window: Callable[[Layout], Witness], record_property: Callable[[str, object], None]
) -> None:
    alone = drawing_an_edit(open_window(long_layout(1)))
    among = drawing_an_edit(open_window(long_layout(PAGES)))
    record_property("milliseconds", round(among * 1000, 1))
    record_property("times_one_page", round(among / alone, 2))
    assert among < 3 * alone
