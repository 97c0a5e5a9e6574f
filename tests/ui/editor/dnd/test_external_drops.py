"""What comes from elsewhere becomes an item where it can, and else says what is possible."""

import pytest
from PySide6.QtCore import QMimeData, QUrl

from batchwright.layout.edits import InsertionPoint
from batchwright.layout.item_types.registry import Image
from batchwright.layout.model import Layout
from batchwright.layout.nodes import Level
from batchwright.ui.editor.dnd.drop_preview import drop_hint, preview_drop
from batchwright.ui.editor.dnd.external_drops import LayoutMimeData, payload_from_mime
from batchwright.ui.editor.dnd.payload import (
    ForeignNodesPayload,
    MovedNodesPayload,
    NewItemPayload,
    payload_for_nodes,
)
from tests.layout.builders import picture, sketch

pytestmark = pytest.mark.usefixtures("qapp")
HERE = sketch("ab // c")


def refusal(mime: QMimeData) -> str:
    return preview_drop(HERE, payload_from_mime(mime, HERE, None), InsertionPoint("pa", 0)).rejection


def url(address: str) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl(address)])
    return mime


def text(words: str) -> QMimeData:
    mime = QMimeData()
    mime.setText(words)
    return mime


@pytest.mark.parametrize(
    ("mime", "said"),
    [
        (url("http://example.org/cat.PNG"), "Images need an https address."),
        (url("https://example.org/song.ogg"), "A layout cannot contain files."),
        (text("Which answer is better?"), "Text goes into an item"),
        (text(""), "Text goes into an item"),
        (text("https://"), "Text goes into an item"),
        (text('[{"type": "free_text"}, {"rows": []}]'), "Text goes into an item"),
        (QMimeData(), "Text goes into an item"),
    ],
)
def test_what_cannot_be_in_a_layout_says_what_is_possible(mime: QMimeData, said: str) -> None:
    assert refusal(mime).startswith(said)


@pytest.mark.parametrize(
    "mime", [url("https://example.org/a/cat.png?w=3"), text(" https://example.org/x.JPG\n")]
)
def test_a_picture_of_the_web_is_an_image_at_its_address(mime: QMimeData) -> None:
    payload = payload_from_mime(mime, HERE, None)
    assert isinstance(payload, NewItemPayload)
    assert isinstance(payload.entry, Image)
    assert payload.entry.text("url").startswith("https://example.org/")


@pytest.mark.parametrize(
    ("keys", "level"), [(("x",), Level.ITEM), (("rx",), Level.ROW), (("px",), Level.PAGE)]
)
def test_what_another_window_holds_is_brought_as_a_copy(keys: tuple[str, ...], level: Level) -> None:
    there = sketch("x|y")
    payload = payload_from_mime(LayoutMimeData(payload_for_nodes(there, keys), there), HERE, None)
    assert isinstance(payload, ForeignNodesPayload)
    assert (payload.level, payload.is_new) == (level, True)
    assert not {entry.key for brought in payload.entries for entry in brought.walk_all()} & {"x", "y"}


def test_what_was_taken_here_is_moved() -> None:
    payload = payload_from_mime(LayoutMimeData(payload_for_nodes(HERE, ("b",)), HERE), HERE, None)
    assert isinstance(payload, MovedNodesPayload)
    preview = preview_drop(HERE, payload, InsertionPoint("ca", 0))
    assert preview.edit is not None
    assert picture(preview.edit(HERE)) == "ba // c"


@pytest.mark.parametrize(
    ("keys", "gap", "copies", "said"),
    [
        (
            ("a",),
            InsertionPoint("pc", 0),
            False,
            "Release to move Free text: New row before row 1 · Ctrl copies · Esc cancels",
        ),
        (
            ("a",),
            InsertionPoint("pc", 0),
            True,
            "Release to copy Free text: New row before row 1 · Esc cancels",
        ),
        (
            ("a", "b"),
            InsertionPoint("pc", 1),
            False,
            "Release to move 2 items: New row after row 1 · Ctrl copies · Esc cancels",
        ),
        (("a",), InsertionPoint("ca", 0), False, "Stays where it is · Esc cancels"),
        (("pc",), InsertionPoint("pa", 0), False, "A page goes between pages."),
    ],
)
def test_the_status_line_says_what_release_and_the_keys_do(
    keys: tuple[str, ...], gap: InsertionPoint, copies: bool, said: str
) -> None:
    payload = payload_for_nodes(HERE, keys)
    assert drop_hint(payload, preview_drop(HERE, payload, gap, copies=copies), copies=copies) == said


def test_a_new_part_is_not_said_to_be_copied() -> None:
    payload = payload_from_mime(text('{"type": "free_text", "description": "x"}'), HERE, None)
    said = drop_hint(payload, preview_drop(HERE, payload, InsertionPoint("pa", 0)))
    assert said == "Release to add Free text: New row before row 1 · Esc cancels"


def test_what_is_dragged_is_batch_items_for_other_programs() -> None:
    layout: Layout = sketch("a")
    assert '"type": "free_text"' in LayoutMimeData(payload_for_nodes(layout, ("a",)), layout).text()
