"""Labels: wrapping, copying and eliding."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.surfaces import Surface
from batchwright.ui.widgets.text import ElidedLabel, Label

pytestmark = pytest.mark.gui


def test_long_words_are_wrapped_and_the_accessible_name_is_unchanged(surface: Surface) -> None:
    address = "https://example.org/" + 30 * "reviews"
    text = Label(address, wraps=True)
    assert text.minimumSizeHint().width() < 200
    assert text.text() == text.accessibleName() == address


def test_the_accessible_name_follows_the_text_unless_it_was_set(surface: Surface) -> None:
    text = Label(30 * "reviews", wraps=True)
    text.setText("short")
    assert text.accessibleName() == ""
    text.setAccessibleName("a name of its own")
    for changed in ("short again", 30 * "reviews", "short"):
        text.setText(changed)
        assert text.accessibleName() == "a name of its own"


def test_a_selectable_text_is_copied_unchanged(qtbot: QtBot) -> None:
    text = Label(30 * "reviews", wraps=True)
    qtbot.addWidget(text)
    text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    text.setSelection(0, 210)
    assert text.selectedText() == 30 * "reviews"


def test_an_elided_label_has_its_full_text_as_tooltip(qtbot: QtBot) -> None:
    text = ElidedLabel("A very long name of a study that does not fit")
    qtbot.addWidget(text)
    text.resize(60, 20)
    text.show()
    assert text.toolTip() == text.text()
    text.resize(900, 20)
    assert text.toolTip() == ""


def test_the_height_of_a_wrapped_text_follows_its_text_and_font(surface: Surface) -> None:
    label = Label("One line", wraps=True)
    one = label.heightForWidth(200)
    label.setText(20 * "Some words. ")
    many = label.heightForWidth(200)
    assert many > 2 * one
    assert label.heightForWidth(2000) == one
    label.set_role(TextRole.WELCOME)
    assert label.heightForWidth(200) > many
    fresh = Label(20 * "Some words. ", TextRole.WELCOME, wraps=True)
    assert label.heightForWidth(200) == fresh.heightForWidth(200)


def test_the_height_of_a_wrapped_text_follows_its_minimum_width(surface: Surface) -> None:
    label = Label(20 * "Some words. ", wraps=True)
    at_200 = label.heightForWidth(200)
    label.setFixedWidth(400)
    assert label.heightForWidth(200) < at_200  # Qt lays it out in the minimum width
    label.setFixedWidth(200)
    assert label.heightForWidth(200) == at_200
