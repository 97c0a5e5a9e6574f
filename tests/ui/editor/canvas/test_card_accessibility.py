"""Accessibility of cards and collapsible sections: state, position, actions and order."""

import pytest
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from batchwright.ui.editor.canvas.cards import ItemCard
from batchwright.ui.editor.core import commands
from batchwright.ui.editor.core.keyboard_moves import Direction
from batchwright.ui.editor.inspector.collapsible import CollapsibleHeader
from batchwright.ui.editor.stage import EditorStage
from tests.ui.accessibility import walk
from tests.ui.editor.conftest import drawing, selected, settle

pytestmark = pytest.mark.gui


def spoken(widget: QWidget | None) -> QAccessibleInterface:
    assert widget is not None
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface is not None
    return interface


def card(stage: EditorStage, key: str) -> QAccessibleInterface:
    return spoken(stage.panels.canvas.page_canvas.card_of(key))


def read_out(stage: EditorStage) -> str:
    """The letters of the cards in the order of the accessibility tree."""
    objects = [interface.object() for interface in walk(spoken(stage.panels.canvas.page_canvas))]
    keys = [widget.node.key for widget in objects if isinstance(widget, ItemCard)]
    assert keys == [card.node.key for card in stage.panels.canvas.page_canvas.cards()]
    return "".join(keys)


def run_steps(stage: EditorStage, key: str, action: str) -> None:
    card(stage, key).actionInterface().doAction(action)
    settle()


def test_a_card_reports_whether_it_is_selected(stage: EditorStage) -> None:
    assert card(stage, "a").state().selectable
    assert not card(stage, "a").state().selected
    stage.state.reveal("a")
    settle()
    assert card(stage, "a").state().selected
    assert not card(stage, "b").state().selected


def test_a_card_describes_its_position(stage: EditorStage) -> None:
    description = card(stage, "d").text(QAccessible.Text.Description)
    assert description == "page 1, row 2, column 2, item 1"


def test_a_card_is_selected_moved_copied_and_removed_by_its_actions(stage: EditorStage) -> None:
    names = card(stage, "a").actionInterface().actionNames()
    assert names[:3] == ["Select", "Open", "Show menu"]
    assert {"Duplicate", "Remove", "Move up", "Move down", "Move left", "Move right"} <= set(names)
    run_steps(stage, "b", "Select")
    assert selected(stage) == ["b"]
    run_steps(stage, "a", "Move down")
    assert drawing(stage) == "ba / c|d // e"
    run_steps(stage, "a", "Duplicate")
    assert drawing(stage) == "baa / c|d // e"
    run_steps(stage, "b", "Remove")
    assert drawing(stage) == "aa / c|d // e"


def test_a_card_opens_its_menu(stage: EditorStage) -> None:
    run_steps(stage, "b", "Show menu")
    menus = [
        widget
        for widget in QApplication.topLevelWidgets()
        if isinstance(widget, QMenu) and widget.isVisible()
    ]
    assert len(menus) == 1
    assert selected(stage) == ["b"]
    menus[0].close()


def test_the_accessibility_tree_has_the_cards_in_reading_order(stage: EditorStage) -> None:
    assert read_out(stage) == "abcd"
    stage.state.reveal("a")
    commands.move(stage.state, Direction.DOWN)
    settle()
    assert read_out(stage) == "bacd"
    stage.state.study.undo()
    stage.state.reveal("d")
    commands.move(stage.state, Direction.LEFT)
    settle()
    assert read_out(stage) == drawing(stage).split(" // ")[0].translate({ord(sign): None for sign in " /|"})


def test_a_collapsible_section_reports_whether_it_is_open(stage: EditorStage) -> None:
    stage.state.reveal("a")
    settle()
    head = stage.panels.inspector.findChild(CollapsibleHeader)
    assert head is not None
    text = spoken(head)
    assert (text.state().expandable, text.state().expanded, text.state().collapsed) == (1, 0, 1)
    text.actionInterface().doAction("Open")
    assert head.isChecked()
    assert (text.state().expandable, text.state().expanded, text.state().collapsed) == (1, 1, 0)
    assert text.text(QAccessible.Text.Name) == head.text()
