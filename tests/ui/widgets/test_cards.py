"""Cards: states, keyboard, actions and fixes."""

from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from batchwright.ui.content.card_footer import CardFooter, FooterSeverity
from batchwright.ui.content.cards import Card, CardState
from batchwright.ui.theme import Theme
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.surfaces import Surface
from batchwright.ui.widgets.text import ElidedLabel
from tests.ui.widgets.conftest import picture

pytestmark = pytest.mark.gui


def test_a_card_looks_different_in_every_state(surface: Surface) -> None:
    card = Card("note-pencil", "question", "Free text")
    card.setParent(surface)
    card.resize(300, 80)
    card.show()
    results = [picture(card)]
    card.show_state(CardState.SELECTED)
    results.append(picture(card))
    card.show_footer(CardFooter(FooterSeverity.ERROR, "A question needs a text.", "Write it"))
    results.append(picture(card))
    card.show_state(CardState.DRAGGED)
    results.append(picture(card))
    assert all(first != second for first, second in pairwise(results))


def test_the_note_of_a_card_stays_beside_its_title_when_the_text_gets_smaller(
    surface: Surface, theme: Theme
) -> None:
    theme.set_text_size(150)
    card = Card("note-pencil", "question", "A field", "its label")
    card.setParent(surface)
    card.resize(600, 120)
    card.show()
    theme.set_text_size(100)
    title = next(label for label in card.findChildren(ElidedLabel) if label.text() == "A field")
    assert title.minimumWidth() == title.fontMetrics().horizontalAdvance("A field")


def test_the_fix_button_of_a_card_emits_a_signal(qtbot: QtBot, surface: Surface) -> None:
    card = Card("note-pencil", "question", "Free text")
    card.setParent(surface)
    card.show_footer(CardFooter(FooterSeverity.ADVICE, "Two options share a label.", "Rename one"))
    card.resize(400, 120)
    card.show()
    fix = next(child for child in card.findChildren(QWidget) if getattr(child, "text", str)() == "Rename one")
    button = fix if hasattr(fix, "click") else fix.parentWidget()
    with qtbot.waitSignal(card.fix_clicked):
        button.click()  # type: ignore[union-attr]


def test_space_selects_a_card_and_enter_opens_it(qtbot: QtBot, surface: Surface) -> None:
    card = Card("note-pencil", "question", "Free text")
    card.setParent(surface)
    card.show()
    with qtbot.waitSignal(card.chosen):
        QTest.keyClick(card, Qt.Key.Key_Space)
    with qtbot.waitSignal(card.opened):
        QTest.keyClick(card, Qt.Key.Key_Return)


def test_a_selected_card_shows_its_actions(surface: Surface) -> None:
    card = Card("note-pencil", "question", "Free text")
    card.setParent(surface)
    card.setGeometry(400, 400, 400, 120)  # away from the pointer
    card.show()
    pressed = []
    card.add_action("copy", "Duplicate", lambda: pressed.append("copy"))
    assert card.findChildren(Button) == []
    card.show_state(CardState.SELECTED)
    copy = card.findChildren(Button)[0]
    assert copy.accessibleName() == "Duplicate"
    copy.click()
    assert pressed == ["copy"]
    card.show_state(CardState.RESTING)
    assert not copy.isVisible()


def test_a_narrow_card_shows_its_actions_in_a_menu(surface: Surface) -> None:
    card = Card("note-pencil", "question", "Free text")
    card.setParent(surface)
    card.setGeometry(400, 400, 240, 120)  # away from the pointer
    card.show()
    pressed = []
    card.add_action("copy", "Duplicate", lambda: pressed.append("copy"))
    card.add_action("trash", "Remove", lambda: pressed.append("trash"))
    card.show_state(CardState.SELECTED)
    (more,) = card.findChildren(Button)
    assert more.accessibleName() == "More actions"
    assert more in card.tab_stops
    more.click()
    (menu,) = more.findChildren(QMenu)
    assert [action.text() for action in menu.actions()] == ["Duplicate", "Remove"]
    menu.actions()[1].trigger()
    assert pressed == ["trash"]
    menu.close()
    card.resize(400, 120)
    shown = [button.accessibleName() for button in card.findChildren(Button) if button.isVisible()]
    assert shown == ["Duplicate", "Remove"]
