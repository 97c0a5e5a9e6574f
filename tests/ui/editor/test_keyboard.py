"""A study is created by keyboard alone; the keys of every step are counted and timed."""

import time
from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from batchwright.layout.item_types.registry import Item
from batchwright.layout.model import Layout
from batchwright.layout.serialization import write
from batchwright.local.projects import Project
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.editor.canvas.cards import ItemCard
from batchwright.ui.editor.stage import EditorStage
from tests.ui.conftest import focused
from tests.ui.editor.conftest import settle

pytestmark = pytest.mark.gui

Key, Modifier = Qt.Key, Qt.KeyboardModifier
SCHEMA = Schema(
    strict=True,
    fields={name: Field(FieldType.TEXT) for name in ("prompt", "response_a", "response_b")},
)
_MAX_TABS = 40


def accessible_name(widget: QWidget) -> str:
    """The accessible name of a widget."""
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


@dataclass
class Typist:
    """Presses keys, and records their number and time for each step."""

    strokes: int = 0
    started_at: float = field(default_factory=time.perf_counter)
    step_log: list[str] = field(default_factory=list)

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Modifier.NoModifier) -> None:
        """Press a key, and check that the focused widget is visible and has a name."""
        QTest.keyClick(focused(), key, modifiers)
        settle()
        self.strokes += 1
        assert focused().isVisible()
        assert accessible_name(focused())

    def write(self, text: str) -> None:
        """Type a text."""
        QTest.keyClicks(focused(), text)
        settle()
        self.strokes += len(text)

    def insert(self, title: str) -> None:
        """Insert an item of the palette by its name."""
        self.press(Key.Key_Insert)
        self.write(title)
        self.press(Key.Key_Return)

    def escape_to_card(self) -> None:
        """Press Escape until a card has the focus."""
        while not isinstance(focused(), ItemCard):
            before = focused()
            self.press(Key.Key_Escape)
            assert focused() is not before

    def tab_to(self, name: str) -> None:
        """Press Tab until the focused widget has this name."""
        for _ in range(_MAX_TABS):
            if name in accessible_name(focused()):
                return
            self.press(Key.Key_Tab)
        raise AssertionError(f"no {name} is reached by Tab, only {accessible_name(focused())}")

    def step(self, what: str) -> None:
        """Record the end of a step."""
        now = time.perf_counter()
        self.step_log.append(f"{what}: {self.strokes} keys, {(now - self.started_at) * 1000:.0f} ms")
        self.strokes, self.started_at = 0, now


def options(typist: Typist, *labels: str) -> None:
    """Type the labels of a new question with two options; Enter moves down, Tab leaves the last one."""
    typist.tab_to("Options")
    for label in labels:
        typist.press(Key.Key_Return)
        typist.write(label)
    typist.press(Key.Key_Tab)


def test_a_study_with_two_pages_and_columns_is_created_by_keyboard(stage: EditorStage) -> None:
    study = stage.state.study
    study.open(Project("Study", layout=Layout(), schema=SCHEMA), None)
    settle()
    stage.panels.canvas.setFocus()
    typist = Typist()
    typist.press(Key.Key_A, Modifier.ControlModifier | Modifier.ShiftModifier)
    typist.insert("rich")
    typist.press(Key.Key_Return)
    typist.tab_to("Content")
    typist.write("Read both answers, then say which is better.")
    typist.escape_to_card()
    typist.step("a page with a text")

    typist.press(Key.Key_A, Modifier.ControlModifier | Modifier.ShiftModifier)
    typist.insert("prompt")
    typist.insert("response_a")
    typist.insert("response_b")
    typist.press(Key.Key_Right, Modifier.AltModifier)
    typist.step("a second page with the prompt and two answers side by side")

    typist.insert("multiple")
    typist.write("Which answer is better?")
    options(typist, "A", "B")
    typist.escape_to_card()
    typist.step("a question with two options")

    typist.insert("free text")
    typist.write("Why?")
    typist.escape_to_card()
    typist.step("a question for the reasons")

    typist.press(Key.Key_PageUp, Modifier.ControlModifier)
    typist.press(Key.Key_Return)
    typist.tab_to("Each record")
    typist.press(Key.Key_Left)
    typist.press(Key.Key_Escape)
    typist.step("the first page shown once, before all records")

    for line in typist.step_log:
        print(line)
    assert shapes(study.layout) == [
        ("intro", [["rich_text"]]),
        ("body", [["prompt"], ["response_a", "response_b"], ["multiple_choice"], ["free_text"]]),
    ]
    (question,) = [item for _, item in study.layout.walk() if item.text("type") == "multiple_choice"]
    assert [option["label"] for option in question.objects("options")] == ["A", "B"]
    assert not study.problems
    assert write(study.layout)


def shapes(layout: Layout) -> list[tuple[str, list[list[str]]]]:
    """The position of each page, and its rows as item types."""
    return [
        (
            getattr(page, "position", ""),
            [
                [
                    item.text("field") or item.text("type")
                    for column in row.children
                    for item in column.children
                    if isinstance(item, Item)
                ]
                for row in page.children
            ],
        )
        for page in layout.pages
    ]
