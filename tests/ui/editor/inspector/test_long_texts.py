"""Texts that Qt would need minutes to lay out are shown and edited in parts, and nothing of them is lost."""

from time import perf_counter
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from batchwright.ui.editor.inspector.large_editor import LargeEditor
from batchwright.ui.editor.inspector.options.fields import LongTextField
from batchwright.ui.editor.inspector.options.model import OptionColumn
from batchwright.ui.editor.inspector.rich_text import RichTextEditor
from batchwright.ui.editor.inspector.text_binding import PartNavigator
from batchwright.ui.widgets.buttons import IconButton
from batchwright.ui.widgets.text import Label
from tests.ui.editor.inspector.conftest import Desk, Opened
from tests.ui.editor.inspector.interaction import entries, named

pytestmark = pytest.mark.gui

LONG = "x" * 1_000_000
SOON_S = 2.0
"""Far below the minutes that it takes to lay such a text out, and above what a busy computer needs."""


def rich(content: str) -> Any:
    return {"type": "rich_text", "content": content, "content_format": "markdown"}


def choice(label: str, value: str) -> Any:
    options = [{"label": label, "value": value}, {"label": "No", "value": "no"}]
    return {"type": "multiple_choice", "description": "Good?", "answer_limit": 1, "options": options}


def navigator(desk: Desk) -> PartNavigator:
    """The one that can be seen."""
    found = [one for one in desk.inspector.findChildren(PartNavigator) if one.isVisibleTo(desk.inspector)]
    assert len(found) == 1
    return found[0]


def press(desk: Desk, name: str) -> None:
    button = next(one for one in navigator(desk).findChildren(IconButton) if one.accessibleName() == name)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def area(desk: Desk, name: str) -> QPlainTextEdit:
    field = named(desk, name)
    assert isinstance(field, QPlainTextEdit)
    return field


def part_label(desk: Desk) -> str:
    return navigator(desk).findChildren(Label)[0].text()


@pytest.mark.parametrize(
    "item",
    [
        rich("x" * 3_000_000),
        rich("word " * 200_000),
        {"type": "free_text", "description": LONG, "helper_text": LONG, "placeholder_text_input": LONG},
        choice(LONG, LONG),
        {"type": "image", "url": f"https://example.org/{LONG}", "alt_text": LONG, "caption": LONG},
        {"type": "free_text", "description": "What?", "something_else": LONG, LONG: 1},
        {"type": "dataset_field", "field": LONG},
    ],
    ids=["a word", "a paragraph", "texts", "an option", "an address", "unknown keys", "a field"],
)
def test_a_giant_text_is_shown_at_once(opened: Opened, item: Any) -> None:
    desk = opened({"type": "free_text", "description": "What?"}, item)
    before = desk.item(1)
    start = perf_counter()
    desk.selection.select(desk.keys[1:], desk.page)
    for _ in range(5):
        QApplication.processEvents()
    assert perf_counter() - start < SOON_S
    assert desk.item(1) == before


def test_what_is_typed_changes_the_part_that_is_shown_and_nothing_else(opened: Opened) -> None:
    words = [f"{number:07}" for number in range(100_000)]
    desk = opened(rich(" ".join(words)))
    field = area(desk, "Content")
    assert part_label(desk) == "Characters 1 to 4,000 of 799,999"
    press(desk, "Next part")
    assert part_label(desk) == "Characters 4,001 to 8,000 of 799,999"
    assert field.toPlainText().startswith("0000500")
    field.moveCursor(QTextCursor.MoveOperation.Start)
    QTest.keyClicks(field, "New ")
    words[500] = "New 0000500"
    assert desk.item()["content"] == " ".join(words)
    assert part_label(desk) == "Characters 4,001 to 8,004 of 800,003"
    press(desk, "Previous part")
    assert part_label(desk) == "Characters 1 to 4,000 of 800,003"
    assert field.toPlainText().endswith("0000499 ")


def test_undo_shows_the_part_as_it_was(opened: Opened) -> None:
    desk = opened(rich(LONG))
    press(desk, "Next part")
    field = area(desk, "Content")
    QTest.keyClicks(field, "abc")
    desk.study.undo()
    desk.inspector.refresh()
    assert desk.item()["content"] == LONG
    assert field.toPlainText() == "x" * 4000
    assert part_label(desk) == "Characters 4,001 to 8,000 of 1,000,000"


def test_line_ends_of_other_parts_stay(opened: Opened) -> None:
    content = "x" * 3999 + "\r\n" + "y" * 10_000 + "\r\nz"
    desk = opened(rich(content))
    field = area(desk, "Content")
    QTest.keyClicks(field, "a")
    assert desk.item()["content"] == "a" + content


def test_formatting_changes_the_part(opened: Opened) -> None:
    desk = opened(rich(LONG))
    press(desk, "Next part")
    editor = desk.inspector.findChild(RichTextEditor)
    assert editor is not None
    editor.parts.area.selectAll()
    QTest.keyClick(editor.parts.area, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert desk.item()["content"] == "x" * 4000 + "**" + "x" * 4000 + "**" + "x" * 992_000


def test_a_text_that_becomes_short_is_shown_whole(opened: Opened) -> None:
    desk = opened({"type": "free_text", "description": "y" * 8_001})
    field = area(desk, "Question")
    press(desk, "Next part")
    field.selectAll()
    QTest.keyClicks(field, "z")
    assert field.toPlainText() == "z"  # the cursor stays where it is
    desk.selection.select((), desk.page)
    desk.selection.select(desk.keys, desk.page)
    assert area(desk, "Question").toPlainText() == desk.item()["description"] == "y" * 4000 + "z" + "y"


def test_the_large_editor_leads_through_the_parts_too(opened: Opened) -> None:
    desk = opened({"type": "free_text", "description": LONG})
    field = area(desk, "Question")
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    large = desk.inspector.window().findChild(LargeEditor)
    assert large is not None
    assert large.findChild(PartNavigator) is not None
    assert len(large.area.toPlainText()) == 4000
    assert "1000000 characters" in [label.text() for label in large.findChildren(Label)]


def test_a_line_field_keeps_what_it_does_not_show(opened: Opened) -> None:
    desk = opened({"type": "image", "url": f"https://example.org/{LONG}", "alt_text": "A dog"})
    field = named(desk, "Address")
    assert isinstance(field, QLineEdit)
    field.setFocus()
    field.end(False)  # as PySide wants it
    QTest.keyClicks(field, "!")
    url = f"https://example.org/{LONG}"
    assert desk.item()["url"] == url[:4000] + "!" + url[4000:]


def test_a_long_label_is_edited_below_the_table(opened: Opened) -> None:
    desk = opened(choice(LONG, "yes"))
    table = entries(desk).table
    table.edit_cell(0, OptionColumn.LABEL)
    assert not [one for one in table.findChildren(QLineEdit) if one.isVisible()]
    long = [one for one in desk.inspector.findChildren(LongTextField) if one.isVisibleTo(desk.inspector)]
    assert len(long) == 1
    field = long[0].findChild(QPlainTextEdit)
    assert field is not None
    QTest.keyClicks(field, "Yes ")
    assert desk.item()["options"][0] == {"label": "Yes " + LONG, "value": "yes"}
