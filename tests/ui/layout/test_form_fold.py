"""Where there is no room for page list and inspector, one is shown in place of the other."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from batchwright.ui.layout.stage import LayoutStage
from tests.ui.conftest import focused
from tests.ui.layout.conftest import settle

pytestmark = pytest.mark.gui


@pytest.fixture
def narrow(stage: LayoutStage) -> LayoutStage:
    """The stage where its panels do not fit side by side."""
    window = stage.window()
    window.setMinimumWidth(0)
    window.resize(920, 700)
    settle()
    assert stage.panels.fold.is_tight
    return stage


def test_with_room_for_both_nothing_is_folded(stage: LayoutStage) -> None:
    panels = stage.panels
    assert not panels.fold.is_tight
    assert panels.inspector.isVisible()
    assert panels.pages.isVisible()
    assert not panels.fold.button.isVisible()


def test_without_room_the_canvas_keeps_its_width_and_a_button_shows_the_form(narrow: LayoutStage) -> None:
    panels = narrow.panels
    assert not panels.inspector.isVisible()
    assert panels.pages.isVisible()
    QTest.mouseClick(panels.fold.button, Qt.MouseButton.LeftButton)
    settle()
    assert panels.inspector.isVisible()
    assert not panels.pages.isVisible()
    right = panels.inspector.mapTo(panels, panels.inspector.rect().topRight())
    assert right.x() <= panels.width()
    assert panels.canvas.geometry().right() <= panels.inspector.geometry().left()


def test_enter_opens_the_form_and_escape_closes_it(narrow: LayoutStage) -> None:
    panels = narrow.panels
    narrow.model.reach("a")
    settle()
    panels.canvas.focus_card("a")
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    settle()
    assert panels.inspector.isAncestorOf(focused())
    QTest.keyClick(focused(), Qt.Key.Key_Escape)
    settle()
    assert not panels.inspector.isVisible()
    assert panels.pages.isVisible()
    assert focused() is panels.canvas.sheet.card("a")


def test_in_a_wider_window_both_come_back(narrow: LayoutStage) -> None:
    narrow.window().resize(1440, 900)
    settle()
    assert narrow.panels.inspector.isVisible()
    assert narrow.panels.pages.isVisible()
