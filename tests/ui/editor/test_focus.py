"""The focus in the editor: announcements, keys and context menus."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget

from batchwright.layout.editing.edits import SetAttributes
from batchwright.ui.editor.canvas.cards import ItemCard
from batchwright.ui.editor.canvas.rows import ColumnWidget, RowWidget
from batchwright.ui.editor.core import commands
from batchwright.ui.editor.core.keyboard_moves import Direction
from batchwright.ui.editor.stage import EditorStage
from tests.ui.conftest import focused
from tests.ui.editor.conftest import drawing, selected, settle

pytestmark = pytest.mark.gui

Key = Qt.Key
ALT, CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(focused(), key, modifiers)
    settle()


def spoken_text(widget: QWidget) -> tuple[str, str]:
    """The accessible name and description of a widget."""
    spoken = QAccessible.queryAccessibleInterface(widget)
    return spoken.text(QAccessible.Text.Name), spoken.text(QAccessible.Text.Description)


def test_escape_selects_and_announces_each_ancestor(stage: EditorStage) -> None:
    stage.state.reveal("d")
    settle()
    results = []
    for _ in range(4):
        results.append((type(focused()), *spoken_text(focused())))
        press(Key.Key_Escape)
    assert results == [
        (ItemCard, "Free text: d", "page 1, row 2, column 2, item 1"),
        (ColumnWidget, "Column", "page 1, row 2, column 2"),
        (RowWidget, "Row", "page 1, row 2"),
        (type(stage.panels.canvas), "Page 1 of 2", "shown once for each record"),
    ]


def test_arrow_keys_move_between_rows_and_enter_opens_their_form(stage: EditorStage) -> None:
    stage.state.reveal("ra")
    settle()
    press(Key.Key_Down)
    assert selected(stage) == ["rc"]
    assert spoken_text(focused())[1] == "page 1, row 2"
    press(Key.Key_Up, ALT)
    assert drawing(stage) == "c|d / ab // e"
    press(Key.Key_Return)
    assert stage.panels.inspector.isAncestorOf(focused()) or focused() is stage.panels.inspector
    press(Key.Key_Escape)
    assert selected(stage) == ["rc"]
    assert isinstance(focused(), RowWidget)


def test_from_the_page_arrow_keys_move_to_its_items_and_enter_opens_its_form(stage: EditorStage) -> None:
    stage.panels.canvas.setFocus()
    press(Key.Key_Up)
    assert selected(stage) == ["d"]
    stage.selection.select(())
    stage.panels.canvas.setFocus()
    press(Key.Key_Down)
    assert selected(stage) == ["a"]
    stage.selection.select(())
    stage.panels.canvas.setFocus()
    press(Key.Key_Return)
    assert isinstance(focused(), QLineEdit)


def test_pages_of_the_list_are_moved_duplicated_removed_and_named_by_keys(stage: EditorStage) -> None:
    stage.panels.pages.setFocus()
    press(Key.Key_Down)
    assert stage.selection.page == "pe"
    press(Key.Key_Up, ALT)
    assert drawing(stage) == "e // ab / c|d"
    press(Key.Key_D, CTRL)
    assert drawing(stage) == "e // e // ab / c|d"
    press(Key.Key_Delete)
    assert drawing(stage) == "e // ab / c|d"
    press(Key.Key_F2)
    QTest.keyClicks(focused(), "Reasons")
    press(Key.Key_Return)
    assert stage.state.page_name(stage.selection.page or "") == "Reasons"


def test_a_page_is_cut_and_pasted_by_keys_with_its_name(stage: EditorStage) -> None:
    stage.state.study.set_page_name("pa", "Compare")
    stage.panels.pages.setFocus()
    press(Key.Key_X, CTRL)
    assert drawing(stage) == "e"
    press(Key.Key_V, CTRL)
    assert drawing(stage) == "e // ab / c|d"
    assert stage.state.page_name(stage.state.layout.pages[1].key) == "Compare"


def test_changing_the_page_reuses_all_cards_except_the_focused_one(stage: EditorStage) -> None:
    cards = {card.node.key: card for card in stage.panels.canvas.page_canvas.cards()}
    stage.state.reveal("a")
    settle()
    stage.state.selection.show_page("pe")
    settle()
    (shown,) = stage.panels.canvas.page_canvas.cards()
    assert shown in cards.values()
    assert shown is not cards["a"]
    assert spoken_text(shown) == ("Free text: e", "page 2, row 1, column 1, item 1")
    assert stage.panels.canvas.has_focus_within()


@pytest.mark.parametrize("key", ["a", "e"])
def test_a_reused_card_shows_nothing_of_its_previous_item(stage: EditorStage, key: str) -> None:
    stage.state.apply(SetAttributes("b", {"description": "", "helper_text": 7}))
    stage.state.reveal("b")
    settle()
    stage.state.reveal(key)
    settle()
    card = stage.panels.canvas.page_canvas.card_of(key)
    assert card is not None
    assert spoken_text(card)[0] == f"Free text: {key}"
    assert "helper" not in spoken_text(card)[1]


def menu() -> QMenu:
    found = QApplication.activePopupWidget()
    assert isinstance(found, QMenu)
    return found


def texts(shown: QMenu) -> list[str]:
    return [action.text() for action in shown.actions() if not action.isSeparator()]


def test_the_menu_of_an_item_splits_its_row(stage: EditorStage) -> None:
    canvas = stage.panels.canvas
    card = canvas.page_canvas.card_of("b")
    assert card is not None
    canvas.customContextMenuRequested.emit(card.mapTo(canvas, QPoint(40, 20)))
    settle()
    assert selected(stage) == ["b"]
    shown = menu()
    assert {"Cut item", "Paste", "Split into two columns", "Fix all problems of this kind"} <= set(
        texts(shown)
    )
    (split,) = [action for action in shown.actions() if action.text() == "Split into two columns"]
    split.trigger()
    shown.close()
    settle()
    assert drawing(stage) == "a|b / c|d // e"


def test_opening_the_menu_of_a_selected_item_keeps_the_selection(stage: EditorStage) -> None:
    canvas = stage.panels.canvas
    stage.state.selection.select(("a", "c"))
    settle()
    card = canvas.page_canvas.card_of("c")
    assert card is not None
    canvas.customContextMenuRequested.emit(card.mapTo(canvas, QPoint(40, 20)))
    assert "Remove 2 items" in texts(menu())
    menu().close()
    settle()


def test_the_page_menu_opens_in_the_list_and_outside_all_items(stage: EditorStage) -> None:
    for view, at in ((stage.panels.pages, QPoint(60, 40)), (stage.panels.canvas, QPoint(5, 300))):
        stage.state.reveal("a")
        settle()
        view.customContextMenuRequested.emit(at)
        assert {"Duplicate page", "Rename page", "Merge with next page"} <= set(texts(menu()))
        menu().close()
        settle()
        assert selected(stage) == []


def test_the_tab_order_is_the_reading_order(stage: EditorStage) -> None:
    stage.state.apply(SetAttributes("b", {"helper_text": 7}))
    stage.state.reveal("d")
    commands.move(stage.state, Direction.UP)
    stage.state.selection.show_page("pe")
    settle()
    stage.state.selection.show_page("pa")
    settle()
    cards = stage.panels.canvas.page_canvas.cards()
    stage.panels.canvas.header.tab_end.setFocus()
    results: list[QWidget] = []
    while len(results) < len(cards):
        press(Key.Key_Tab)
        if isinstance(focused(), ItemCard):
            results.append(focused())
        else:
            assert results, f"{spoken_text(focused())} stands before the cards"
    assert results == cards
