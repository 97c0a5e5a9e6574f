"""A two-page side-by-side study from an empty project, without a mouse; every step is counted and timed."""

import time
from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from batchwright.layout.item_types.registry import Item
from batchwright.layout.model import Layout
from batchwright.layout.serialization import write
from batchwright.local.projects import Project
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.editor.canvas.cards import ItemCard
from batchwright.ui.editor.stage import EditorStage
from tests.ui.editor.conftest import settle

pytestmark = pytest.mark.gui

Key, Held = Qt.Key, Qt.KeyboardModifier
SCHEMA = Schema(
    strict=True,
    fields={name: Field(FieldType.TEXT) for name in ("prompt", "response_a", "response_b")},
)
_MOST_TABS = 40


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def spoken(widget: QWidget) -> str:
    """What a screen reader calls a widget."""
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


@dataclass
class Typist:
    """Presses keys, and keeps account of them."""

    strokes: int = 0
    begun: float = field(default_factory=time.perf_counter)
    account: list[str] = field(default_factory=list)

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Held.NoModifier) -> None:
        """Press a key; what has the keyboard then is seen, and has a name."""
        QTest.keyClick(focused(), key, modifiers)
        settle()
        self.strokes += 1
        assert focused().isVisible()
        assert spoken(focused())

    def write(self, text: str) -> None:
        """Write words."""
        QTest.keyClicks(focused(), text)
        settle()
        self.strokes += len(text)

    def insert(self, title: str) -> None:
        """Add a part by its name."""
        self.press(Key.Key_Insert)
        self.write(title)
        self.press(Key.Key_Return)

    def leave(self) -> None:
        """Escape leads outward, at last to the card."""
        while not isinstance(focused(), ItemCard):
            before = focused()
            self.press(Key.Key_Escape)
            assert focused() is not before

    def tab_to(self, name: str) -> None:
        """Go on with Tab until what has the keyboard is called so."""
        for _ in range(_MOST_TABS):
            if name in spoken(focused()):
                return
            self.press(Key.Key_Tab)
        raise AssertionError(f"no {name} is reached by Tab, only {spoken(focused())}")

    def step(self, what: str) -> None:
        """A step is done."""
        now = time.perf_counter()
        self.account.append(f"{what}: {self.strokes} keys, {(now - self.begun) * 1000:.0f} ms")
        self.strokes, self.begun = 0, now


def options(typist: Typist, *labels: str) -> None:
    """Write the labels of a new question, which has two options; Enter goes down, Tab ends the last one."""
    typist.tab_to("Options")
    for label in labels:
        typist.press(Key.Key_Return)
        typist.write(label)
    typist.press(Key.Key_Tab)


def test_a_side_by_side_study_of_two_pages_is_built_by_keys_alone(stage: EditorStage) -> None:
    study = stage.model.study
    study.open(Project("Study", layout=Layout(), schema=SCHEMA), None)
    settle()
    stage.panels.canvas.setFocus()
    typist = Typist()
    typist.press(Key.Key_A, Held.ControlModifier | Held.ShiftModifier)
    typist.insert("rich")
    typist.press(Key.Key_Return)
    typist.tab_to("Content")
    typist.write("Read both answers, then say which is better.")
    typist.leave()
    typist.step("a page with a text")

    typist.press(Key.Key_A, Held.ControlModifier | Held.ShiftModifier)
    typist.insert("prompt")
    typist.insert("response_a")
    typist.insert("response_b")
    typist.press(Key.Key_Right, Held.AltModifier)
    typist.step("a second page with the prompt and two answers side by side")

    typist.insert("multiple")
    typist.write("Which answer is better?")
    options(typist, "A", "B")
    typist.leave()
    typist.step("a question with two options")

    typist.insert("free text")
    typist.write("Why?")
    typist.leave()
    typist.step("a question for the reasons")

    typist.press(Key.Key_PageUp, Held.ControlModifier)
    typist.press(Key.Key_Return)
    typist.tab_to("Each record")
    typist.press(Key.Key_Left)
    typist.press(Key.Key_Escape)
    typist.step("the first page shown once, before all records")

    for line in typist.account:
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
    """When each page is shown, and the rows of what is on it."""
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
