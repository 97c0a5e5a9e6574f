"""The label of a dataset field is edited on its card."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from batchwright.layout.item_types.registry import DatasetField
from batchwright.layout.model import Column, Layout, Page, Row
from batchwright.ui.editor.canvas.cards import ItemCard
from batchwright.ui.editor.canvas.label_field import LabelField
from batchwright.ui.editor.stage import EditorStage
from batchwright.ui.shell.state import ShellState
from batchwright.ui.widgets.text import Label
from tests.layout.builders import item
from tests.ui.conftest import focused
from tests.ui.editor.conftest import editor_window, selected, settle, study_of

pytestmark = pytest.mark.gui

Key = Qt.Key


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path, shell: ShellState) -> Iterator[EditorStage]:
    """Show a page with two fields of the schema, one that it lacks, and a question."""
    fields = [DatasetField(key, {"type": "dataset_field", "field": key}) for key in ("prompt", "answer", "x")]
    rows = [Row(f"r{node.key}", {}, (Column(f"c{node.key}", {}, (node,)),)) for node in (*fields, item("q"))]
    with editor_window(study_of(Layout((Page("p", {}, tuple(rows)),))), tmp_path, shell) as stage:
        yield stage


def card(stage: EditorStage, key: str) -> ItemCard:
    found = stage.panels.canvas.page_canvas.card_of(key)
    assert found is not None
    return found


def labels(stage: EditorStage) -> list[str | None]:
    schema = stage.state.study.schema
    assert schema is not None
    return [field.label for field in schema.fields.values()]


def note(stage: EditorStage, text: str) -> Label:
    (label,) = [label for label in card(stage, "prompt").findChildren(Label) if label.text() == text]
    return label


def press(key: Qt.Key) -> None:
    QTest.keyClick(focused(), key)
    settle()


def double_click(widget: QWidget, pos: QPoint) -> None:
    """Press twice and release: `mouseDClick` alone leaves the button pressed, for later tests, too."""
    QTest.mouseDClick(widget, Qt.MouseButton.LeftButton, pos=pos)
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=pos)


def edit(stage: EditorStage, key: str) -> QWidget:
    """Focus a card and press F2; return the widget with the focus."""
    card(stage, key).setFocus()
    settle()
    press(Key.Key_F2)
    return focused()


def test_f2_edits_the_label_enter_applies_it_as_one_step_and_undo_takes_it_back(stage: EditorStage) -> None:
    field = edit(stage, "prompt")
    assert isinstance(field, LabelField)
    assert field.text() == field.selectedText() == "Prompt"
    QTest.keyClicks(field, " Question 1 ")
    assert labels(stage) == ["Prompt", None, None]
    press(Key.Key_Return)
    assert labels(stage) == ["Question 1", None, None]
    assert note(stage, "Question 1").isVisible()
    assert focused() is card(stage, "prompt")
    assert selected(stage) == ["prompt"]
    assert len(stage.state.study.history.past) == 1
    stage.state.study.undo()
    assert labels(stage) == ["Prompt", None, None]


def test_escape_cancels_and_keeps_the_selection(stage: EditorStage) -> None:
    QTest.keyClicks(edit(stage, "prompt"), "Other")
    press(Key.Key_Escape)
    assert labels(stage) == ["Prompt", None, None]
    assert not stage.state.study.history.past
    assert focused() is card(stage, "prompt")
    assert selected(stage) == ["prompt"]
    assert note(stage, "Prompt").isVisible()


def test_a_double_click_on_the_label_edits_it_and_one_beside_it_opens_the_form(stage: EditorStage) -> None:
    label = note(stage, "Prompt")
    double_click(label, label.rect().center())
    settle()
    field = focused()
    assert isinstance(field, LabelField)
    assert not label.isVisible()
    QTest.keyClicks(field, "Question")
    QTest.mouseClick(card(stage, "answer"), Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    card(stage, "answer").setFocus()
    settle()
    assert labels(stage)[0] == "Question"
    double_click(card(stage, "answer"), QPoint(20, 20))
    settle()
    assert stage.panels.inspector.isAncestorOf(focused())


def test_an_empty_label_removes_it_and_an_unchanged_one_is_no_step(stage: EditorStage) -> None:
    edit(stage, "answer")
    press(Key.Key_Return)
    assert not stage.state.study.history.past
    edit(stage, "prompt")
    press(Key.Key_Delete)
    press(Key.Key_Return)
    assert labels(stage) == [None, None, None]
    assert "prompt" in [node.key for node in stage.state.layout.walk_all()]


def test_a_screen_reader_finds_the_command_and_the_name_of_the_field(stage: EditorStage) -> None:
    card(stage, "prompt").setFocus()
    settle()
    interface = QAccessible.queryAccessibleInterface(card(stage, "answer"))
    assert "Edit label" in interface.actionInterface().actionNames()
    interface.actionInterface().doAction("Edit label")
    settle()
    name = QAccessible.queryAccessibleInterface(focused()).text(QAccessible.Text.Name)
    assert name == "Label that participants read"
    assert selected(stage) == ["answer"]


def test_other_items_and_unknown_fields_have_no_label_to_edit(stage: EditorStage) -> None:
    for key in ("x", "q"):
        interface = QAccessible.queryAccessibleInterface(card(stage, key))
        assert "Edit label" not in interface.actionInterface().actionNames()
        assert edit(stage, key) is card(stage, key)
        assert not stage.state.labelled_field()


def test_the_command_of_the_menu_edits_the_selected_field(stage: EditorStage) -> None:
    stage.state.reveal("answer")
    settle()
    assert stage.state.labelled_field() == "answer"
    stage.edit_label()
    settle()
    assert isinstance(focused(), LabelField)
