"""The Layout stage: drops with real events, keyboard, and reused widgets."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QRect, Qt, QUrl
from PySide6.QtGui import QAccessible, QCursor, QDrag, QDragMoveEvent, QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.item_types.registry import DatasetField, FreeText
from batchwright.ui.editor.canvas.cards import ItemCard
from batchwright.ui.editor.core import commands
from batchwright.ui.editor.core.keyboard_moves import Direction
from batchwright.ui.editor.dnd.drag_source import run_drag
from batchwright.ui.editor.pages.thumbnails import thumbnail_rect
from batchwright.ui.editor.stage import EditorStage
from tests.ui.conftest import focused
from tests.ui.editor.conftest import drawing, selected, settle
from tests.ui.editor.interaction import CTRL, LEFT, MOVE, NONE, SimulatedDrag, payload_for

pytestmark = pytest.mark.gui


def field(stage: EditorStage) -> QWidget:
    parent = stage.panels.canvas.page_canvas.parentWidget()
    assert parent is not None
    return parent


def card(stage: EditorStage, key: str) -> ItemCard:
    found = stage.panels.canvas.page_canvas.card_of(key)
    assert found is not None
    return found


def below(stage: EditorStage, key: str, pixels: int = 3) -> QPoint:
    """A point below an item on the drop target."""
    shown = card(stage, key)
    return shown.mapTo(field(stage), QPoint(shown.width() // 2, shown.height() + pixels))


def middle(stage: EditorStage, key: str) -> QPoint:
    shown = card(stage, key)
    return shown.mapTo(field(stage), shown.rect().center())


def test_an_item_dropped_between_rows_is_inserted_at_the_indicator(stage: EditorStage) -> None:
    drag = SimulatedDrag(field(stage), payload_for(stage, "a"))
    at = below(stage, "b")
    assert drag.over(at)
    assert stage.panels.canvas.page_canvas.drop_indicator.hint == "New row after row 1"
    assert drag.drop(at)
    assert drawing(stage) == "b / a / c|d // e"
    assert stage.panels.canvas.page_canvas.drop_indicator.hint == ""
    assert stage.state.keys == ("a",)


def test_an_item_dropped_with_ctrl_is_copied(stage: EditorStage) -> None:
    drag = SimulatedDrag(field(stage), payload_for(stage, "a"))
    at = below(stage, "b")
    drag.over(at, CTRL)
    drag.drop(at, CTRL)
    assert drawing(stage) == "ab / a / c|d // e"


def enter(place: QWidget) -> None:
    """Send an enter event without a drag, as after a drop."""
    QApplication.sendEvent(place, QEnterEvent(QPointF(), QPointF(), QPointF()))


def test_a_drop_after_the_leave_event_is_accepted(stage: EditorStage) -> None:
    drag = SimulatedDrag(field(stage), payload_for(stage, "a"))
    at = below(stage, "b")
    drag.over(at)
    enter(field(stage))
    settle()
    assert drag.drop(at)
    assert drawing(stage) == "b / a / c|d // e"


def test_a_drag_whose_source_program_ended_is_cancelled(stage: EditorStage, qtbot: QtBot) -> None:
    SimulatedDrag(field(stage), payload_for(stage, "a")).over(below(stage, "b"))
    enter(field(stage))
    qtbot.waitUntil(lambda: stage.panels.canvas.page_canvas.drop_indicator.hint == "")
    assert stage.panels.canvas.drop_target.payload is None


def test_a_drop_beside_a_row_creates_a_second_column(stage: EditorStage) -> None:
    shown = card(stage, "a")
    at = shown.mapTo(field(stage), QPoint(shown.width() - 12, shown.height() - 4))
    drag = SimulatedDrag(field(stage), payload_for(stage, "a"))
    assert drag.over(at)
    assert stage.panels.canvas.page_canvas.drop_indicator.hint == "Second column of row 1"
    drag.drop(at)
    assert drawing(stage) == "b|a / c|d // e"


@pytest.fixture
def ended_drag(monkeypatch: pytest.MonkeyPatch) -> None:
    """End every drag at once: X has no drag without a pressed button."""
    monkeypatch.setattr(QDrag, "exec", lambda *_actions: Qt.DropAction.IgnoreAction)


@pytest.mark.usefixtures("ended_drag")
def test_widgets_that_the_pointer_left_during_a_drag_are_not_hovered(stage: EditorStage) -> None:
    shown = card(stage, "a")
    shown.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    middle = QPointF(shown.rect().center())
    QApplication.sendEvent(shown, QEnterEvent(middle, middle, QPointF(shown.mapToGlobal(middle.toPoint()))))
    assert shown.is_hovered
    QCursor.setPos(stage.window().mapToGlobal(QPoint(2, 2)))
    run_drag(shown, payload_for(stage, "a"))
    assert not shown.is_hovered


@pytest.mark.usefixtures("ended_drag")
def test_a_widget_that_moves_away_after_a_drop_is_not_hovered(stage: EditorStage, qtbot: QtBot) -> None:
    shown = card(stage, "a")
    QCursor.setPos(stage.window().mapToGlobal(QPoint(2, 2)))
    run_drag(shown, payload_for(stage, "a"))
    shown.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)  # as where the pointer was before the page is drawn
    middle = QPointF(shown.rect().center())
    QApplication.sendEvent(shown, QEnterEvent(middle, middle, QPointF(shown.mapToGlobal(middle.toPoint()))))
    qtbot.waitUntil(lambda: not shown.is_hovered)


def test_selection_and_drop_indicator_follow_a_resize_during_a_drag(stage: EditorStage) -> None:
    drag = SimulatedDrag(field(stage), payload_for(stage, "c"))
    stage.panels.canvas.show_dragged(("c",))
    drag.over(below(stage, "b"))
    stage.window().resize(1300, 800)
    settle()
    mark, shown = stage.panels.canvas.page_canvas.drop_indicator, card(stage, "c")
    assert mark.dragged_rects() == [
        QRect(shown.mapTo(stage.panels.canvas.page_canvas, QPoint()), shown.size())
    ]
    assert mark.hint == ""
    right = card(stage, "a")
    at = right.mapTo(field(stage), QPoint(right.width() - 12, right.height() - 4))
    drag.over(at)
    assert mark.hint == "Second column of row 1"


def test_a_rejected_drop_shows_the_reason_and_changes_nothing(stage: EditorStage) -> None:
    left, right = card(stage, "c"), card(stage, "d")
    ends = left.mapTo(field(stage), left.rect().topRight()).x()
    start_x = right.mapTo(field(stage), QPoint()).x()
    at = QPoint((ends + start_x) // 2, middle(stage, "c").y())
    drag = SimulatedDrag(field(stage), payload_for(stage, "a"))
    assert not drag.over(at)
    hint = stage.panels.rejected_hint
    assert hint.isVisible()
    assert hint.text() == "A row has at most 2 columns."
    drag.drop(at)
    assert drawing(stage) == "ab / c|d // e"


def test_a_dropped_image_without_https_is_rejected_with_a_reason(stage: EditorStage) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl("http://example.org/cat.png")])
    assert not SimulatedDrag(field(stage), mime).over(below(stage, "b"))
    assert stage.panels.canvas.drop_target.preview is not None
    assert "https" in stage.panels.canvas.drop_target.preview.rejection


def test_json_from_another_program_is_dropped_as_items(stage: EditorStage) -> None:
    mime = QMimeData()
    mime.setText('{"type": "free_text", "description": "x"}')
    drag = SimulatedDrag(field(stage), mime)
    at = below(stage, "b")
    assert drag.over(at)
    drag.drop(at)
    assert drawing(stage) == "ab / x / c|d // e"


def test_an_item_is_dropped_on_the_thumbnail_of_a_page(stage: EditorStage) -> None:
    pages = stage.panels.pages
    at = thumbnail_rect(pages.visualRect(pages.pages_model.index(1, 0))).center()
    drag = SimulatedDrag(pages.viewport(), payload_for(stage, "c"))
    assert drag.over(at)
    assert drag.drop(at)
    assert drawing(stage) == "ab / d // e / c"
    assert stage.selection.page == "pa"


def test_a_page_is_dropped_after_another(stage: EditorStage) -> None:
    pages = stage.panels.pages
    at = QPoint(60, pages.visualRect(pages.pages_model.index(1, 0)).bottom() + 20)
    drag = SimulatedDrag(pages.viewport(), payload_for(stage, "pa"))
    assert drag.over(at)
    assert drag.drop(at)
    assert drawing(stage) == "e // ab / c|d"


def test_the_insertion_point_stays_the_same_while_rows_move_apart(stage: EditorStage) -> None:
    drag = SimulatedDrag(field(stage), payload_for(stage, "e"))
    at = below(stage, "b")
    drag.over(at)
    settle()
    first = stage.panels.canvas.drop_target.preview
    move = QDragMoveEvent(at, MOVE, drag.mime, LEFT, NONE)
    QApplication.sendEvent(field(stage), move)
    assert stage.panels.canvas.drop_target.preview == first


def test_cards_of_unchanged_items_are_reused_and_the_changed_one_is_redrawn(stage: EditorStage) -> None:
    before = {key: card(stage, key) for key in "abcd"}
    widgets_before = before["b"].findChildren(QWidget)
    stage.state.apply(SetAttributes("a", {"description": "Why?"}))
    settle()
    assert {key: card(stage, key) for key in "abcd"} == before
    assert before["b"].findChildren(QWidget) == widgets_before
    assert before["a"].accessibleName() == "Free text: Why?"


def test_moving_an_item_keeps_its_card_widget(stage: EditorStage) -> None:
    before = card(stage, "a")
    stage.state.reveal("a")
    commands.move(stage.state, Direction.DOWN)
    settle()
    assert card(stage, "a") is before


def test_arrow_keys_move_between_cards_and_enter_opens_the_form(stage: EditorStage) -> None:
    stage.state.reveal("a")
    settle()
    assert card(stage, "a").hasFocus()
    for key, expected in ((Qt.Key.Key_Down, "b"), (Qt.Key.Key_Down, "c"), (Qt.Key.Key_Right, "d")):
        QTest.keyClick(focused(), key)
        settle()
        assert stage.state.keys == (expected,)
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    settle()
    assert stage.panels.inspector.isAncestorOf(focused())


def test_shift_with_an_arrow_key_extends_the_selection(stage: EditorStage) -> None:
    stage.state.reveal("a")
    settle()
    QTest.keyClick(card(stage, "a"), Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert stage.state.keys == ("a", "b")


def test_ctrl_click_extends_the_selection_and_a_click_replaces_it(stage: EditorStage) -> None:
    QTest.mouseClick(card(stage, "a"), LEFT, NONE, QPoint(60, 20))
    QTest.mouseClick(card(stage, "b"), LEFT, CTRL, QPoint(60, 20))
    assert selected(stage) == ["a", "b"]
    QTest.mouseClick(card(stage, "b"), LEFT, NONE, QPoint(60, 20))
    assert selected(stage) == ["b"]


def test_a_palette_item_chosen_by_key_is_added(stage: EditorStage) -> None:
    stage.show_palette()
    assert stage.panels.palette_panel.search.hasFocus()
    QTest.keyClicks(stage.panels.palette_panel.search, "free text with")
    QTest.keyClick(stage.panels.palette_panel.search, Qt.Key.Key_Return)
    settle()
    (item,) = [stage.state.layout.find(key) for key in stage.state.keys]
    assert item is not None
    assert getattr(item, "kind", None) == "free_text_with_unit"


def test_the_palette_lists_the_displayable_fields_of_the_schema(stage: EditorStage) -> None:
    shown = [row.item.field for row in stage.panels.palette_panel.rows() if row.item.field]
    assert shown == ["prompt", "answer"]


def test_delete_in_a_field_of_the_form_does_not_delete_items(stage: EditorStage) -> None:
    stage.state.reveal("a")
    settle()
    assert stage.state.has_editor_focus()
    stage.selection.request_edit()
    settle()
    assert not stage.state.has_editor_focus()


def test_every_card_has_an_accessible_name_and_its_position(stage: EditorStage) -> None:
    for key, place in (("a", "page 1, row 1, column 1, item 1"), ("d", "page 1, row 2, column 2, item 1")):
        spoken = QAccessible.queryAccessibleInterface(card(stage, key))
        assert spoken.text(QAccessible.Text.Name) == f"Free text: {key}"
        assert place in spoken.text(QAccessible.Text.Description)


def test_selecting_in_the_outline_reveals_the_item(stage: EditorStage) -> None:
    stage.toggle_outline()
    settle()
    state = stage.panels.outline.model()
    page = state.index(1, 0)
    assert page.data() == "Page 2"
    item = state.index(0, 0, state.index(0, 0, state.index(0, 0, page)))
    assert item.data() == "e"
    stage.panels.outline.setCurrentIndex(item)
    settle()
    assert (stage.state.keys, stage.selection.page) == (("e",), "pe")


def test_pages_without_rows_explain_how_to_start(stage: EditorStage) -> None:
    commands.add_page(stage.state)
    settle()
    assert stage.panels.canvas.page_canvas.empty_page.isVisible()
    drag = SimulatedDrag(field(stage), payload_for(stage, "a"))
    assert drag.over(QPoint(400, 200))
    assert stage.panels.canvas.page_canvas.drop_indicator.hint == "First row of this page"


def test_the_preview_replaces_the_editor_until_escape(stage: EditorStage) -> None:
    stage.show_preview()
    settle()
    assert not stage.panels.isVisible()
    assert not stage.state.has_editor_focus()
    QTest.keyClick(focused(), Qt.Key.Key_Escape)
    settle()
    assert stage.panels.isVisible()


def test_the_primary_button_goes_to_problems_then_to_run(stage: EditorStage) -> None:
    primary = stage.panels.header.primary
    assert primary.text() == "Continue to Run"
    commands.insert(stage.state, commands.new_item(FreeText))
    settle()
    assert primary.text() == "Fill in next field"
    created_keys = selected(stage)
    stage.state.reveal("a")
    QTest.mouseClick(primary, LEFT)
    assert selected(stage) == created_keys


def test_another_record_redraws_only_the_cards_of_dataset_fields(stage: EditorStage) -> None:
    commands.insert(stage.state, commands.new_item(DatasetField, "prompt"))
    settle()
    (key,) = stage.state.keys
    widgets_before = card(stage, "a").findChildren(QWidget)
    stage.records.set_records(({"prompt": "Why is the sky red?"}, {"prompt": "Why is grass green?"}))
    settle()
    assert "Why is the sky red?" in texts(card(stage, key))
    stage.records.step(1)
    settle()
    assert "Why is grass green?" in texts(card(stage, key))
    assert card(stage, "a").findChildren(QWidget) == widgets_before


def test_in_a_small_window_the_palette_shows_icons_that_keys_can_focus(stage: EditorStage) -> None:
    stage.window().resize(1024, 700)
    settle()
    palette = stage.panels.palette_panel
    assert palette.width() == 48
    stage.show_palette()
    assert focused() is palette.rows()[0]
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    settle()
    assert len(selected(stage)) == 1
    stage.window().resize(1440, 900)
    settle()
    assert palette.width() > 180


def texts(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel)]
