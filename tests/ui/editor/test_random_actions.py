"""Random actions in the editor: the window does not crash, and shows the layout and one selection."""

from collections.abc import Callable
from random import Random

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDragLeaveEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from batchwright.layout.editing.edits import Remove, SetAttributes
from batchwright.layout.item_types.registry import FileUpload, FreeText, Image, Item, MultipleChoice, RichText
from batchwright.layout.model import Layout
from batchwright.ui.editor.core import commands
from batchwright.ui.editor.core.keyboard_moves import Direction
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
        self.stage, self.state, self.random = stage, stage.state, Random(seed)
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
            self.state.study.undo,
            self.state.study.redo,
            lambda: commands.split_row(self.state),
            lambda: commands.merge_columns(self.state),
            lambda: commands.split_page(self.state),
            lambda: commands.merge_with_next_page(self.state),
            lambda: commands.select_all(self.state),
            self.copy_paste_and_undo,
            self.drop_on_thumbnail,
            self.remove_with_key,
            lambda: commands.fix_all_like_selected(self.state),
            self.state.go_to_next_problem,
            stage.toggle_outline,
            stage.toggle_problems,
            stage.selection.request_edit,
        )

    def perform(self, count: int) -> None:
        for _ in range(count):
            if not keys(self.stage):
                commands.add_page(self.state)
            self.random.choice(self.actions)()
            for _ in range(self.random.choice((0, 1, 3, 8))):
                QApplication.processEvents()

    def key(self) -> str:
        return self.random.choice(keys(self.stage))

    def reveal(self) -> None:
        self.state.reveal(self.key())

    def show_page(self) -> None:
        self.state.selection.show_page(self.random.choice(self.state.layout.pages).key)

    def select_pages(self) -> None:
        pages = [page.key for page in self.state.layout.pages]
        self.state.select(self.random.sample(pages, min(len(pages), 3)))

    def select_items(self) -> None:
        """Select up to three items of the page in view."""
        page = self.state.page
        items = [] if page is None else [node.key for node in page.walk_all() if isinstance(node, Item)]
        self.state.select(self.random.sample(items, min(len(items), 3)))

    def insert(self) -> None:
        if len(keys(self.stage)) < MAX_NODES:
            commands.insert(self.state, commands.new_item(self.random.choice(KINDS)))

    def remove(self) -> None:
        if self.state.keys and len(keys(self.stage)) > MIN_NODES:
            commands.remove(self.state)

    def duplicate(self) -> None:
        if len(keys(self.stage)) < MAX_NODES:
            commands.duplicate(self.state)

    def move(self) -> None:
        commands.move(self.state, self.random.choice(list(Direction)))

    def cut_and_paste(self) -> None:
        commands.cut(self.state)
        commands.paste(self.state)

    def copy_paste_and_undo(self) -> None:
        if len(keys(self.stage)) < MAX_NODES and self.state.copy():
            commands.paste(self.state)
            QApplication.processEvents()
            self.state.study.undo()

    def drop_on_thumbnail(self) -> None:
        """Drop what is selected on the thumbnail of any page."""
        if not self.state.keys:
            return
        pages = self.stage.panels.pages
        number = self.random.randrange(pages.pages_model.rowCount())
        at = pages.visualRect(pages.pages_model.index(number, 0)).center()
        drag = SimulatedDrag(pages.viewport(), payload_for(self.stage, *self.state.keys))
        drag.over(at)
        drag.drop(at)

    def remove_with_key(self) -> None:
        """Press Delete: what is shown as selected is removed, with what it contains, and nothing else."""
        settle()
        check_selection(self.stage)
        if len(keys(self.stage)) <= MIN_NODES or not self.state.has_editor_focus():
            return
        expected = frozenset(items_of(Remove(shown_targets(self.stage))(self.state.layout)))
        QTest.keyClick(QApplication.focusWidget() or self.stage, Qt.Key.Key_Delete)
        settle()
        assert frozenset(items_of(self.state.layout)) == expected

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
        self.state.apply(SetAttributes(self.key(), {"helper_text": 7}))

    def _point(self, target: QWidget) -> QPoint:
        return QPoint(
            self.random.randrange(max(1, target.width())), self.random.randrange(max(1, target.height()))
        )


def keys(stage: EditorStage) -> list[str]:
    return [node.key for page in stage.state.layout.pages for node in page.walk_all()]


def items_of(layout: Layout) -> list[str]:
    return [node.key for page in layout.pages for node in page.walk_all() if isinstance(node, Item)]


def check_canvas(stage: EditorStage) -> None:
    settle()
    check_selection(stage)
    assert len(keys(stage)) == len(set(keys(stage)))
    page, sheet = stage.state.page, stage.panels.canvas.page_canvas
    if page is None:
        assert not sheet.isVisible()
        return
    items = [node.key for node in page.walk_all() if isinstance(node, Item)]
    assert sheet.cards() == [sheet.card_of(key) for key in items]


def test_random_actions_do_not_crash_the_window(stage: EditorStage) -> None:
    actions = RandomActions(stage, 0)
    for _ in range(3):
        actions.perform(40)
        check_canvas(stage)


def test_random_actions_with_animations_do_not_crash_the_window(stage: EditorStage, moving: None) -> None:
    actions = RandomActions(stage, 1)
    for _ in range(3):
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
