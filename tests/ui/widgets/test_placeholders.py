"""Placeholders for empty and loading content."""

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.placeholders import EmptyState, LoadingState
from batchwright.ui.widgets.text import Label
from tests.ui.widgets.conftest import picture

pytestmark = pytest.mark.gui


def test_an_empty_state_has_a_title_and_a_button(qtbot: QtBot) -> None:
    state = EmptyState("layout", "This page is empty", "Drag a field here.", Button("Insert item"))
    qtbot.addWidget(state)
    assert state.accessibleName() == "This page is empty"
    assert [button.text() for button in state.findChildren(Button)] == ["Insert item"]


@pytest.mark.parametrize("height", [100, 300])
def test_an_empty_state_shows_its_texts_in_full_and_an_icon_if_there_is_space(
    qtbot: QtBot, height: int
) -> None:
    panel = QWidget()
    qtbot.addWidget(panel)
    text = "Collections of the workspace appear here."
    state = EmptyState("cards", "No collections yet", text, parent=panel)
    state.resize(242, height)
    panel.show()
    icon, *_others = state.findChildren(Glyph)
    qtbot.waitUntil(lambda: icon.isVisible() is (height > 200))
    description = state.findChildren(Label)[1]
    qtbot.waitUntil(lambda: description.height() >= description.heightForWidth(description.width()))
    assert state.rect().contains(description.geometry())


def test_a_loading_state_is_painted_only_when_shown(qtbot: QtBot) -> None:
    state = LoadingState()
    qtbot.addWidget(state)
    state.resize(300, 200)
    before = picture(state)
    state.show_now()
    assert picture(state) != before
