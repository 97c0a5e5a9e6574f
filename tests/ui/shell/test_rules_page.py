"""The Rules page of Help: all rules, search, and violated rules first."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from batchwright.layout.rules import RULES
from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.shell.rules_page import RulesPage, open_rules
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.rich_text_view import RichTextView
from batchwright.ui.widgets.rows.row_list import RowList
from batchwright.ui.widgets.text import Label
from tests.ui.window_fixtures import press, window_in

pytestmark = pytest.mark.gui

CODES = [rule.code for rule in RULES]


def listed(page: RulesPage) -> list[str]:
    (rules,) = page.findChildren(RowList)
    return [rule.code for rule in rules.entries]


def shown(page: RulesPage) -> str:
    return page.findChildren(RichTextView)[0].toPlainText()


def opened(host: QWidget, violated: Sequence[str] = (), code: str = "") -> RulesPage:
    page = open_rules(host, violated, code).panel
    assert isinstance(page, RulesPage)
    return page


def test_every_rule_is_listed_and_can_be_read(window: QWidget) -> None:
    page = opened(window)
    assert listed(page) == CODES
    for rule in RULES:
        page.show_rule(rule.code)
        assert shown(page).startswith(rule.title)
        assert rule.code in shown(page)


def test_violated_rules_come_first_and_one_is_shown(window: QWidget) -> None:
    page = opened(window, ["LY17", "LY07"])
    assert listed(page)[:3] == ["LY07", "LY17", "LY01"]
    assert "LY17" in shown(page)


def test_a_rule_is_found_by_text_and_by_code(window: QWidget) -> None:
    page = opened(window)
    search = page.findChildren(SearchField)[0]
    QTest.keyClicks(search, "https image")
    assert listed(page) == ["LY15"]
    assert "LY15" in shown(page)
    search.setText("ly2")
    assert listed(page) == [code for code in CODES if code.startswith("LY2")]
    search.setText("no such thing")
    assert listed(page) == []
    assert "another search term" in " ".join(
        label.text() for label in page.findChildren(Label) if label.isVisible()
    )


def test_the_page_is_operated_and_closed_by_keyboard(window: QWidget) -> None:
    page = opened(window)
    assert isinstance(window.focusWidget(), SearchField)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    QTest.keyClick(page.findChildren(RowList)[0], Qt.Key.Key_Down)
    assert "LY02" in shown(page)
    QTest.keyClick(page, Qt.Key.Key_Escape)
    assert not page.isVisible()


async def test_the_help_menu_opens_the_page_with_the_violated_rules(tmp_path: Path) -> None:
    invalid_page = {"rows": [{"columns": [{"items": [{"type": "image", "url": "x", "alt_text": "y"}]}]}]}

    async with window_in(tmp_path) as at:
        at.controller.study.open(Project("Study", read([invalid_page], random_keys())), None)
        at.window.stage_context(at.tasks).actions.run(ActionId.RULES)
        (page,) = at.window.findChildren(RulesPage)
        assert listed(page)[:2] == ["LY15", "LY51"]
        assert "LY51" in shown(page)
        press(page, "Close")
        assert not page.isVisible()
