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
def chooser(qtbot: QtBot, theme: Theme) -> ConflictChooser:
    chooser = ConflictChooser(conflicts(12), {})
    qtbot.addWidget(chooser)
    chooser.resize(600, 400)
    chooser.show()
    qtbot.waitUntil(lambda: not chooser.list.side_area(1, MergeSide.MINE).isEmpty())
    return chooser


def test_a_click_or_an_arrow_key_chooses_a_side(chooser: ConflictChooser, qtbot: QtBot) -> None:
    shown, model = chooser.list, chooser.model
    for side in (MergeSide.THEIRS, MergeSide.MINE):
        area = shown.side_area(1, side)
        QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=area.center())
        assert model.sides == {(ConflictKind.ATTRIBUTES, "1"): side}
    shown.setFocus()
    QTest.keyClick(shown, Qt.Key.Key_Down)
    QTest.keyClick(shown, Qt.Key.Key_Right)
    assert model.sides[ConflictKind.ATTRIBUTES, "2"] is MergeSide.THEIRS
    QTest.keyClick(shown, Qt.Key.Key_Left)
    assert model.sides[ConflictKind.ATTRIBUTES, "2"] is MergeSide.MINE
    assert model.undecided == 10
    right = shown.side_area(0, MergeSide.THEIRS)
    QTest.mouseClick(shown.viewport(), Qt.MouseButton.RightButton, pos=right.center())
    assert model.undecided == 10


def test_the_list_says_what_differs_and_which_side_is_chosen(chooser: ConflictChooser) -> None:
    text = chooser.model.index(3, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert text == "Free text 3, Page 3, Question, mine: Mine 3?, theirs: Theirs 3?, no side chosen"
    chooser.model.choose(3, MergeSide.THEIRS)
    assert chooser.model.index(3, 0).data().endswith(", their side chosen")


def test_the_buttons_decide_what_the_filter_shows(chooser: ConflictChooser) -> None:
    (search,), (shown,) = chooser.findChildren(SearchField), chooser.findChildren(SegmentedControl)
    model = chooser.model
    search.setText("MINE 1")
    assert [row.title for row in model.rows] == ["Free text 1", "Free text 10", "Free text 11"]
    model.choose_all(MergeSide.THEIRS)
    search.clear()
    assert (model.row_count(), model.undecided) == (12, 9)
    shown.choose("undecided")
    assert model.row_count() == 9
    model.choose(0, MergeSide.MINE)
    assert model.row_count() == 9
    model.choose_all(MergeSide.MINE)
    assert (model.undecided, model.sides[ConflictKind.ATTRIBUTES, "10"]) == (0, MergeSide.THEIRS)
    shown.choose("all")
    assert model.row_count() == 12


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
    timed(lambda: dialog.chooser.model.show_matching("mine 49", is_undecided=False))
    assert dialog.chooser.model.row_count() == 111
    timed(lambda: dialog.chooser.model.choose_all(MergeSide.THEIRS))
    timed(lambda: dialog.chooser.model.show_matching("", is_undecided=True))
    timed(lambda: dialog.chooser.model.choose_all(MergeSide.MINE))
    assert dialog.accept_button.isEnabled()
    assert slowest < 0.25
    dialog.accept_button.click()
    assert await task
    assert len(sides) == 5000
