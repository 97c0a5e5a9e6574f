"""Of a page with thousands of items the canvas shows the first, and says so."""

import pytest
from pytestqt.qtbot import QtBot

from batchwright.layout.reading import counted_keys, read
from batchwright.records.json_values import Json
from batchwright.ui.layout.canvas_cards import Surroundings
from batchwright.ui.layout.canvas_sheet import MOST_CARDS, PageView, Sheet

pytestmark = pytest.mark.gui


def view(rows: int, items: int) -> PageView:
    """A page of rows with two columns of so many items each."""
    column: Json = {"items": [{"type": "free_text", "description": "Why?"}] * items}
    layout = read([{"rows": [{"columns": [column, column]}] * rows}], counted_keys())
    return PageView(layout.pages[0], 0, Surroundings(None, None), {}, frozenset())


@pytest.mark.parametrize(("rows", "items"), [(1, 3000), (500, 3)])
def test_a_page_of_thousands_of_items_has_few_cards(qtbot: QtBot, rows: int, items: int) -> None:
    sheet = Sheet()
    qtbot.addWidget(sheet)
    long = view(rows, items)
    sheet.show_view(long)
    assert len(sheet.cards()) == MOST_CARDS
    assert not sheet.rest.isHidden()
    assert f"{MOST_CARDS} of {rows * 2 * items}" in sheet.rest.text()
    first = sheet.cards()[0]
    sheet.show_view(long)
    assert sheet.cards()[0] is first
    sheet.show_view(view(1, 2))
    assert len(sheet.cards()) == 4
    assert sheet.rest.isHidden()
