"""Where there is no room for page list and inspector, one is shown in place of the other."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from batchwright.ui.editor.stage import EditorStage
from tests.ui.conftest import focused
from tests.ui.editor.conftest import settle

pytestmark = pytest.mark.gui


@pytest.fixture
def narrow(stage: EditorStage) -> EditorStage:
    """The stage where its panels do not fit side by side."""
    window = stage.window()
    window.setMinimumWidth(0)
    window.resize(920, 700)
    settle()
    assert stage.panels.inspector_toggle.is_tight
    return stage


def test_with_room_for_both_nothing_is_folded(stage: EditorStage) -> None:
    panels = stage.panels
    assert not panels.inspector_toggle.is_tight
    assert panels.inspector.isVisible()
    assert panels.pages.isVisible()
    assert not panels.inspector_toggle.button.isVisible()


def test_without_room_the_canvas_keeps_its_width_and_a_button_shows_the_form(narrow: EditorStage) -> None:
    panels = narrow.panels
    assert not panels.inspector.isVisible()
    assert panels.pages.isVisible()
    QTest.mouseClick(panels.inspector_toggle.button, Qt.MouseButton.LeftButton)
    settle()
    assert panels.inspector.isVisible()
    assert not panels.pages.isVisible()
    right = panels.inspector.mapTo(panels, panels.inspector.rect().topRight())
    assert right.x() <= panels.width()
    assert panels.canvas.geometry().right() <= panels.inspector.geometry().left()
    assert panels.canvas.page_canvas.width() <= panels.canvas.width()


def test_enter_opens_the_form_and_escape_closes_it(narrow: EditorStage) -> None:
    panels = narrow.panels
    narrow.model.reveal("a")
    settle()
    panels.canvas.focus_node("a")
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    settle()
    assert panels.inspector.isAncestorOf(focused())
    QTest.keyClick(focused(), Qt.Key.Key_Escape)
    settle()
    assert not panels.inspector.isVisible()
    assert panels.pages.isVisible()
    assert focused() is panels.canvas.page_canvas.card("a")


def test_in_a_wider_window_both_come_back(narrow: EditorStage) -> None:
    narrow.window().resize(1440, 900)
    settle()
    assert narrow.panels.inspector.isVisible()
    assert narrow.panels.pages.isVisible()


def test_what_makes_room_for_the_form_comes_back_when_it_is_wanted(narrow: EditorStage) -> None:
    panels = narrow.panels
    for want in (narrow.show_palette, narrow.rename_page, narrow.toggle_outline, narrow.toggle_outline):
        panels.inspector_toggle.open()
        assert not panels.pages.isVisible()
        want()
        settle()
        assert panels.pages.isVisible()
    narrow.show_palette()
    assert panels.palette_panel.isAncestorOf(focused())


def test_in_a_small_window_the_outline_takes_its_room_and_the_form_folds(stage: EditorStage) -> None:
    stage.window().resize(1024, 700)
    stage.model.reveal("a")
    settle()
    stage.toggle_outline()
    settle()
    panels = stage.panels
    assert panels.inspector_toggle.is_tight
    assert not panels.inspector.isVisible()
    assert panels.canvas.mapTo(panels, panels.canvas.rect().topRight()).x() < panels.width()
