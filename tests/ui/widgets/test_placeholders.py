"""Placeholders for empty, failed and loading content."""

import pytest
from pytestqt.qtbot import QtBot

from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.placeholders import EmptyState, ErrorState, LoadingState
from tests.ui.widgets.conftest import picture

pytestmark = pytest.mark.gui


def test_an_empty_state_has_a_title_and_a_button(qtbot: QtBot) -> None:
    state = EmptyState("layout", "This page is empty", "Drag a field here.", Button("Insert item"))
    qtbot.addWidget(state)
    assert state.accessibleName() == "This page is empty"
    assert [button.text() for button in state.findChildren(Button)] == ["Insert item"]


def test_an_error_state_has_a_retry_button(qtbot: QtBot) -> None:
    state = ErrorState("The service did not answer.", "Check the network.")
    qtbot.addWidget(state)
    with qtbot.waitSignal(state.retry_pressed):
        state.findChildren(Button)[0].click()


def test_a_loading_state_is_painted_only_when_shown(qtbot: QtBot) -> None:
    state = LoadingState()
    qtbot.addWidget(state)
    state.resize(300, 200)
    before = picture(state)
    state.show_now()
    assert picture(state) != before
