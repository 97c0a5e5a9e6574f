"""Dialogs lead to what the help says about them, by F1 and by a button."""

from importlib import import_module
from pkgutil import walk_packages

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import batchwright.ui
from batchwright.help.pages import help_pages
from batchwright.ui.help.help_window import HelpWindow
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.dialogs.overlays import ModalOverlay, OverlayPanel
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from tests.ui.conftest import until
from tests.ui.help.test_help_window import heading
from tests.ui.window_fixtures import OpenTestWindow, press

pytestmark = pytest.mark.gui


def panels(base: type[OverlayPanel]) -> list[type[OverlayPanel]]:
    """A class of panels and all that derive from it."""
    return [base, *(panel for child in base.__subclasses__() for panel in panels(child))]


def test_every_dialog_leads_to_a_section_that_exists() -> None:
    for module in walk_packages(batchwright.ui.__path__, "batchwright.ui."):
        import_module(module.name)
    sections = {section.address for page in help_pages() for section in page.sections}
    addresses = {panel.help_address for panel in panels(OverlayPanel)}
    assert len(addresses) > 10
    assert addresses - sections == {""}


class Explained(Dialog):
    """A dialog about the upload."""

    help_address = "data.md#upload"


async def test_a_dialog_opens_its_section_beside_it(at: OpenTestWindow) -> None:
    dialog = Explained("Title", "Text", "Accept")
    ModalOverlay(at.window, dialog)
    press(dialog, "Help")
    await until(lambda: bool(at.window.findChildren(HelpWindow)))
    (window,) = at.window.findChildren(HelpWindow)
    assert heading(window) == "Data"
    assert dialog.isVisible()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    dialog.reject()


async def test_f1_in_a_dialog_without_a_section_opens_the_page_of_the_stage(at: OpenTestWindow) -> None:
    dialog = Dialog("Title", "Text", "Accept")
    ModalOverlay(at.window, dialog)
    QTest.keyClick(dialog.accept_button, Qt.Key.Key_F1)
    await until(lambda: bool(at.window.findChildren(HelpWindow)))
    assert heading(at.window.findChildren(HelpWindow)[0]) == "Home"
    dialog.reject()


async def test_a_message_leads_to_its_entry_by_its_button_and_by_f1(at: OpenTestWindow) -> None:
    address = "messages.md#not-found"
    at.window.notices.show_notice(Notice(NoticeSeverity.ERROR, "Title", "Text", help_address=address))
    (card,) = at.window.notices.cards
    press(card, "Help")
    await until(lambda: bool(at.window.findChildren(HelpWindow)))
    (window,) = at.window.findChildren(HelpWindow)
    assert heading(window) == "Messages and what to do"
    window.show_address("data.md")
    QTest.keyClick(card, Qt.Key.Key_F1)
    await until(lambda: heading(window) == "Messages and what to do")
