"""The preview equals the participant page of the local service: texts, controls, columns and order."""

import re
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from batchwright.base.json_values import Json
from batchwright.service.process import ServiceAddress
from batchwright.ui.core.web_media import ImageView
from batchwright.ui.editor.item_types.choice import CheckTile, RadioTile
from batchwright.ui.editor.item_types.file_upload import FilesControl
from batchwright.ui.widgets.buttons import Button, ButtonKind
from batchwright.ui.widgets.fields import TextArea
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.rich_text_view import RichTextView
from batchwright.ui.widgets.surfaces import Panel
from tests.api.studies import client_of
from tests.samples.each_type import ALL, BETTER, DURATION, FIELD, IMAGE, INVALID_VALUES, RICH, UPLOAD, WHY
from tests.ui.editor.preview.served_pages import Node, block_of, columns_of, page_of, plain, rows_of
from tests.ui.editor.preview.test_preview import PreviewHarness

pytestmark = pytest.mark.gui

OURS = frozenset(
    {
        "Open in browser",
        "Retry",
        "or drop them here",
        "This question has no text yet.",
    }
)
"""What the window says in place of things that only a browser shows."""

LONG: list[Json] = [{"label": f"Option {n}", "value": n} for n in range(6)]
WITH_HEADINGS = [{**entry, "heading": f"Why {entry['label']}?"} for entry in LONG if isinstance(entry, dict)]
HTTPS = "https://a.example"
RECORD: dict[str, Json] = {
    "prompt": "if a < b:\n    print('<b>')",
    "photo": f"{HTTPS}/a.png",
    "song": f"{HTTPS}/a.mp3",
    "film": f"{HTTPS}/a.mp4",
    "far": "http://a.example/a.mp4",
}
PAGES: dict[str, list[list[list[Json]]]] = {
    "each type alone": [[[entry]] for entry in ALL],
    "two columns that only show": [[[FIELD], [RICH]], [[BETTER]]],
    "a column that asks": [[[FIELD, IMAGE], [BETTER, WHY]]],
    "each field": [
        [[{"type": "dataset_field", "field": key}]]
        for key in ("prompt", "photo", "song", "film", "far", "hidden", "no")
    ],
    "many options": [
        [[{**BETTER, "options": LONG, "placeholder_text_input": "Choose well"}]],
        [[{**BETTER, "options": LONG, "disable_dropdown": True}]],
        [[{**BETTER, "options": LONG, "answer_limit": 3, "helper_text": "Up to three."}]],
        [[{**INVALID_VALUES, "options": WITH_HEADINGS, "answer_limit": 1}]],
    ],
    "numbers, units, files": [
        [[{**WHY, "validation": {"type": "number", "min": 1, "max": 9}, "placeholder_text_input": "3"}]],
        [[{**WHY, "validation": {"type": "string", "min": 3}, "helper_text": "Shortly."}]],
        [[{**DURATION, "unit_position": "prefix", "default_unit": "h"}]],
        [[{**DURATION, "unit_options": [{"label": "min", "value": "min"}]}]],
        [[{**UPLOAD, "max_file_count": 1}]],
        [[{**UPLOAD, "accepted_file_types": [".pdf"], "min_file_count": 2}]],
    ],
    "rich text": [
        [
            [
                {
                    "type": "rich_text",
                    "content": "# One\n\n- two\n- *three*\n\n> four",
                    "content_format": "markdown",
                }
            ]
        ],
        [[{"type": "rich_text", "content": "<h2>One</h2>\n<script>no()</script><p>two <b>three</b></p>"}]],
        [[{"type": "image", "url": "http://a.example/x.png", "alt_text": "x"}]],
        [[{**IMAGE, "caption": "A sign in fog"}]],
    ],
    "what is wrong": [[[{"type": "multiple_choice"}]], [[{"type": "free_text", "description": ""}]]],
}


COUNTED = re.compile(r"\d+ of \d+ (chosen|characters)")
"""What the script of the page tells once it runs."""


def blocks_of(block: QWidget) -> list[str]:
    """The texts and controls of a block of the preview in order."""
    found = (text for widget in (block, *block.findChildren(QWidget)) for text in _texts(widget))
    return [text for text in found if text and text not in OURS and not COUNTED.fullmatch(text)]


def _texts(widget: QWidget) -> Iterator[str]:
    match widget:
        case ImageView():
            yield from (widget.canvas.accessibleName(), widget.image.address)
        case Button() if widget.kind is ButtonKind.LINK:
            yield widget.text()
        case RichTextView():
            yield plain(widget.toPlainText())
        case QLabel():
            yield plain(widget.text())
        case RadioTile() | CheckTile():
            yield "<one>" if isinstance(widget, RadioTile) else "<many>"
            yield plain(widget.text())
        case TextArea():
            yield f"<area {widget.placeholderText()}>"
        case FormComboBox():
            yield "<menu>"
            yield from (plain(widget.itemText(number)) for number in range(widget.count()))
        case FilesControl():
            yield "<files>" if widget._many else "<file>"
        case QLineEdit():
            yield f"<line {widget.placeholderText()}>"


async def served(running: ServiceAddress, harness: PreviewHarness) -> Node:
    request = harness.preview.state.request()
    async with client_of(running) as service:
        preview = await service.local.preview(request)
    with urllib.request.urlopen(preview.url, timeout=30) as answer:
        return page_of(answer.read().decode())


def layout_of(rows: list[list[list[Json]]]) -> dict[str, Json]:
    return {"rows": [{"columns": [{"items": items} for items in row]} for row in rows]}


@pytest.mark.spec("L-01", "L-09")
@pytest.mark.parametrize("name", PAGES)
async def test_a_page_is_the_same_in_the_window_and_in_the_browser(
    qtbot: QtBot, running: ServiceAddress, name: str
) -> None:
    harness = PreviewHarness(qtbot, layout_of(PAGES[name]))
    harness.records.set_records((RECORD,))
    page = await served(running, harness)
    browser_blocks = [
        [[block_of(node) for node in column.nodes] for column in columns_of(row)] for row in rows_of(page)
    ]
    preview_blocks = [
        [[blocks_of(widget) for widget in column.blocks] for column in row] for row in harness.sheet.rows
    ]
    assert preview_blocks == browser_blocks


@pytest.mark.spec("L-03")
@pytest.mark.parametrize("name", PAGES)
async def test_columns_have_the_same_positions_as_in_the_browser(
    qtbot: QtBot, running: ServiceAddress, name: str
) -> None:
    harness = PreviewHarness(qtbot, layout_of(PAGES[name]))
    harness.records.set_records((RECORD,))
    page = await served(running, harness)
    for row, shown in zip(rows_of(page), harness.sheet.rows, strict=True):
        assert ("two" in row.classes) == (len(shown) == 2)
        framed = [bool(entry.findChildren(Panel)) for entry in shown]
        assert framed == ["box" in column.classes for column in columns_of(row)]
        if len(shown) == 2:
            left, right = (entry.mapTo(harness.sheet, entry.rect().topLeft()) for entry in shown)
            assert left.x() + shown[0].width() <= right.x()
            assert left.y() == right.y()


@pytest.mark.parametrize("position", ["intro", "body", "outro"])
async def test_the_progress_text_is_that_of_the_browser(
    qtbot: QtBot, running: ServiceAddress, position: str
) -> None:
    pages: list[Any] = [layout_of([[[RICH]]]) for _number in range(3)]
    pages[1]["display_position"] = position
    harness = PreviewHarness(qtbot, *pages)
    harness.preview.show_page(harness.study.layout.pages[1].key)
    page = await served(running, harness)
    (messages,) = (node for node in page.all("span") if node.attributes.get("id") == "progress-text")
    assert harness.preview.state.progress == messages.visible_text()
