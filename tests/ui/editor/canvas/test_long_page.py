"""A page with thousands of items: the cards of the first ones are created in slices."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from batchwright.base.json_values import Json
from batchwright.layout.model import Layout
from batchwright.layout.serialization import random_keys, read, sequential_keys
from batchwright.local.projects import Project
from batchwright.ui.editor.canvas.cards import CardContext
from batchwright.ui.editor.canvas.page_canvas import MAX_CARDS, MAX_NEW_CARDS, CanvasPage, PageCanvas
from batchwright.ui.editor.core.item_labels import ItemLabel
from batchwright.ui.editor.dnd.payload import DragPayload
from batchwright.ui.editor.stage import EditorStage
from tests.ui.conftest import focused

pytestmark = pytest.mark.gui

LONGEST_WAIT = 30_000
"""Milliseconds, on a computer that has much else to do."""


def long_layout(rows: int, items: int, keys: Iterator[str] | None = None, **attributes: Json) -> Layout:
    """A page of rows with two columns of `items` each, and a short page."""
    good: Json = {"type": "free_text", "description": "Why?"}
    column: Json = {"items": [good] * items}
    last: Json = {"items": [*[good] * (items - 1), {**good, **attributes}]}  # type: ignore[dict-item]
    pages: list[Json] = [
        {"rows": [*[{"columns": [column, column]}] * (rows - 1), {"columns": [column, last]}]},
        {"rows": [{"columns": [{"items": [good]}]}]},
    ]
    return read(pages, keys or sequential_keys())


def view(rows: int, items: int, page: int = 0, keys: Iterator[str] | None = None) -> CanvasPage:
    """The view of a page of such a layout."""
    layout = long_layout(rows, items, keys)
    return CanvasPage(layout.pages[page], page, CardContext(None, None), {}, frozenset())


def keys(view: CanvasPage) -> list[str]:
    """The keys of the items of a page in reading order."""
    return [item.key for row in view.page.children for column in row.children for item in column.children]


def shown(page_canvas: PageCanvas) -> list[str]:
    """The keys of the cards on a page canvas in reading order."""
    return [card.node.key for card in page_canvas.cards()]


@pytest.fixture
def page_canvas(qtbot: QtBot) -> PageCanvas:
    """A hidden page canvas."""
    page_canvas = PageCanvas()
    qtbot.addWidget(page_canvas)
    return page_canvas


@pytest.mark.parametrize(("rows", "items"), [(1, 3000), (500, 3)])
def test_a_page_of_thousands_of_items_has_few_cards(page_canvas: PageCanvas, rows: int, items: int) -> None:
    long = view(rows, items)
    page_canvas.show_page(long)
    assert len(page_canvas.cards()) == MAX_CARDS
    assert not page_canvas.more_items_label.isHidden()
    assert f"{MAX_CARDS} of {rows * 2 * items}" in page_canvas.more_items_label.text()
    first = page_canvas.cards()[0]
    page_canvas.show_page(long)
    assert page_canvas.cards()[0] is first
    page_canvas.show_page(view(1, 2))
    assert len(page_canvas.cards()) == 4
    assert page_canvas.more_items_label.isHidden()


def test_all_cards_of_a_short_page_are_created_at_once(page_canvas: PageCanvas) -> None:
    usual = view(4, 5)
    assert len(keys(usual)) == MAX_NEW_CARDS
    page_canvas.show_page_in_slices(usual)
    assert shown(page_canvas) == keys(usual)
    assert not page_canvas.is_creating_cards


@pytest.mark.parametrize(("rows", "items"), [(1, 60), (60, 1)])
def test_the_cards_of_a_long_page_are_created_from_the_top_in_slices(
    qtbot: QtBot, page_canvas: PageCanvas, rows: int, items: int
) -> None:
    long = view(rows, items)
    page_canvas.show_page_in_slices(long)
    first = shown(page_canvas)
    columns = [column.children for row in long.page.children for column in row.children]
    assert 0 < len(first) < MAX_NEW_CARDS
    assert {columns[0][0].key, columns[1][0].key} <= set(first)
    top = page_canvas.cards()[0]
    qtbot.waitUntil(lambda: not page_canvas.is_creating_cards, timeout=LONGEST_WAIT)
    assert shown(page_canvas) == keys(long)
    assert page_canvas.cards()[0] is top


def test_leaving_a_page_stops_the_creation_of_its_cards(qtbot: QtBot, page_canvas: PageCanvas) -> None:
    page_canvas.show_page_in_slices(view(1, 60))
    short = view(1, 60, page=1)
    page_canvas.show_page_in_slices(short)
    assert shown(page_canvas) == keys(short)
    assert not page_canvas.is_creating_cards


def test_the_cards_of_another_long_page_are_created_from_its_top(
    qtbot: QtBot, page_canvas: PageCanvas
) -> None:
    page_canvas.show_page_in_slices(view(1, 60))
    other = view(1, 60, keys=random_keys())
    page_canvas.show_page_in_slices(other)
    assert shown(page_canvas)
    assert set(shown(page_canvas)) <= set(keys(other))
    qtbot.waitUntil(lambda: not page_canvas.is_creating_cards, timeout=LONGEST_WAIT)
    assert shown(page_canvas) == keys(other)


def test_unneeded_cards_of_a_long_page_are_deleted_in_slices(qtbot: QtBot, page_canvas: PageCanvas) -> None:
    page_canvas.show_page_in_slices(view(60, 1))
    qtbot.waitUntil(lambda: not page_canvas.is_creating_cards, timeout=LONGEST_WAIT)
    cards = page_canvas.cards()
    page_canvas.show_page_in_slices(view(60, 1, page=1))
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert sum(not isValid(card) for card in cards) < MAX_NEW_CARDS
    qtbot.waitUntil(lambda: [isValid(card) for card in cards].count(True) == 1, timeout=LONGEST_WAIT)


def open_long(stage: EditorStage, **attributes: Json) -> Layout:
    """Open a study with a long page, and show its second page."""
    layout = long_layout(30, 1, None, **attributes)
    stage.state.study.open(Project("Study", layout=layout, schema=stage.state.schema), None)
    stage.selection.show_page(layout.pages[1].key)
    QApplication.processEvents()
    return layout


def last_of_first_page(layout: Layout) -> str:
    """The key of the last item of the long page."""
    return [item.key for place, item in layout.walk() if place.page == 0][-1]


def test_f8_goes_to_a_card_that_is_not_created_yet(qtbot: QtBot, stage: EditorStage) -> None:
    last = last_of_first_page(open_long(stage, helper_text=7))
    page_canvas = stage.panels.canvas.page_canvas
    QTest.keyClick(stage.window(), Qt.Key.Key_F8)
    qtbot.waitUntil(lambda: page_canvas.is_creating_cards)
    assert page_canvas.card_of(last) is None
    qtbot.waitUntil(lambda: not page_canvas.is_creating_cards, timeout=LONGEST_WAIT)
    card = page_canvas.card_of(last)
    assert card is not None
    assert card.is_selected
    qtbot.waitUntil(lambda: not card.visibleRegion().isEmpty())
    assert focused().accessibleName() == "Helper text"


def test_a_focused_card_that_is_not_created_yet_gets_the_focus_later(
    qtbot: QtBot, stage: EditorStage
) -> None:
    last = last_of_first_page(open_long(stage))
    page_canvas = stage.panels.canvas.page_canvas
    stage.state.reveal(last)
    qtbot.waitUntil(lambda: page_canvas.is_creating_cards)
    assert page_canvas.card_of(last) is None
    qtbot.waitUntil(lambda: page_canvas.key_of(focused()) == last, timeout=LONGEST_WAIT)


def test_drops_are_rejected_until_all_cards_are_created(qtbot: QtBot, stage: EditorStage) -> None:
    layout = open_long(stage)
    canvas = stage.panels.canvas
    stage.selection.show_page(layout.pages[0].key)
    qtbot.waitUntil(lambda: canvas.page_canvas.is_creating_cards)
    canvas.start_drop()
    payload = DragPayload(ItemLabel("Item", "stack", "content"))
    assert canvas._insertion_point_at(QPoint(300, 300), payload) is None
    qtbot.waitUntil(
        lambda: canvas._insertion_point_at(QPoint(300, 300), payload) is not None, timeout=LONGEST_WAIT
    )
    canvas.end_drop()
