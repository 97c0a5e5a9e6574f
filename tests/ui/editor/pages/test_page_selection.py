"""Several selected pages: selecting them by keyboard and pointer, and commands for all of them."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest

from batchwright.local.projects import Project
from batchwright.ui.editor.actions import selection_label
from batchwright.ui.editor.core import commands
from batchwright.ui.editor.core.keyboard_moves import Direction
from batchwright.ui.editor.core.state import EditorState
from batchwright.ui.editor.pages.page_list import PageList
from batchwright.ui.editor.pages.thumbnails import thumbnail_rect
from batchwright.ui.editor.stage import EditorStage
from tests.layout.builders import picture, sketch
from tests.ui.editor.conftest import StateFactory, drawing, settle
from tests.ui.editor.interaction import CTRL, LEFT, NONE, SimulatedDrag, payload_for

pytestmark = pytest.mark.gui

Key = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
FIVE = "a // b // c // d // e"


@pytest.fixture
def pages(stage: EditorStage) -> PageList:
    """The page list of five pages with the focus on the first."""
    study = stage.state.study
    study.open(Project("Study", layout=sketch(FIVE)), None)
    settle()
    stage.panels.pages.setFocus()
    stage.state.reveal("pa")
    settle()
    return stage.panels.pages


def click(pages: PageList, number: int, modifiers: Qt.KeyboardModifier = NONE) -> None:
    at = thumbnail_rect(pages.visualRect(pages.pages_model.index(number, 0))).center()
    QTest.mouseClick(pages.viewport(), LEFT, modifiers, at)
    settle()


def press(pages: PageList, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(pages, key, modifiers)
    settle()


def targets(stage: EditorStage) -> list[str]:
    """The keys of the nodes to which commands apply."""
    return list(stage.state.targets)


def highlighted(pages: PageList) -> list[int]:
    """The indexes of the pages shown as selected."""
    return sorted(index.row() for index in pages.selectionModel().selectedIndexes())


def test_shift_and_ctrl_with_a_click_select_pages_together(stage: EditorStage, pages: PageList) -> None:
    click(pages, 1)
    click(pages, 3, SHIFT)
    assert (targets(stage), highlighted(pages)) == (["pb", "pc", "pd"], [1, 2, 3])
    click(pages, 2, CTRL)
    assert (set(targets(stage)), highlighted(pages)) == ({"pb", "pd"}, [1, 3])
    click(pages, 0, CTRL)
    assert stage.state.selection.page == "pa"
    assert highlighted(pages) == [0, 1, 3]
    click(pages, 4)
    assert targets(stage) == ["pe"]


def test_arrows_with_shift_grow_and_shrink_the_selection(stage: EditorStage, pages: PageList) -> None:
    press(pages, Key.Key_Down)
    press(pages, Key.Key_Down, SHIFT)
    press(pages, Key.Key_Down, SHIFT)
    assert targets(stage) == ["pb", "pc", "pd"]
    press(pages, Key.Key_Up, SHIFT)
    assert targets(stage) == ["pb", "pc"]
    press(pages, Key.Key_End, SHIFT)
    assert targets(stage) == ["pb", "pc", "pd", "pe"]
    press(pages, Key.Key_Up)
    assert targets(stage) == ["pd"]


def test_ctrl_with_arrows_and_space_selects_pages_that_are_apart(stage: EditorStage, pages: PageList) -> None:
    press(pages, Key.Key_Down, CTRL)
    press(pages, Key.Key_Down, CTRL)
    assert targets(stage) == ["pa"]
    press(pages, Key.Key_Space, CTRL)
    assert targets(stage) == ["pa", "pc"]


def test_a_range_selection_starts_at_the_current_page(stage: EditorStage, pages: PageList) -> None:
    click(pages, 0)
    commands.go_to_page(stage.state, 3)
    settle()
    press(pages, Key.Key_Down, SHIFT)
    assert targets(stage) == ["pd", "pe"]


def test_ctrl_a_in_the_list_selects_all_pages(stage: EditorStage, pages: PageList) -> None:
    press(pages, Key.Key_A, CTRL)
    assert highlighted(pages) == [0, 1, 2, 3, 4]
    assert stage.state.selection.page == "pa"


def test_a_click_on_the_current_page_clears_the_selection_on_it(stage: EditorStage, pages: PageList) -> None:
    stage.state.reveal("a")
    settle()
    click(pages, 0)
    assert targets(stage) == ["pa"]


def test_list_and_outline_show_the_same_pages_selected(stage: EditorStage, pages: PageList) -> None:
    stage.toggle_outline()
    settle()
    outline = stage.panels.outline
    stage.state.select(("pa", "pc"))
    settle()
    assert highlighted(pages) == [0, 2]
    assert sorted(index.row() for index in outline.selectedIndexes()) == [0, 2]
    at = outline.visualRect(outline.model().index(4, 0)).center()
    QTest.mouseClick(outline.viewport(), LEFT, CTRL, at)
    settle()
    assert highlighted(pages) == [0, 2, 4]
    QTest.mouseClick(outline.viewport(), LEFT, CTRL, at)
    settle()
    assert highlighted(pages) == [0, 2]


def test_the_selection_is_named_to_screen_readers_in_menus_and_in_the_inspector(
    stage: EditorStage, pages: PageList
) -> None:
    click(pages, 2, SHIFT)
    spoken = QAccessible.queryAccessibleInterface(pages)
    assert spoken.text(QAccessible.Text.Description) == "3 pages selected"
    assert [spoken.child(number).state().selected for number in range(5)] == [1, 1, 1, 0, 0]
    assert selection_label(stage.state) == "3 pages"
    assert stage.panels.inspector.form is None


def test_the_number_of_selected_pages_is_announced_once(
    stage: EditorStage, pages: PageList, monkeypatch: pytest.MonkeyPatch
) -> None:
    text: list[str] = []
    monkeypatch.setattr(
        "batchwright.ui.editor.editor_panels.announce", lambda _where, sentence: text.append(sentence)
    )
    click(pages, 1, SHIFT)
    click(pages, 2, SHIFT)
    stage.panels.refresh()
    click(pages, 0)
    assert text == ["2 pages selected", "3 pages selected"]


@pytest.mark.parametrize(
    ("command", "after", "selected_keys"),
    [
        (commands.remove, "a // c // e", ("pe",)),
        (commands.cut, "a // c // e", ("pe",)),
        (commands.duplicate, "a // b // c // d // b // d // e", None),
        (lambda state: commands.move(state, Direction.DOWN), "a // c // e // b // d", ("pb", "pd")),
        (lambda state: commands.move(state, Direction.UP), "b // d // a // c // e", ("pb", "pd")),
    ],
)
def test_a_command_applies_to_all_selected_pages_in_one_step(
    state_factory: StateFactory,
    command: Callable[[EditorState], None],
    after: str,
    selected_keys: tuple[str, ...] | None,
) -> None:
    state = state_factory(FIVE)
    state.select(("pb", "pd"))
    command(state)
    assert picture(state.layout) == after
    if selected_keys is None:
        assert len(state.targets) == 2
        assert not {"pb", "pd"} & set(state.targets)
    else:
        assert state.targets == selected_keys
    state.study.undo()
    assert picture(state.layout) == FIVE
    assert state.study.history.undo_label is None


def test_separate_pages_are_gathered_at_the_edge(state_factory: StateFactory) -> None:
    state = state_factory(FIVE)
    state.select(("pc", "pe"))
    commands.move(state, Direction.DOWN)
    assert picture(state.layout) == "a // b // d // c // e"
    commands.move(state, Direction.DOWN)
    assert picture(state.layout) == "a // b // d // c // e"


def test_cut_pages_are_pasted_after_the_last_selected_one(state_factory: StateFactory) -> None:
    state = state_factory(FIVE)
    state.select(("pa", "pb"))
    commands.cut(state)
    state.select(("pe", "pd"))
    commands.paste(state)
    assert picture(state.layout) == "c // d // e // a // b"
    assert set(state.targets) == {"pa", "pb"}


def test_when_all_pages_are_removed_none_is_selected(state_factory: StateFactory) -> None:
    state = state_factory(FIVE)
    state.select(("pa", "pb", "pc", "pd", "pe"))
    commands.remove(state)
    assert (state.layout.pages, state.targets, state.page) == ((), (), None)


def test_escape_keeps_only_the_current_page_selected(state_factory: StateFactory) -> None:
    state = state_factory(FIVE)
    state.select(("pa", "pc"))
    commands.select_parent(state)
    assert state.targets == ("pc",)


def test_several_pages_are_dragged_together(stage: EditorStage, pages: PageList) -> None:
    stage.state.select(("pb", "pa"))
    settle()
    drag = SimulatedDrag(pages.viewport(), payload_for(stage, *stage.state.targets))
    below = pages.visualRect(pages.pages_model.index(4, 0)).bottomLeft() + QPoint(40, -2)
    assert drag.over(below)
    assert drag.drop(below)
    assert drawing(stage) == "c // d // e // a // b"
    assert set(stage.state.targets) == {"pa", "pb"}
    assert highlighted(pages) == [3, 4]


def test_pressing_one_of_several_selected_cards_keeps_the_selection_until_release(
    stage: EditorStage, pages: PageList, monkeypatch: pytest.MonkeyPatch
) -> None:
    dragged: list[tuple[str, ...]] = []
    monkeypatch.setattr(
        "batchwright.ui.editor.start_drag.run_drag",
        lambda _source, mime: dragged.append(mime.payload.keys),
    )
    click(pages, 2, SHIFT)
    start = thumbnail_rect(pages.visualRect(pages.pages_model.index(1, 0))).center()
    QTest.mousePress(pages.viewport(), LEFT, NONE, start)
    settle()
    assert highlighted(pages) == [0, 1, 2]
    QTest.mouseMove(pages.viewport(), start + QPoint(0, 40))
    settle()
    assert dragged == [("pa", "pb", "pc")]
    QTest.mouseRelease(pages.viewport(), LEFT, NONE, start)
    click(pages, 1)
    assert highlighted(pages) == [1]
