"""Very long texts are shown and edited in chunks, and preserved."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from batchwright.ui.editor.inspector.large_editor import LargeEditor
from batchwright.ui.editor.inspector.options.details import LongTextField
from batchwright.ui.editor.inspector.options.model import OptionColumn
from batchwright.ui.editor.inspector.text_binding import ChunkNavigator
from batchwright.ui.editor.item_types.rich_text import RichTextEditor
from batchwright.ui.widgets.buttons import IconButton
from batchwright.ui.widgets.text import Label
from tests.ui.editor.inspector.conftest import InspectorHarness, Opened
from tests.ui.editor.inspector.interaction import find_named, option_list

pytestmark = pytest.mark.gui

LONG = "x" * 1_000_000


def rich(content: str) -> Any:
    return {"type": "rich_text", "content": content, "content_format": "markdown"}


def choice(label: str, value: str) -> Any:
    options = [{"label": label, "value": value}, {"label": "No", "value": "no"}]
    return {"type": "multiple_choice", "description": "Good?", "answer_limit": 1, "options": options}


def navigator(harness: InspectorHarness) -> ChunkNavigator:
    """The visible chunk navigator."""
    navigators = [
        widget
        for widget in harness.inspector.findChildren(ChunkNavigator)
        if widget.isVisibleTo(harness.inspector)
    ]
    assert len(navigators) == 1
    return navigators[0]


def press(harness: InspectorHarness, name: str) -> None:
    button = next(
        widget for widget in navigator(harness).findChildren(IconButton) if widget.accessibleName() == name
    )
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def area(harness: InspectorHarness, name: str) -> QPlainTextEdit:
    field = find_named(harness, name)
    assert isinstance(field, QPlainTextEdit)
    return field


def chunk_label(harness: InspectorHarness) -> str:
    return navigator(harness).findChildren(Label)[0].text()


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
    ids=["a word", "a paragraph", "texts", "an option", "a URL", "unknown keys", "a field"],
)
def test_a_giant_text_is_shown_without_being_laid_out_as_a_whole(opened: Opened, item: Any) -> None:
    """To lay it out takes minutes, longer than a test may take."""
    harness = opened({"type": "free_text", "description": "What?"}, item)
    before = harness.item(1)
    harness.selection.select(harness.keys[1:], harness.page)
    for _ in range(5):
        QApplication.processEvents()
    assert harness.item(1) == before


def test_typing_changes_only_the_current_chunk(opened: Opened) -> None:
    numbers = [f"{number:07}" for number in range(100_000)]
    harness = opened(rich(" ".join(numbers)))
    field = area(harness, "Content")
    assert chunk_label(harness) == "Characters 1 to 4,000 of 799,999"
    press(harness, "Next part")
    assert chunk_label(harness) == "Characters 4,001 to 8,000 of 799,999"
    assert field.toPlainText().startswith("0000500")
    field.moveCursor(QTextCursor.MoveOperation.Start)
    QTest.keyClicks(field, "New ")
    numbers[500] = "New 0000500"
    assert harness.item()["content"] == " ".join(numbers)
    assert chunk_label(harness) == "Characters 4,001 to 8,004 of 800,003"
    press(harness, "Previous part")
    assert chunk_label(harness) == "Characters 1 to 4,000 of 800,003"
    assert field.toPlainText().endswith("0000499 ")


def test_undo_restores_the_chunk(opened: Opened) -> None:
    harness = opened(rich(LONG))
    press(harness, "Next part")
    field = area(harness, "Content")
    QTest.keyClicks(field, "abc")
    harness.study.undo()
    harness.inspector.refresh()
    assert harness.item()["content"] == LONG
    assert field.toPlainText() == "x" * 4000
    assert chunk_label(harness) == "Characters 4,001 to 8,000 of 1,000,000"


def test_line_endings_of_other_chunks_are_preserved(opened: Opened) -> None:
    content = "x" * 3999 + "\r\n" + "y" * 10_000 + "\r\nz"
    harness = opened(rich(content))
    field = area(harness, "Content")
    QTest.keyClicks(field, "a")
    assert harness.item()["content"] == "a" + content


def test_formatting_changes_the_chunk(opened: Opened) -> None:
    harness = opened(rich(LONG))
    press(harness, "Next part")
    editor = harness.inspector.findChild(RichTextEditor)
    assert editor is not None
    editor.controls.area.selectAll()
    QTest.keyClick(editor.controls.area, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert harness.item()["content"] == "x" * 4000 + "**" + "x" * 4000 + "**" + "x" * 992_000


def test_a_text_that_becomes_short_is_no_longer_chunked(opened: Opened) -> None:
    harness = opened({"type": "free_text", "description": "y" * 8_001})
    field = area(harness, "Question")
    press(harness, "Next part")
    field.selectAll()
    QTest.keyClicks(field, "z")
    assert field.toPlainText() == "z"  # the cursor stays where it is
    harness.selection.select((), harness.page)
    harness.selection.select(harness.keys, harness.page)
    assert area(harness, "Question").toPlainText() == harness.item()["description"] == "y" * 4000 + "z" + "y"


def test_the_large_editor_navigates_chunks_as_well(opened: Opened) -> None:
    harness = opened({"type": "free_text", "description": LONG})
    field = area(harness, "Question")
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    large = harness.inspector.window().findChild(LargeEditor)
    assert large is not None
    assert large.findChild(ChunkNavigator) is not None
    assert len(large.area.toPlainText()) == 4000
    assert "1000000 characters" in [label.text() for label in large.findChildren(Label)]


def test_a_single_line_field_preserves_text_that_it_cannot_show(opened: Opened) -> None:
    harness = opened({"type": "image", "url": f"https://example.org/{LONG}", "alt_text": "A dog"})
    field = find_named(harness, "Address")
    assert isinstance(field, QLineEdit)
    field.setFocus()
    field.end(False)  # as PySide wants it
    QTest.keyClicks(field, "!")
    url = f"https://example.org/{LONG}"
    assert harness.item()["url"] == url[:4000] + "!" + url[4000:]


def test_a_long_label_is_edited_below_the_table(opened: Opened) -> None:
    harness = opened(choice(LONG, "yes"))
    table = option_list(harness).table
    table.edit_cell(0, OptionColumn.LABEL)
    assert not [widget for widget in table.findChildren(QLineEdit) if widget.isVisible()]
    long = [
        widget
        for widget in harness.inspector.findChildren(LongTextField)
        if widget.isVisibleTo(harness.inspector)
    ]
    assert len(long) == 1
    field = long[0].findChild(QPlainTextEdit)
    assert field is not None
    QTest.keyClicks(field, "Yes ")
    assert harness.item()["options"][0] == {"label": "Yes " + LONG, "value": "yes"}
