"""The outline: drops, keyboard and accessible texts."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.item_types.registry import FreeText
from batchwright.layout.nodes import Level
from batchwright.ui.editor.core import commands
from batchwright.ui.editor.outline.model import OutlineModel
from batchwright.ui.editor.outline.outline import Outline, Side, drop_position
from batchwright.ui.editor.stage import EditorStage
from tests.layout.builders import sketch
from tests.ui.conftest import focused
from tests.ui.editor.conftest import drawing, selected, settle
from tests.ui.editor.interaction import CTRL, NONE, SimulatedDrag, payload_for

pytestmark = pytest.mark.gui


@pytest.fixture
def outline(stage: EditorStage) -> Outline:
    """The outline of `ab / c|d // e` with the first page expanded."""
    stage.toggle_outline()
    settle()
    shown = stage.panels.outline
    for key in ("pa", "ra", "ca", "rc", "cc", "cd"):
        shown.expand(model(shown).index_of(key))
    settle()
    return shown


def model(outline: Outline) -> OutlineModel:
    shown = outline.model()
    assert isinstance(shown, OutlineModel)
    return shown


def at(outline: Outline, key: str, share: float = 0.5) -> QPoint:
    """A point on the row of a node."""
    rect = outline.visualRect(model(outline).index_of(key))
    return QPoint(rect.center().x(), rect.top() + round(rect.height() * share))


@pytest.mark.parametrize(
    ("key", "share", "level", "gap", "side"),
    [
        ("a", 0.2, Level.ITEM, InsertionPoint("ca", 0), Side.BEFORE),
        ("a", 0.8, Level.ITEM, InsertionPoint("ca", 1), Side.AFTER),
        ("ra", 0.5, Level.ITEM, InsertionPoint("ra", 1), Side.INSIDE),
        ("pe", 0.5, Level.ROW, InsertionPoint("pe", 1), Side.INSIDE),
        ("pe", 0.1, Level.ITEM, InsertionPoint(None, 1), Side.BEFORE),
        ("ra", 0.5, Level.ROW, InsertionPoint("pa", 1), Side.AFTER),
        ("d", 0.1, Level.PAGE, InsertionPoint(None, 1), Side.AFTER),
        ("pe", 0.4, Level.PAGE, InsertionPoint(None, 1), Side.BEFORE),
    ],
)
def test_a_position_in_the_tree_is_an_insertion_point_for_the_payload(
    key: str, share: float, level: Level, gap: InsertionPoint, side: Side
) -> None:
    tree = OutlineModel()
    tree.show_layout(sketch("ab / c|d // e"), None)
    node = tree.node(tree.index_of(key))
    assert node is not None
    place = drop_position(node, share, level, is_open=False)
    assert (place.insertion_point, place.side) == (gap, side)


def test_below_an_open_page_is_before_its_first_row() -> None:
    tree = OutlineModel()
    tree.show_layout(sketch("a / b"), None)
    node = tree.node(tree.index_of("pa"))
    assert node is not None
    assert drop_position(node, 0.9, Level.ROW, is_open=True).insertion_point == InsertionPoint("pa", 0)


def test_an_item_is_dropped_in_the_outline(stage: EditorStage, outline: Outline) -> None:
    drag = SimulatedDrag(outline.viewport(), payload_for(stage, "d"))
    assert drag.over(at(outline, "b", 0.2))
    assert drag.drop(at(outline, "b", 0.2))
    assert drawing(stage) == "adb / c // e"
    assert selected(stage) == ["d"]


def test_with_ctrl_a_drop_in_the_outline_copies(stage: EditorStage, outline: Outline) -> None:
    drag = SimulatedDrag(outline.viewport(), payload_for(stage, "pe"))
    drag.over(at(outline, "pa", 0.1), CTRL)
    drag.drop(at(outline, "pa", 0.1), CTRL)
    assert drawing(stage) == "e // ab / c|d // e"


def test_an_invalid_drop_is_rejected_in_the_outline(stage: EditorStage, outline: Outline) -> None:
    drag = SimulatedDrag(outline.viewport(), payload_for(stage, "a"))
    assert not drag.over(at(outline, "rc", 0.5), NONE)
    assert outline.drop_target.preview is not None
    assert outline.drop_target.preview.rejection == "A row has at most 2 columns."
    assert stage.panels.rejected_hint.isVisible()
    assert stage.panels.rejected_hint.text() == "A row has at most 2 columns."


def test_shortcuts_work_in_the_outline_as_on_the_canvas(stage: EditorStage, outline: Outline) -> None:
    outline.setFocus()
    stage.state.reveal("a")
    settle()
    QTest.keyClick(focused(), Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    settle()
    assert drawing(stage) == "ba / c|d // e"
    QTest.keyClick(focused(), Qt.Key.Key_Delete)
    settle()
    assert drawing(stage) == "b / c|d // e"
    assert focused() is outline
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    settle()
    assert stage.panels.inspector.isAncestorOf(focused())


def test_arrows_and_shift_select_in_the_outline(stage: EditorStage, outline: Outline) -> None:
    outline.setFocus()
    stage.state.reveal("a")
    settle()
    QTest.keyClick(outline, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    settle()
    assert selected(stage) == ["a", "b"]
    QTest.keyClick(outline, Qt.Key.Key_Up)
    settle()
    assert selected(stage) == ["a"]


def test_nodes_of_different_levels_are_not_selected_together(stage: EditorStage, outline: Outline) -> None:
    QTest.mouseClick(outline.viewport(), Qt.MouseButton.LeftButton, NONE, at(outline, "a"))
    QTest.mouseClick(outline.viewport(), Qt.MouseButton.LeftButton, CTRL, at(outline, "rc"))
    settle()
    assert selected(stage) == ["rc"]


def test_the_outline_shows_page_names_and_problem_severities(stage: EditorStage, outline: Outline) -> None:
    stage.state.study.set_page_name("pe", "Thanks")
    stage.state.reveal("e")
    commands.insert(stage.state, commands.new_item(FreeText))
    settle()
    page = model(outline).index_of("pe")
    assert page.data() == "Page 2  Thanks"
    assert page.data(Qt.ItemDataRole.AccessibleDescriptionRole) == "has fields to fill in"
    assert model(outline).index_of("pa").data(Qt.ItemDataRole.AccessibleDescriptionRole) == ""


def test_a_range_selection_starts_at_the_node_selected_elsewhere(
    stage: EditorStage, outline: Outline
) -> None:
    QTest.mouseClick(outline.viewport(), Qt.MouseButton.LeftButton, NONE, at(outline, "c"))
    stage.state.reveal("a")
    settle()
    outline.setFocus()
    QTest.keyClick(outline, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    settle()
    assert selected(stage) == ["a", "b"]
    QTest.keyClick(outline, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    settle()
    assert selected(stage) == ["a"]
