"""The keyboard focus: where it moves with stages, regions and tables, and where it stays after changes."""

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFocusFrame, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from batchwright.layout.item_types.registry import RichText
from batchwright.layout.model import Layout
from batchwright.local.projects import Project
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.settings import Settings
from batchwright.ui.editor.inspector.options.model import OptionColumn
from batchwright.ui.editor.inspector.options.table import OptionTable
from batchwright.ui.editor.palette.palette import PaletteRow
from batchwright.ui.editor.stage import EditorStage
from batchwright.ui.shell.focus_regions import focus_region
from batchwright.ui.shell.stages import Stage, StageContext
from batchwright.ui.shell.state import ShellState
from batchwright.ui.shell.window import Window
from batchwright.ui.theme.focus import FocusRing
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.headings import StageHeader
from tests.layout.builders import sketch
from tests.samples.each_type import BETTER
from tests.ui.conftest import activate_window, focused
from tests.ui.editor.conftest import drawing, selected, settle, stage
from tests.ui.editor.inspector.conftest import Opened, opened
from tests.ui.editor.inspector.interaction import option_list
from tests.ui.editor.interaction import SimulatedDrag, payload_for

__all__ = ["opened", "stage"]

pytestmark = pytest.mark.gui

PLAIN, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
Key = Qt.Key


class StageWithHeader(QWidget):
    """A stage with a header, and a field below it."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.header, self.field = StageHeader(title), QLineEdit()
        self.header.show_primary("Do it")
        column(self.header, self.field, parent=self)


@pytest.fixture
def window_with_stages(
    qtbot: QtBot, shell: ShellState, settings: Settings
) -> Iterator[tuple[Window, list[StageWithHeader]]]:
    """A window with two such stages."""
    created: list[StageWithHeader] = []

    def create(context: StageContext) -> QWidget:
        created.append(StageWithHeader(f"Stage {len(created)}"))
        return created[-1]

    stages = [Stage("first", "One", "house", create), Stage("second", "Two", "table", create)]
    window = Window(shell, stages, settings)
    window.show()
    activate_window(window)
    window.set_context(window.stage_context(Tasks(lambda error: pytest.fail(str(error)))))
    QTest.keyClick(window, Key.Key_1, CTRL)
    QTest.keyClick(window, Key.Key_2, CTRL)
    yield window, created
    window.force_close()
    window.deleteLater()


def test_the_shortcut_of_a_stage_focuses_it(window_with_stages: tuple[Window, list[StageWithHeader]]) -> None:
    window, (first, second) = window_with_stages
    assert focused() is second.field
    window._header.findChildren(QWidget)[-1].setFocus()
    QTest.keyClick(window, Key.Key_1, CTRL)
    assert focused() is first.field
    QTest.keyClick(window, Key.Key_1, CTRL)
    assert focused() is first.field


def test_the_primary_button_gets_the_focus_back_when_it_is_enabled(
    window_with_stages: tuple[Window, list[StageWithHeader]],
) -> None:
    _window, (_first, second) = window_with_stages
    header = second.header
    header.primary.setFocus()
    header.show_subtitle("Doing it.")
    header.show_primary("Do it", disabled_reason="It is being done")
    assert focused() is header
    assert "Doing it." in header.accessibleName()
    header.show_primary("")
    assert focused() is header
    header.show_primary("Next")
    assert focused() is header.primary


def test_the_primary_button_does_not_take_the_focus_from_a_field(
    window_with_stages: tuple[Window, list[StageWithHeader]],
) -> None:
    _window, (_first, second) = window_with_stages
    second.header.primary.setFocus()
    second.header.show_primary("Do it", disabled_reason="It is being done")
    second.field.setFocus()
    second.header.show_primary("Next")
    assert focused() is second.field


def walk_to_canvas(stage: EditorStage) -> None:
    for _region in range(10):
        if stage.panels.canvas.has_focus_within():
            return
        QTest.keyClick(focused(), Key.Key_F6)
        settle()


def test_f6_focuses_the_selected_card(stage: EditorStage) -> None:
    stage.state.reveal("d")
    settle()
    stage.panels.header.primary.setFocus()
    stage.panels.inspector.setFocus()
    stage.panels.pages.setFocus()
    walk_to_canvas(stage)
    assert focused() is stage.panels.canvas.page_canvas.card_of("d")


def test_f6_focuses_the_page_if_no_item_is_selected(stage: EditorStage) -> None:
    stage.panels.pages.setFocus()
    stage.state.selection.select(())
    settle()
    walk_to_canvas(stage)
    assert focused() is stage.panels.canvas


@pytest.fixture
def focus_ring(qapp: QApplication) -> Iterator[None]:
    """Install the focus ring of the program."""
    ring = FocusRing(qapp)
    yield
    ring._remove_focus_frame()
    qapp.focusChanged.disconnect(ring._on_focus_changed)
    ring.deleteLater()


@pytest.mark.usefixtures("focus_ring")
@pytest.mark.parametrize("width", [1440, 1024])
def test_no_focus_ring_is_cut_off(stage: EditorStage, width: int) -> None:
    window = stage.window()
    window.resize(width, 700)
    settle()
    stage.state.reveal("d")
    settle()
    assert stage.panels.palette_panel.is_narrow == (width == 1024)
    ringed = [
        widget
        for widget in stage.findChildren(QWidget)
        if widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    cut_off: list[str] = []
    focused_types: set[type[QWidget]] = set()
    for widget in ringed:
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        settle()
        for frame in window.findChildren(QFocusFrame):
            surface = frame.parentWidget()
            assert surface is not None
            area = surface.rect()
            if frame.isVisible():
                focused_types.add(type(widget))
            if frame.isVisible() and not area.left() <= frame.x() <= area.right() - frame.width() + 1:
                cut_off.append(f"{widget} {widget.accessibleName()} {frame.geometry()} {area}")
    assert PaletteRow in focused_types
    assert not cut_off, "\n".join(cut_off)


@pytest.mark.usefixtures("focus_ring")
@pytest.mark.parametrize("by_key", [True, False])
def test_focus_moved_by_a_click_shows_no_ring(stage: EditorStage, by_key: bool) -> None:
    button, other = stage.panels.preview, stage.panels.pages_panel.findChildren(Button)[0]
    button.clicked.connect(lambda: other.setFocus(Qt.FocusReason.OtherFocusReason))
    stage.panels.canvas.setFocus()
    if by_key:
        button.setFocus(Qt.FocusReason.TabFocusReason)
        button.clicked.disconnect(stage.show_preview)
        QTest.keyClick(button, Key.Key_Space)
    else:
        button.clicked.disconnect(stage.show_preview)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    assert focused() is other
    assert any(frame.isVisible() for frame in stage.window().findChildren(QFocusFrame)) == by_key


def test_arrow_keys_scroll_to_the_focused_palette_row(stage: EditorStage) -> None:
    stage.window().resize(1440, 420)
    settle()
    palette = stage.panels.palette_panel
    palette.focus_search()
    for _row in palette.rows():
        QTest.keyClick(focused(), Key.Key_Down)
        settle()
        assert focused().visibleRegion().boundingRect() == focused().rect()
    assert focused() is palette.rows()[-1]


def test_opening_a_study_focuses_its_page(stage: EditorStage) -> None:
    stage.state.study.open(Project("Study", layout=Layout()), None)
    settle()
    assert focus_region(stage)
    assert focused() is stage.panels.canvas


def test_a_new_rich_text_gets_the_focus(stage: EditorStage) -> None:
    (palette_row,) = [row for row in stage.panels.palette_panel.rows() if row.item.label.title == "Rich text"]
    QTest.mouseClick(palette_row, Qt.MouseButton.LeftButton)
    settle()
    QTest.keyClicks(focused(), "Welcome")
    (key,) = stage.state.keys
    settle()
    item = stage.state.study.layout.find(key)
    assert isinstance(item, RichText)
    assert item.text("content") == "Welcome"


def test_undoing_a_drag_keeps_the_focus_on_the_dragged_item(stage: EditorStage) -> None:
    canvas = stage.panels.canvas
    stage.state.reveal("a")
    settle()
    card: Any = canvas.page_canvas.card_of("d")
    field = canvas.page_canvas.parentWidget()
    assert field is not None
    drag = SimulatedDrag(field, payload_for(stage, "a"))
    at = card.mapTo(field, QPoint(card.width() // 2, card.height() // 2 + 4))
    drag.over(at)
    drag.drop(at)
    assert drawing(stage) == "b / c|da // e"
    assert focused() is canvas.page_canvas.card_of("a")
    stage.state.study.undo()
    settle()
    assert drawing(stage) == "ab / c|d // e"
    assert focused() is canvas.page_canvas.card_of("a")
    assert selected(stage) == ["a"]


def test_undoing_a_move_keeps_the_focus_on_the_moved_card(stage: EditorStage) -> None:
    stage.state.study.open(Project("Study", layout=sketch("ab / c|d / efg")), None)
    settle()
    canvas = stage.panels.canvas
    stage.state.reveal("b")
    settle()
    card: Any = canvas.page_canvas.card_of("e")
    field = canvas.page_canvas.parentWidget()
    assert field is not None
    drag = SimulatedDrag(field, payload_for(stage, "b"))
    at = card.mapTo(field, QPoint(card.width() // 2, card.height() // 2 + 4))
    drag.over(at)
    drag.drop(at)
    assert drawing(stage) == "a / c|d / ebfg"
    stage.state.study.undo()
    settle()
    assert drawing(stage) == "ab / c|d / efg"
    assert focused() is canvas.page_canvas.card_of("b")


def test_tab_into_the_options_selects_the_first_label(opened: Opened) -> None:
    editor = opened(BETTER)
    table = option_list(editor).table
    assert isinstance(table, OptionTable)
    table.setFocus(Qt.FocusReason.TabFocusReason)
    assert (table.currentIndex().row(), table.currentIndex().column()) == (0, OptionColumn.LABEL)
