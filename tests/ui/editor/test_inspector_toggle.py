"""In a narrow window, the page list or the inspector is shown, but not both."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from batchwright.ui.editor.stage import EditorStage
from tests.ui.conftest import focused
from tests.ui.editor.conftest import settle

pytestmark = pytest.mark.gui


@pytest.fixture
def narrow(stage: EditorStage) -> EditorStage:
    """Show the stage in a window that is too narrow for all panels."""
    window = stage.window()
    window.setMinimumWidth(0)
    window.resize(920, 700)
    settle()
    assert stage.panels.inspector_toggle.is_narrow
    return stage


def test_in_a_wide_window_inspector_and_palette_are_shown(stage: EditorStage) -> None:
    panels = stage.panels
    assert not panels.inspector_toggle.is_narrow
    assert panels.inspector.isVisible()
    assert panels.pages.isVisible()
    assert not panels.inspector_toggle.button.isVisible()


def test_in_a_narrow_window_a_button_shows_the_inspector(narrow: EditorStage) -> None:
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
    narrow.state.reveal("a")
    settle()
    panels.canvas.focus_node("a")
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    settle()
    assert panels.inspector.isAncestorOf(focused())
    QTest.keyClick(focused(), Qt.Key.Key_Escape)
    settle()
    assert not panels.inspector.isVisible()
    assert panels.pages.isVisible()
    assert focused() is panels.canvas.page_canvas.card_of("a")


def test_in_a_wider_window_page_list_and_inspector_are_shown(narrow: EditorStage) -> None:
    narrow.window().resize(1440, 900)
    settle()
    assert narrow.panels.inspector.isVisible()
    assert narrow.panels.pages.isVisible()


def test_the_panels_hidden_for_the_inspector_can_be_shown_again(narrow: EditorStage) -> None:
    panels = narrow.panels
    for want in (narrow.show_palette, narrow.rename_page, narrow.toggle_outline, narrow.toggle_outline):
        panels.inspector_toggle.open()
        assert not panels.pages.isVisible()
        want()
        settle()
        assert panels.pages.isVisible()
    narrow.show_palette()
    assert panels.palette_panel.isAncestorOf(focused())


def test_in_a_small_window_the_outline_is_shown_and_the_inspector_hidden(stage: EditorStage) -> None:
    stage.window().resize(1024, 700)
    stage.state.reveal("a")
    settle()
    stage.toggle_outline()
    settle()
    panels = stage.panels
    assert panels.inspector_toggle.is_narrow
    assert not panels.inspector.isVisible()
    assert panels.canvas.mapTo(panels, panels.canvas.rect().topRight()).x() < panels.width()
