"""The type of items is changed from the menus; what would be lost is listed first."""

from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project, RemoteBinding
from batchwright.ui.editor.core.commands import ChangeTypeDialog
from batchwright.ui.editor.stage import EditorStage
from batchwright.ui.widgets.buttons import IconButton
from batchwright.ui.widgets.text import Label
from tests.samples.each_type import BETTER, INVALID_VALUES, WHY
from tests.ui.conftest import until
from tests.ui.editor.conftest import selected, settle

pytestmark = pytest.mark.gui


def open_items(stage: EditorStage, *items: Any) -> list[str]:
    """Show a study with these items below each other; their keys."""
    layout = read([{"rows": [{"columns": [{"items": list(items)}]}]}], random_keys())
    stage.state.study.open(Project("Study", layout), None)
    settle()
    return [item.key for _path, item in layout.walk()]


def kinds(stage: EditorStage) -> list[str | None]:
    return [item.kind for _path, item in stage.state.layout.walk()]


def open_context_menu(stage: EditorStage, key: str) -> QMenu:
    """Ask for the context menu of a card, as the right button does."""
    canvas = stage.panels.canvas
    card = canvas.page_canvas.card_of(key)
    assert card is not None
    canvas.customContextMenuRequested.emit(card.mapTo(canvas, QPoint(20, 20)))
    settle()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def choose(menu: QMenu, text: str) -> None:
    """Choose an entry of an open menu with the keyboard."""
    (entry,) = [action for action in menu.actions() if action.text() == text]
    menu.setActiveAction(entry)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    settle()


async def test_a_change_that_loses_nothing_asks_nothing_and_is_one_step(stage: EditorStage) -> None:
    first, _second = open_items(stage, BETTER, WHY)
    menu = open_context_menu(stage, first)
    entries = [entry.text() for entry in menu.actions() if entry.text().startswith("Change to")]
    assert entries == ["Change to “Choice with free text”"]
    choose(menu, entries[0])
    await until(lambda: kinds(stage) == ["multiple_choice_with_free_text", "free_text"])
    settle()
    (key,) = selected(stage)
    assert key != first
    assert stage.panels.canvas.page_canvas.card_of(key) is not None
    assert stage.panels.inspector.form is not None
    assert stage.panels.inspector.form.key == key
    assert stage.state.error_count() == 0
    assert stage.state.unfilled_count() == 3  # the headings of the three options
    assert stage.state.study.history.undo_label == "Change type"
    stage.state.study.undo()
    assert kinds(stage) == ["multiple_choice", "free_text"]
    settle()
    assert selected(stage) == [first]
    assert stage.panels.inspector.form.key == first
    stage.state.study.redo()
    settle()
    assert selected(stage) == [key]


async def test_what_would_be_lost_is_listed_and_can_be_cancelled(stage: EditorStage) -> None:
    keys = open_items(stage, INVALID_VALUES, BETTER)
    stage.state.select(keys)
    settle()
    menu = open_context_menu(stage, keys[0])
    choose(menu, "Change to “Multiple choice”")
    window = stage.window()
    await until(lambda: window.findChild(ChangeTypeDialog) is not None)
    dialog = window.findChild(ChangeTypeDialog)
    assert dialog is not None
    texts = [label.text() for label in dialog.findChildren(Label)]
    assert {"What is wrong?", "Option 1, heading of the explanation", "Which?"} <= set(texts)
    assert "Which is better?" not in texts
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    await until(lambda: window.findChild(ChangeTypeDialog) is None)
    assert kinds(stage) == ["multiple_choice_with_free_text", "multiple_choice"]
    stage.context.actions.qaction("change_to_multiple_choice").trigger()
    await until(lambda: window.findChild(ChangeTypeDialog) is not None)
    dialog = window.findChild(ChangeTypeDialog)
    assert dialog is not None
    QTest.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    await until(lambda: kinds(stage) == ["multiple_choice"] * 2)
    assert len(stage.state.study.history.past) == 1


async def test_an_item_that_was_sent_is_announced_as_a_new_one(stage: EditorStage) -> None:
    (key,) = open_items(stage, WHY)
    study = stage.state.study
    messages: list[str] = []
    study.set_remote(study.connection, RemoteBinding(batch_id="b", ids={key: "i"}))
    stage.state.message.connect(messages.append)
    stage.state.reveal(key)
    settle()
    stage.context.actions.qaction("change_to_free_text_with_unit").trigger()
    await until(lambda: kinds(stage) == ["free_text_with_unit"])
    assert messages == ["This is a new item for the service. Answers to the old one stay with that."]
    (changed,) = selected(stage)
    assert changed not in study.remote(study.connection).ids


def test_items_of_different_kinds_cannot_be_changed_together(stage: EditorStage) -> None:
    keys = open_items(stage, BETTER, WHY)
    stage.state.select(keys)
    settle()
    actions = stage.context.actions
    for name in ("multiple_choice", "multiple_choice_with_free_text", "free_text", "free_text_with_unit"):
        assert not actions.qaction(f"change_to_{name}").isEnabled()
    stage.state.select(keys[1:])
    settle()
    assert actions.qaction("change_to_free_text_with_unit").isEnabled()
    assert not actions.qaction("change_to_free_text").isEnabled()


async def test_the_menu_of_the_inspector_offers_the_change_as_often_as_it_opens(stage: EditorStage) -> None:
    open_items(stage, WHY)
    for kind, title in (("free_text_with_unit", "Free text with unit"), ("free_text", "Free text")):
        stage.state.reveal(next(item.key for _path, item in stage.state.layout.walk()))
        settle()
        (more,) = [
            button
            for button in stage.panels.inspector.findChildren(IconButton)
            if button.accessibleName() == "More actions"
        ]
        QTest.mouseClick(more, Qt.MouseButton.LeftButton)
        settle()
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        texts = [entry.text() for entry in menu.actions()]
        assert texts == ["Duplicate", f"Change to “{title}”", "Remove"]
        choose(menu, texts[1])
        expected: list[str | None] = [kind]
        await until(partial(lambda wanted: kinds(stage) == wanted, expected))
        settle()
