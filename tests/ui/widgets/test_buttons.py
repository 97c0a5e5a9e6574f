"""Buttons: kinds, glyphs, shortcuts and the collapsed form."""

import pytest
from pytestqt.qtbot import QtBot

from batchwright.ui.widgets.buttons import Button, ButtonKind
from tests.ui.widgets.conftest import picture

pytestmark = pytest.mark.gui


@pytest.mark.parametrize("kind", list(ButtonKind))
def test_a_disabled_button_of_every_kind_looks_different_and_shows_the_reason(
    qtbot: QtBot, kind: ButtonKind
) -> None:
    button = Button("Create 398 tasks", kind)
    qtbot.addWidget(button)
    button.resize(button.sizeHint())
    enabled = picture(button)
    button.set_disabled_reason("The import still runs")
    assert picture(button) != enabled
    assert button.toolTip() == "The import still runs"


def test_a_glyph_and_a_shortcut_make_a_button_wider(qtbot: QtBot) -> None:
    plain, decorated = Button("Preview"), Button("Preview", glyph="eye", keys="F5")
    qtbot.addWidget(plain)
    qtbot.addWidget(decorated)
    assert decorated.sizeHint().width() > plain.sizeHint().width()


def test_the_tooltip_of_a_collapsed_button_is_its_text_or_its_disabled_reason() -> None:
    button = Button("Sync", glyph="arrows-clockwise")
    button.set_collapsed(is_collapsed=True)
    for reason, tooltip in (("", "Sync"), ("Set up tasks first", "Set up tasks first"), ("", "Sync")):
        button.set_disabled_reason(reason)
        assert button.toolTip() == tooltip
    button.set_collapsed(is_collapsed=False)
    assert button.toolTip() == ""


def test_a_collapsed_button_shows_no_shortcut(qtbot: QtBot) -> None:
    with_keys, without = Button("Preview", glyph="eye", keys="F5"), Button("Preview", glyph="eye")
    for button in (with_keys, without):
        qtbot.addWidget(button)
        button.set_collapsed(is_collapsed=True)
        button.resize(button.sizeHint())
    assert picture(with_keys) == picture(without)
    assert with_keys.full_width > without.full_width > with_keys.sizeHint().width()
