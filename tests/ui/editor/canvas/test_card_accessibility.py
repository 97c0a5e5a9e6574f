"""What a screen reader is told of cards and folds: state, place, actions, and their order."""

import pytest
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from batchwright.ui.editor import commands
from batchwright.ui.editor.canvas.cards import ItemCard
from batchwright.ui.editor.inspector.collapsible import CollapsibleHeader
from batchwright.ui.editor.keyboard_moves import Direction
from batchwright.ui.editor.stage import EditorStage
from tests.ui.editor.conftest import drawing, selected, settle
from tests.ui.test_accessibility import walk

pytestmark = pytest.mark.gui


def spoken(widget: QWidget | None) -> QAccessibleInterface:
    assert widget is not None
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface is not None
    return interface


def card(stage: EditorStage, key: str) -> QAccessibleInterface:
    return spoken(stage.panels.canvas.page_canvas.card_of(key))


def read_out(stage: EditorStage) -> str:
    """The cards in the order in which a screen reader comes to them, by their letters."""
    objects = [interface.object() for interface in walk(spoken(stage.panels.canvas.page_canvas))]
    keys = [widget.node.key for widget in objects if isinstance(widget, ItemCard)]
    assert keys == [card.node.key for card in stage.panels.canvas.page_canvas.cards()]
    return "".join(keys)


def do(stage: EditorStage, key: str, action: str) -> None:
    card(stage, key).actionInterface().doAction(action)
    settle()


def test_a_card_reports_whether_it_is_selected(stage: EditorStage) -> None:
    assert card(stage, "a").state().selectable
    assert not card(stage, "a").state().selected
    stage.model.reveal("a")
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
    do(stage, "b", "Select")
    assert selected(stage) == ["b"]
    do(stage, "a", "Move down")
    assert drawing(stage) == "ba / c|d // e"
    do(stage, "a", "Duplicate")
    assert drawing(stage) == "baa / c|d // e"
    do(stage, "b", "Remove")
    assert drawing(stage) == "aa / c|d // e"


def test_a_card_opens_its_menu(stage: EditorStage) -> None:
    do(stage, "b", "Show menu")
    menus = [
        widget
        for widget in QApplication.topLevelWidgets()
        if isinstance(widget, QMenu) and widget.isVisible()
    ]
    assert len(menus) == 1
    assert selected(stage) == ["b"]
    menus[0].close()


def test_cards_are_read_out_in_their_order_whatever_was_moved(stage: EditorStage) -> None:
    assert read_out(stage) == "abcd"
    stage.model.reveal("a")
    commands.move(stage.model, Direction.DOWN)
    settle()
    assert read_out(stage) == "bacd"
    stage.model.study.undo()
    stage.model.reveal("d")
    commands.move(stage.model, Direction.LEFT)
    settle()
    assert read_out(stage) == drawing(stage).split(" // ")[0].translate({ord(sign): None for sign in " /|"})


def test_a_collapsible_section_reports_whether_it_is_open(stage: EditorStage) -> None:
    stage.model.reveal("a")
    settle()
    head = stage.panels.inspector.findChild(CollapsibleHeader)
    assert head is not None
    text = spoken(head)
    assert (text.state().expandable, text.state().expanded, text.state().collapsed) == (1, 0, 1)
    text.actionInterface().doAction("Open")
    assert head.isChecked()
    assert (text.state().expandable, text.state().expanded, text.state().collapsed) == (1, 1, 0)
    assert text.text(QAccessible.Text.Name) == head.text()
