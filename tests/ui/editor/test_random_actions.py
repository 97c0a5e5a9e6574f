"""Random actions in the editor: the window does not crash, and shows the layout and one selection."""

from collections.abc import Callable
from random import Random

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDragLeaveEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from batchwright.layout.edits import Remove, SetAttributes
from batchwright.layout.item_types.registry import FileUpload, FreeText, Image, Item, MultipleChoice, RichText
from batchwright.layout.model import Layout
from batchwright.ui.editor import commands
from batchwright.ui.editor.keyboard_moves import Direction
from batchwright.ui.editor.stage import EditorStage
from tests.ui.editor.conftest import settle
from tests.ui.editor.interaction import SimulatedDrag, payload_for
from tests.ui.editor.shown_selection import check_selection, shown_targets

KINDS = (RichText, Image, MultipleChoice, FreeText, FileUpload)
PLAIN, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
KEYS = (
    *((key, PLAIN) for key in (Qt.Key.Key_Tab, Qt.Key.Key_Escape, Qt.Key.Key_Down, Qt.Key.Key_Up)),
    *((key, PLAIN) for key in (Qt.Key.Key_F6, Qt.Key.Key_F8, Qt.Key.Key_Return, Qt.Key.Key_Delete)),
    *((key, CTRL) for key in (Qt.Key.Key_Z, Qt.Key.Key_D, Qt.Key.Key_Period, Qt.Key.Key_F8)),
)
MAX_NODES, MIN_NODES = 80, 8


class RandomActions:
    """Performs random actions in the stage."""

    def __init__(self, stage: EditorStage, seed: int) -> None:
        self.stage, self.model, self.random = stage, stage.model, Random(seed)
        self.actions: tuple[Callable[[], object], ...] = (
            self.reveal,
            self.show_page,
            self.select_pages,
            self.select_items,
            self.insert,
            self.remove,
            self.duplicate,
            self.move,
            self.cut_and_paste,
            self.drag,
            self.press,
            self.press,
            self.make_invalid,
            self.model.study.undo,
            self.model.study.redo,
            lambda: commands.split_row(self.model),
            lambda: commands.merge_columns(self.model),
            lambda: commands.split_page(self.model),
            lambda: commands.merge_with_next_page(self.model),
            lambda: commands.select_all(self.model),
            self.copy_paste_and_undo,
            self.drop_on_thumbnail,
            self.remove_with_key,
            lambda: commands.fix_all_like_selected(self.model),
            self.model.go_to_next_problem,
            stage.toggle_outline,
            stage.toggle_problems,
            stage.selection.request_edit,
        )

    def perform(self, count: int) -> None:
        for _ in range(count):
            if not keys(self.stage):
                commands.add_page(self.model)
            self.random.choice(self.actions)()
            for _ in range(self.random.choice((0, 1, 3, 8))):
                QApplication.processEvents()

    def key(self) -> str:
        return self.random.choice(keys(self.stage))

    def reveal(self) -> None:
        self.model.reveal(self.key())

    def show_page(self) -> None:
        self.model.selection.show_page(self.random.choice(self.model.layout.pages).key)

    def select_pages(self) -> None:
        pages = [page.key for page in self.model.layout.pages]
        self.model.select(self.random.sample(pages, min(len(pages), 3)))

    def select_items(self) -> None:
        """Select up to three items of the page in view."""
        page = self.model.page
        items = [] if page is None else [node.key for node in page.walk_all() if isinstance(node, Item)]
        self.model.select(self.random.sample(items, min(len(items), 3)))

    def insert(self) -> None:
        if len(keys(self.stage)) < MAX_NODES:
            commands.insert(self.model, commands.new_item(self.random.choice(KINDS)))

    def remove(self) -> None:
        if self.model.keys and len(keys(self.stage)) > MIN_NODES:
            commands.remove(self.model)

    def duplicate(self) -> None:
        if len(keys(self.stage)) < MAX_NODES:
            commands.duplicate(self.model)

    def move(self) -> None:
        commands.move(self.model, self.random.choice(list(Direction)))

    def cut_and_paste(self) -> None:
        commands.cut(self.model)
        commands.paste(self.model)

    def copy_paste_and_undo(self) -> None:
        if len(keys(self.stage)) < MAX_NODES and self.model.copy():
            commands.paste(self.model)
            QApplication.processEvents()
            self.model.study.undo()

    def drop_on_thumbnail(self) -> None:
        """Drop what is selected on the thumbnail of any page."""
        if not self.model.keys:
            return
        pages = self.stage.panels.pages
        number = self.random.randrange(pages.pages_model.rowCount())
        at = pages.visualRect(pages.pages_model.index(number, 0)).center()
        drag = SimulatedDrag(pages.viewport(), payload_for(self.stage, *self.model.keys))
        drag.over(at)
        drag.drop(at)

    def remove_with_key(self) -> None:
        """Press Delete: what is shown as selected is removed, with what it contains, and nothing else."""
        settle()
        check_selection(self.stage)
        if len(keys(self.stage)) <= MIN_NODES or not self.model.has_editor_focus():
            return
        expected = frozenset(items_of(Remove(shown_targets(self.stage))(self.model.layout)))
        QTest.keyClick(QApplication.focusWidget() or self.stage, Qt.Key.Key_Delete)
        settle()
        assert frozenset(items_of(self.model.layout)) == expected

    def drag(self) -> None:
        panels = self.stage.panels
        field = panels.canvas.page_canvas.parentWidget() or panels
        target = self.random.choice((field, panels.pages.viewport(), panels.outline.viewport()))
        drag = SimulatedDrag(target, payload_for(self.stage, self.key()))
        for _ in range(3):
            drag.over(self._point(target))
            QApplication.processEvents()
        if self.random.random() < 0.7:
            drag.drop(self._point(target))
        else:
            QApplication.sendEvent(target, QDragLeaveEvent())

    def press(self) -> None:
        QTest.keyClick(QApplication.focusWidget() or self.stage, *self.random.choice(KEYS))

    def make_invalid(self) -> None:
        """Make an item invalid, so that F8 finds a problem."""
        self.model.apply(SetAttributes(self.key(), {"helper_text": 7}))

    def _point(self, target: QWidget) -> QPoint:
        return QPoint(
            self.random.randrange(max(1, target.width())), self.random.randrange(max(1, target.height()))
        )


def keys(stage: EditorStage) -> list[str]:
    return [node.key for page in stage.model.layout.pages for node in page.walk_all()]


def items_of(layout: Layout) -> list[str]:
    return [node.key for page in layout.pages for node in page.walk_all() if isinstance(node, Item)]


def check_canvas(stage: EditorStage) -> None:
    settle()
    check_selection(stage)
    assert len(keys(stage)) == len(set(keys(stage)))
    page, sheet = stage.model.page, stage.panels.canvas.page_canvas
    if page is None:
        assert not sheet.isVisible()
        return
    items = [node.key for node in page.walk_all() if isinstance(node, Item)]
    assert sheet.cards() == [sheet.card_of(key) for key in items]


def test_random_actions_do_not_crash_the_window(stage: EditorStage) -> None:
    actions = RandomActions(stage, 0)
    for _ in range(5):
        actions.perform(40)
        check_canvas(stage)


def test_random_actions_with_animations_do_not_crash_the_window(stage: EditorStage, moving: None) -> None:
    actions = RandomActions(stage, 1)
    for _ in range(5):
        actions.perform(40)
        check_canvas(stage)


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", range(100, 110))
def test_many_random_actions_do_not_crash_the_window(stage: EditorStage, moving: None, seed: int) -> None:
    actions = RandomActions(stage, seed)
    for _ in range(8):
        actions.perform(100)
        check_canvas(stage)
