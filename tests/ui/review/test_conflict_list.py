"""The list in which a side is chosen for each change at the same place."""

import asyncio
from time import perf_counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from batchwright.layout.comparing.merge import ConflictKind, MergeSide
from batchwright.ui.review.conflict_dialog import ConflictsDialog
from batchwright.ui.review.conflict_list import ConflictChooser, Sides
from batchwright.ui.review.conflicts import ConflictRow
from batchwright.ui.review.rows import ValueRow
from batchwright.ui.shell.window import Window
from batchwright.ui.theme.theme import Theme
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.toggles import SegmentedControl
from tests.ui.conftest import until
from tests.ui.spoken_rows import spoken_rows

pytestmark = pytest.mark.gui


def conflicts(count: int) -> tuple[ConflictRow, ...]:
    return tuple(
        ConflictRow(
            (ConflictKind.ATTRIBUTES, str(n)),
            f"Free text {n}",
            f"Page {n}",
            (ValueRow("Question", f"Mine {n}?", f"Theirs {n}?"),),
        )
        for n in range(count)
    )


@pytest.fixture
def sides() -> Sides:
    return {}


@pytest.fixture
def chooser(qtbot: QtBot, theme: Theme, sides: Sides) -> ConflictChooser:
    chooser = ConflictChooser(conflicts(12), sides)
    qtbot.addWidget(chooser)
    chooser.resize(600, 400)
    chooser.show()
    qtbot.waitUntil(lambda: not chooser.list.area(1).box.isEmpty())
    return chooser


def click(chooser: ConflictChooser, row: int, side: MergeSide, button: Qt.MouseButton) -> None:
    """Click on a side of a conflict."""
    area = chooser.list.area(row).sides[list(MergeSide).index(side)]
    QTest.mouseClick(chooser.list.viewport(), button, pos=area.center())


def test_a_click_or_an_arrow_key_chooses_a_side(chooser: ConflictChooser, sides: Sides) -> None:
    shown = chooser.list
    for side in (MergeSide.THEIRS, MergeSide.MINE):
        click(chooser, 1, side, Qt.MouseButton.LeftButton)
        assert sides == {(ConflictKind.ATTRIBUTES, "1"): side}
    shown.setFocus()
    QTest.keyClick(shown, Qt.Key.Key_Down)
    QTest.keyClick(shown, Qt.Key.Key_Right)
    assert sides[ConflictKind.ATTRIBUTES, "2"] is MergeSide.THEIRS
    QTest.keyClick(shown, Qt.Key.Key_Left)
    assert sides[ConflictKind.ATTRIBUTES, "2"] is MergeSide.MINE
    assert chooser.undecided == 10
    click(chooser, 0, MergeSide.THEIRS, Qt.MouseButton.RightButton)
    assert chooser.undecided == 10


def test_the_list_says_what_differs_and_which_side_is_chosen(chooser: ConflictChooser) -> None:
    text = "Free text 1, Page 1, Question, Mine: Mine 1?, Theirs: Theirs 1?, no side chosen"
    assert spoken_rows(chooser.list)[1] == text
    click(chooser, 1, MergeSide.THEIRS, Qt.MouseButton.LeftButton)
    assert spoken_rows(chooser.list)[1].endswith(", their side chosen")


def test_the_buttons_decide_what_the_filter_shows(chooser: ConflictChooser, sides: Sides) -> None:
    (search,), (shown,) = chooser.findChildren(SearchField), chooser.findChildren(SegmentedControl)
    search.setText("MINE 1")
    assert [row.title for row in chooser.list.entries] == ["Free text 1", "Free text 10", "Free text 11"]
    chooser.choose_all(MergeSide.THEIRS)
    search.clear()
    assert (len(chooser.list.entries), chooser.undecided) == (12, 9)
    shown.choose("undecided")
    assert len(chooser.list.entries) == 9
    click(chooser, 0, MergeSide.MINE, Qt.MouseButton.LeftButton)
    assert len(chooser.list.entries) == 9
    chooser.choose_all(MergeSide.MINE)
    assert (chooser.undecided, sides[ConflictKind.ATTRIBUTES, "10"]) == (0, MergeSide.THEIRS)
    shown.choose("all")
    assert len(chooser.list.entries) == 12


async def test_thousands_of_changes_are_shown_filtered_and_decided_without_a_stall(window: Window) -> None:
    rows = conflicts(5000)
    slowest = 0.0

    def timed(action: object) -> None:
        nonlocal slowest
        assert callable(action)
        started = perf_counter()
        action()
        slowest = max(slowest, perf_counter() - started)

    sides: Sides = {}
    dialog = ConflictsDialog(rows, sides)
    task = asyncio.create_task(dialog.ask(window))
    await until(dialog.isVisible)
    assert dialog.chooser.list.hasFocus()
    assert dialog.accept_button.toolTip() == "Choose a side for 5,000 changes first"
    (search,), (shown,) = dialog.findChildren(SearchField), dialog.findChildren(SegmentedControl)
    timed(lambda: search.setText("mine 49"))
    assert len(dialog.chooser.list.entries) == 111
    timed(lambda: dialog.chooser.choose_all(MergeSide.THEIRS))
    search.clear()
    timed(lambda: shown.choose("undecided"))
    timed(lambda: dialog.chooser.choose_all(MergeSide.MINE))
    assert dialog.accept_button.isEnabled()
    assert slowest < 0.25
    dialog.accept_button.click()
    assert await task
    assert len(sides) == 5000
