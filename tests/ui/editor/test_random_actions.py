"""Whatever is done on the stage, in whatever order, the window lives and shows the layout there is."""

from collections.abc import Callable
from random import Random

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDragLeaveEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from batchwright.layout.edits import SetAttributes
from batchwright.layout.item_types.registry import FileUpload, FreeText, Image, Item, MultipleChoice, RichText
from batchwright.ui.editor import commands
from batchwright.ui.editor.keyboard_moves import Direction
from batchwright.ui.editor.stage import EditorStage
from tests.ui.editor.conftest import settle
from tests.ui.editor.interaction import Hand, payload_for

KINDS = (RichText, Image, MultipleChoice, FreeText, FileUpload)
PLAIN, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
KEYS = (
    *((key, PLAIN) for key in (Qt.Key.Key_Tab, Qt.Key.Key_Escape, Qt.Key.Key_Down, Qt.Key.Key_Up)),
    *((key, PLAIN) for key in (Qt.Key.Key_F6, Qt.Key.Key_F8, Qt.Key.Key_Return, Qt.Key.Key_Delete)),
    *((key, CTRL) for key in (Qt.Key.Key_Z, Qt.Key.Key_D, Qt.Key.Key_Period, Qt.Key.Key_F8)),
)
MOST, FEWEST = 80, 8


class Someone:
    """Does one thing after another on the stage, drawn by chance."""

    def __init__(self, stage: EditorStage, seed: int) -> None:
        self.stage, self.model, self.chance = stage, stage.model, Random(seed)
        self.deeds: tuple[Callable[[], object], ...] = (
            self.reach,
            self.show_page,
            self.select_pages,
            self.insert,
            self.remove,
            self.duplicate,
            self.move,
            self.cut_and_paste,
            self.drag,
            self.press,
            self.press,
            self.spoil,
            self.model.study.undo,
            self.model.study.redo,
            lambda: commands.split_row(self.model),
            lambda: commands.merge_columns(self.model),
            lambda: commands.split_page(self.model),
            lambda: commands.merge_with_next_page(self.model),
            lambda: commands.select_all(self.model),
            lambda: commands.fix_all_like_selected(self.model),
            self.model.go_to_next_problem,
            stage.toggle_outline,
            stage.toggle_problems,
            stage.selection.request_edit,
        )

    def do(self, count: int) -> None:
        for _ in range(count):
            if not keys(self.stage):
                commands.add_page(self.model)
            self.chance.choice(self.deeds)()
            for _ in range(self.chance.choice((0, 1, 3, 8))):
                QApplication.processEvents()

    def key(self) -> str:
        return self.chance.choice(keys(self.stage))

    def reach(self) -> None:
        self.model.reveal(self.key())

    def show_page(self) -> None:
        self.model.selection.show_page(self.chance.choice(self.model.layout.pages).key)

    def select_pages(self) -> None:
        pages = [page.key for page in self.model.layout.pages]
        self.model.select(self.chance.sample(pages, min(len(pages), 3)))

    def insert(self) -> None:
        if len(keys(self.stage)) < MOST:
            commands.insert(self.model, commands.new_item(self.chance.choice(KINDS)))

    def remove(self) -> None:
        if self.model.keys and len(keys(self.stage)) > FEWEST:
            commands.remove(self.model)

    def duplicate(self) -> None:
        if len(keys(self.stage)) < MOST:
            commands.duplicate(self.model)

    def move(self) -> None:
        commands.move(self.model, self.chance.choice(list(Direction)))

    def cut_and_paste(self) -> None:
        commands.cut(self.model)
        commands.paste(self.model)

    def drag(self) -> None:
        panels = self.stage.panels
        field = panels.canvas.page_canvas.parentWidget() or panels
        on = self.chance.choice((field, panels.pages.viewport(), panels.outline.viewport()))
        hand = Hand(on, payload_for(self.stage, self.key()))
        for _ in range(3):
            hand.over(self._point(on))
            QApplication.processEvents()
        if self.chance.random() < 0.7:
            hand.drop(self._point(on))
        else:
            QApplication.sendEvent(on, QDragLeaveEvent())

    def press(self) -> None:
        QTest.keyClick(QApplication.focusWidget() or self.stage, *self.chance.choice(KEYS))

    def spoil(self) -> None:
        """Make an error somewhere, for F8 to find."""
        self.model.apply(SetAttributes(self.key(), {"helper_text": 7}))

    def _point(self, on: QWidget) -> QPoint:
        return QPoint(self.chance.randrange(max(1, on.width())), self.chance.randrange(max(1, on.height())))


def keys(stage: EditorStage) -> list[str]:
    return [node.key for page in stage.model.layout.pages for node in page.walk_all()]


def prove(stage: EditorStage) -> None:
    settle()
    assert len(keys(stage)) == len(set(keys(stage)))
    page, sheet = stage.model.page, stage.panels.canvas.page_canvas
    if page is None:
        assert not sheet.isVisible()
        return
    items = [node.key for node in page.walk_all() if isinstance(node, Item)]
    assert sheet.cards() == [sheet.card_of(key) for key in items]


def test_random_actions_do_not_crash_the_window(stage: EditorStage) -> None:
    someone = Someone(stage, 0)
    for _ in range(5):
        someone.do(40)
        prove(stage)


def test_random_actions_with_animations_do_not_crash_the_window(stage: EditorStage, moving: None) -> None:
    someone = Someone(stage, 1)
    for _ in range(5):
        someone.do(40)
        prove(stage)


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", range(100, 110))
def test_many_random_actions_do_not_crash_the_window(stage: EditorStage, moving: None, seed: int) -> None:
    someone = Someone(stage, seed)
    for _ in range(8):
        someone.do(100)
        prove(stage)
