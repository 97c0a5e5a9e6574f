"""Panels, dialogs and messages lead to what the help says about them, by F1 and by a button."""

import ast
import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

import batchwright.ui
from batchwright.help.pages import help_pages
from batchwright.layout.rules import RULES
from batchwright.ui.help.help_window import HelpWindow
from batchwright.ui.home.first_run import WelcomePanel
from batchwright.ui.stages import stage_table
from batchwright.ui.study.templates import TEMPLATES
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.dialogs.overlays import ModalOverlay, OverlayPanel
from batchwright.ui.widgets.help_button import help_address_of
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from batchwright.workflows.messages import message
from batchwright.workflows.messages.message import help_address
from tests.ui.conftest import until
from tests.ui.help.test_help_window import heading
from tests.ui.window_fixtures import OpenTestWindow, press

pytestmark = pytest.mark.gui


ADDRESS = re.compile(r"[a-z-]+\.md(#[a-z0-9-]+)?")
SOURCES = [
    ast.parse(path.read_text(encoding="utf-8")) for path in Path(batchwright.ui.__path__[0]).rglob("*.py")
]


def panels(base: type[OverlayPanel]) -> list[type[OverlayPanel]]:
    """A class of panels and all that derive from it."""
    return [base, *(panel for child in base.__subclasses__() for panel in panels(child))]


def test_every_dialog_has_an_address_in_the_help() -> None:
    for module in walk_packages(batchwright.ui.__path__, "batchwright.ui."):
        import_module(module.name)
    shown = [panel for panel in panels(OverlayPanel) if panel.__module__.startswith("batchwright.")]
    assert len(shown) > 60
    assert [panel for panel in shown if not panel.help_address and not panel.__subclasses__()] == []
    calls = [node for tree in SOURCES for node in ast.walk(tree) if isinstance(node, ast.Call)]
    plain = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Dialog"]
    assert len(plain) > 10
    assert [call.lineno for call in plain if "help_address" not in {word.arg for word in call.keywords}] == []


def test_every_address_of_panels_dialogs_rules_and_messages_exists() -> None:
    constants = (node.value for tree in SOURCES for node in ast.walk(tree) if isinstance(node, ast.Constant))
    addresses = {value for value in constants if isinstance(value, str) and ADDRESS.fullmatch(value)}
    addresses |= {f"{stage.id}.md" for stage in stage_table(pytest.fail)}
    addresses |= {f"template-{template.folder[-1]}.md" for template in TEMPLATES}
    addresses |= {f"rules.md#{rule.code.casefold()}" for rule in RULES}
    addresses |= {help_address(kind) for kind in message._unexpected.registry if kind is not object}
    sections = {section.address for page in help_pages() for section in page.sections}
    assert len(addresses) > 100
    assert addresses - sections == set()


async def test_f1_leads_to_what_has_the_focus(at: OpenTestWindow) -> None:
    (welcome,) = at.show_home().findChildren(WelcomePanel)
    welcome.sample_button.setFocus()
    QTest.keyClick(welcome.sample_button, Qt.Key.Key_F1)
    await until(lambda: bool(at.window.findChildren(HelpWindow)))
    assert at.window.findChildren(HelpWindow)[0].address == "getting-started.md"


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


async def test_a_message_leads_to_its_entry(at: OpenTestWindow) -> None:
    address = "messages.md#not-found"
    at.window.notices.show_notice(Notice(NoticeSeverity.ERROR, "Title", "Text", help_address=address))
    (card,) = at.window.notices.cards
    assert help_address_of(card.findChildren(QAbstractButton)[0]) == address  # where F1 leads
    press(card, "Help")
    await until(lambda: bool(at.window.findChildren(HelpWindow)))
    assert at.window.findChildren(HelpWindow)[0].address == address
