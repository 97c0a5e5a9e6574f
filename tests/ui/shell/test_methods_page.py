"""The page of the statistical methods in Help: every method, its source and the measured coverage."""

import re

import pytest
from PySide6.QtTest import QTest

from batchwright.analysis.statistics.method_chapters import chapters, coverage
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.shell.methods_page import MethodsPage
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.rich_text_view import RichTextView
from tests.ui.conftest import until
from tests.ui.window_fixtures import OpenTestWindow, press

pytestmark = pytest.mark.gui


async def opened(at: OpenTestWindow) -> MethodsPage:
    at.window.stage_context(at.tasks).actions.run(ActionId.METHODS)
    await until(lambda: bool(at.window.findChildren(MethodsPage)))
    (page,) = at.window.findChildren(MethodsPage)
    return page


def shown(page: MethodsPage) -> str:
    return page.findChildren(RichTextView)[0].toPlainText()


async def test_every_method_can_be_read_with_its_source(at: OpenTestWindow) -> None:
    page = await opened(at)
    assert len(page.listed) == len(chapters()) > 20
    for number, chapter in enumerate(page.listed):
        page.select(number)
        assert chapter.method.name in shown(page)
        assert chapter.method.assumptions in shown(page)
        assert all(work.reference in shown(page) for work in chapter.method.works)
    press(page, "Close")
    assert not page.isVisible()


async def test_a_method_is_found_by_its_source_and_says_what_was_measured(at: OpenTestWindow) -> None:
    page = await opened(at)
    (search,) = page.findChildren(SearchField)
    QTest.keyClicks(search, "pagano")
    assert len(page.listed) == 1
    measured = re.findall(r"95 %\s+(\d+\.\d) %", shown(page))
    assert measured == [f"{row.percent:.1f}" for row in page.listed[0].coverage]
    assert measured


def test_every_measured_method_has_a_chapter() -> None:
    assert {row.method for row in coverage()} == {row.method for of in chapters() for row in of.coverage}
