"""Drops from other programs become items, or are rejected with an explanation."""

import pytest
from PySide6.QtCore import QMimeData, QUrl

from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.item_types.registry import Image
from batchwright.layout.nodes import Level
from batchwright.ui.editor.dnd.drop_preview import drop_hint, preview_drop
from batchwright.ui.editor.dnd.external_drops import LayoutMimeData, payload_from_mime
from batchwright.ui.editor.dnd.payload import (
    ExternalNodesPayload,
    MovedNodesPayload,
    NewItemPayload,
    payload_for_nodes,
)
from tests.layout.builders import picture, sketch
from tests.ui.editor.conftest import study_of

pytestmark = pytest.mark.usefixtures("qapp")
LAYOUT = sketch("ab // c")


def refusal(mime: QMimeData) -> str:
    return preview_drop(LAYOUT, payload_from_mime(mime, study_of(LAYOUT)), InsertionPoint("pa", 0)).rejection


def url(address: str) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl(address)])
    return mime


def text(content: str) -> QMimeData:
    mime = QMimeData()
    mime.setText(content)
    return mime


@pytest.mark.parametrize(
    ("mime", "message"),
    [
        (url("http://example.org/cat.PNG"), "Images need an https address."),
        (url("https://example.org/song.ogg"), "A layout cannot contain files."),
        (text("Which answer is better?"), "Text belongs in an item"),
        (text(""), "Text belongs in an item"),
        (text("https://"), "Text belongs in an item"),
        (text('[{"type": "free_text"}, {"rows": []}]'), "Text belongs in an item"),
        (QMimeData(), "Text belongs in an item"),
    ],
)
def test_an_unusable_drop_explains_what_is_possible(mime: QMimeData, message: str) -> None:
    assert refusal(mime).startswith(message)


@pytest.mark.parametrize(
    "mime", [url("https://example.org/a/cat.png?w=3"), text(" https://example.org/x.JPG\n")]
)
def test_a_web_image_becomes_an_image_item(mime: QMimeData) -> None:
    payload = payload_from_mime(mime, study_of(LAYOUT))
    assert isinstance(payload, NewItemPayload)
    assert isinstance(payload.node, Image)
    assert payload.node.text("url").startswith("https://example.org/")


@pytest.mark.parametrize(
    ("keys", "level"), [(("x",), Level.ITEM), (("rx",), Level.ROW), (("px",), Level.PAGE)]
)
def test_nodes_from_another_window_are_copied(keys: tuple[str, ...], level: Level) -> None:
    other_study = study_of(sketch("x|y"))
    mime = LayoutMimeData(payload_for_nodes(other_study.layout, keys), other_study)
    payload = payload_from_mime(mime, study_of(LAYOUT))
    assert isinstance(payload, ExternalNodesPayload)
    assert (payload.level, payload.is_new) == (level, True)
    assert not {node.key for brought in payload.nodes for node in brought.walk_all()} & {"x", "y"}


def test_nodes_of_a_copy_of_the_study_are_copied_as_they_are_there() -> None:
    other_study = study_of(sketch("ab // c"))
    other_study.apply(SetAttributes("b", {"description": "x"}))
    mime = LayoutMimeData(payload_for_nodes(other_study.layout, ("b",)), other_study)
    payload = payload_from_mime(mime, study_of(LAYOUT))
    preview = preview_drop(LAYOUT, payload, InsertionPoint("ca", 0))
    assert preview.edit is not None
    assert picture(preview.edit(LAYOUT)) == "xab // c"


def test_nodes_of_this_study_are_moved() -> None:
    study = study_of(LAYOUT)
    payload = payload_from_mime(LayoutMimeData(payload_for_nodes(LAYOUT, ("b",)), study), study)
    assert isinstance(payload, MovedNodesPayload)
    preview = preview_drop(LAYOUT, payload, InsertionPoint("ca", 0))
    assert preview.edit is not None
    assert picture(preview.edit(LAYOUT)) == "ba // c"


@pytest.mark.parametrize(
    ("keys", "gap", "copies", "message"),
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
        (("pc",), InsertionPoint("pa", 0), False, "Pages can only be placed between pages."),
    ],
)
def test_the_status_bar_explains_the_drop_and_the_keys(
    keys: tuple[str, ...], gap: InsertionPoint, copies: bool, message: str
) -> None:
    payload = payload_for_nodes(LAYOUT, keys)
    assert drop_hint(payload, preview_drop(LAYOUT, payload, gap, copies=copies), copies=copies) == message


def test_the_hint_for_a_new_item_does_not_mention_copying() -> None:
    payload = payload_from_mime(text('{"type": "free_text", "description": "x"}'), study_of(LAYOUT))
    message = drop_hint(payload, preview_drop(LAYOUT, payload, InsertionPoint("pa", 0)))
    assert message == "Release to add Free text: New row before row 1 · Esc cancels"


def test_dragged_nodes_are_batch_items_json() -> None:
    study = study_of(sketch("a"))
    assert '"type": "free_text"' in LayoutMimeData(payload_for_nodes(study.layout, ("a",)), study).text()
