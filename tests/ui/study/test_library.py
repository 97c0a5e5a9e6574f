"""Own templates: saved from a study, on Home, renamed, removed, exported and imported."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu

from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.home.template_cards import OwnTemplateCard
from batchwright.ui.study.library import LibraryEntryDialog
from batchwright.ui.widgets.text import Label
from tests.ui.conftest import until
from tests.ui.window_fixtures import OpenTestWindow, press, window_in

pytestmark = pytest.mark.gui


async def open_dialog(at: OpenTestWindow) -> LibraryEntryDialog:
    await until(lambda: at.window.findChild(LibraryEntryDialog) is not None)
    dialog = at.window.findChild(LibraryEntryDialog)
    assert dialog is not None
    return dialog


async def enter(at: OpenTestWindow, name: str, description: str = "") -> None:
    """Fill in the dialog with the keyboard, and confirm it."""
    dialog = await open_dialog(at)
    name_field, description_field = dialog.findChildren(QLineEdit)
    name_field.selectAll()
    QTest.keyClicks(name_field, name)
    description_field.setFocus()
    description_field.selectAll()
    QTest.keyClicks(description_field, description)
    QTest.keyClick(description_field, Qt.Key.Key_Return)
    await until(lambda: at.window.findChild(LibraryEntryDialog) is None)
    await at.settled()


async def save_sample_as(at: OpenTestWindow, name: str, description: str = "") -> None:
    """Save the sample study as a template."""
    at.controller.run_action(ActionId.TRY_SAMPLE)
    await at.settled()
    at.controller.run_action(ActionId.SAVE_TEMPLATE)
    await enter(at, name, description)


def cards(at: OpenTestWindow) -> list[OwnTemplateCard]:
    return [card for card in at.window.findChildren(OwnTemplateCard) if card.isVisible()]


async def choose_action(at: OpenTestWindow, card: OwnTemplateCard, text: str) -> None:
    """Choose an entry of the menu of a card."""
    QTest.mouseClick(card.more, Qt.MouseButton.LeftButton)
    await until(lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    (entry,) = [action for action in menu.actions() if action.text() == text]
    menu.setActiveAction(entry)
    QTest.keyClick(menu, Qt.Key.Key_Return)


def names(at: OpenTestWindow) -> list[str]:
    return [entry.name for entry in at.controller.library.templates]


async def test_a_study_is_saved_as_a_template_and_started_from_it(at: OpenTestWindow) -> None:
    study = at.controller.study
    at.controller.run_action(ActionId.TRY_SAMPLE)
    await at.settled()
    before = study.layout
    at.controller.run_action(ActionId.SAVE_TEMPLATE)
    dialog = await open_dialog(at)
    assert dialog.findChildren(QLineEdit)[0].text() == "Sample study"
    assert any("The data file" in label.text() for label in dialog.findChildren(Label))
    await enter(at, "Our study", "Two answers, our words")
    study.close()
    at.show_home()
    (card,) = cards(at)
    assert (card.text(), card.accessibleDescription()) == ("Our study", "Two answers, our words")
    QTest.mouseClick(card, Qt.MouseButton.LeftButton)
    await until(lambda: study.is_open)
    assert study.project.name == "Our study"
    assert study.data is None
    assert study.schema is not None
    keys = [{node.key for node in layout.walk_all()} for layout in (before, study.layout)]
    assert len(keys[0]) == len(keys[1])
    assert keys[0].isdisjoint(keys[1])


async def test_a_template_of_the_same_name_is_replaced_only_after_asking(at: OpenTestWindow) -> None:
    await save_sample_as(at, "Ours", "first")
    at.controller.run_action(ActionId.SAVE_TEMPLATE)
    dialog = await open_dialog(at)
    assert dialog.accept_button.text() == "Save template"
    dialog.findChildren(QLineEdit)[0].setText("OURS")
    assert dialog.accept_button.text() == "Replace"
    assert any("It will be replaced" in label.text() for label in dialog.findChildren(Label))
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    await at.settled()
    assert [entry.description for entry in at.controller.library.templates] == ["first"]
    at.controller.run_action(ActionId.SAVE_TEMPLATE)
    await enter(at, "OURS", "second")
    assert [(entry.name, entry.description) for entry in at.controller.library.templates] == [
        ("OURS", "second")
    ]


async def test_a_name_that_cannot_be_used_is_explained_and_not_saved(at: OpenTestWindow) -> None:
    at.controller.run_action(ActionId.TRY_SAMPLE)
    await at.settled()
    at.controller.run_action(ActionId.SAVE_TEMPLATE)
    dialog = await open_dialog(at)
    for name in ("", "x" * 81):
        dialog.findChildren(QLineEdit)[0].setText(name)
        assert not dialog.accept_button.isEnabled()
    assert any("80 characters" in label.text() for label in dialog.findChildren(Label))
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    await at.settled()


async def test_a_template_is_renamed_removed_and_brought_back(tmp_path: Path, at: OpenTestWindow) -> None:
    await save_sample_as(at, "Ours")
    at.show_home()
    await choose_action(at, cards(at)[0], "Rename…")
    await enter(at, "Mine", "renamed")
    (card,) = cards(at)
    assert (card.text(), card.accessibleDescription()) == ("Mine", "renamed")
    await choose_action(at, card, "Remove")
    await until(lambda: not cards(at))
    await at.settled()
    assert list((tmp_path / "data" / "library").iterdir()) == []
    press(at.window, "Undo")
    await until(lambda: names(at) == ["Mine"])
    assert [card.text() for card in cards(at)] == ["Mine"]


async def test_a_template_is_exported_and_imported_by_dropping_the_file(tmp_path: Path) -> None:
    exported = tmp_path / "ours.batchwright-template"

    async with window_in(tmp_path) as at:
        await save_sample_as(at, "Ours / theirs", "exported")
        at.show_home()
        at.dialogs.path = exported
        await choose_action(at, cards(at)[0], "Export…")
        await until(exported.exists)
        await at.settled()
        assert at.dialogs.proposed is not None
        assert at.dialogs.proposed.name == "Ours - theirs.batchwright-template"
        at.controller.open_dropped([exported])
        dialog = await open_dialog(at)
        assert dialog.accept_button.text() == "Replace"
        await enter(at, "A copy")
        assert names(at) == ["A copy", "Ours / theirs"]
        at.dialogs.path = exported
        await at.controller.library.remove(at.controller.library.templates[1])
        at.controller.run_action(ActionId.IMPORT_LIBRARY)
        await until(lambda: names(at) == ["A copy", "Ours / theirs"])
        await at.settled()
        assert at.controller.library.templates[1].description == "exported"


async def test_a_damaged_file_is_shown_beside_the_others_and_can_be_removed(
    tmp_path: Path, at: OpenTestWindow
) -> None:
    await save_sample_as(at, "Ours")
    damaged = tmp_path / "data" / "library" / "broken.batchwright-template"
    damaged.write_text("{")
    await at.controller.library.refresh()
    at.show_home()
    broken, ours = cards(at)
    assert (broken.text(), broken.accessibleDescription()) == ("broken", "The file is damaged")
    assert ours.text() == "Ours"
    QTest.mouseClick(broken, Qt.MouseButton.LeftButton)
    await until(lambda: bool(at.failures))
    assert "not valid JSON" in at.failures.pop()
    await choose_action(at, broken, "Remove")
    await until(lambda: names(at) == ["Ours"])
    await at.settled()
    assert not damaged.exists()


async def test_a_file_that_is_no_template_is_not_imported(tmp_path: Path) -> None:
    other = tmp_path / "other.batchwright-block"
    other.write_text("[]")

    async with window_in(tmp_path) as at:
        at.controller.open_dropped([other])
        await until(lambda: bool(at.failures))
        assert at.failures.pop() == "The file contains neither a template nor a block."
        assert at.controller.library.blocks == ()
