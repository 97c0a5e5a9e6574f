"""In a small window and with large text, nothing of the stage is cut off."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from batchwright.layout.editing.edits import SetAttributes
from batchwright.ui.core.settings import Settings
from batchwright.ui.editor.canvas.rows import set_widgets
from batchwright.ui.editor.pages.thumbnails import THUMBNAIL_SIZE
from batchwright.ui.editor.stage import EditorStage
from batchwright.ui.theme import Theme
from batchwright.ui.widgets.text import Label
from tests.ui.editor.conftest import settle

pytestmark = pytest.mark.gui
SMALL = (1024, 700)


@pytest.fixture
def small(stage: EditorStage, theme: Theme) -> EditorStage:
    """Show the stage in a small window, and enlarge the text."""
    window = stage.window()
    window.resize(*SMALL)
    settle()
    theme.set_text_size(150)
    settle()
    return stage


def is_fully_shown(widget: QWidget, container: QWidget) -> bool:
    """Whether a widget is entirely inside its container and as large as it needs."""
    least = widget.minimumSizeHint()
    has_space = widget.width() >= least.width() and widget.height() >= least.height()
    return has_space and container.rect().contains(widget.geometry())


def test_the_saved_width_of_the_narrow_palette_is_not_used_for_the_wide_one(
    stage: EditorStage, tmp_path: Path
) -> None:
    wide = stage.panels.side_panel.width()
    stage.window().resize(*SMALL)
    settle()
    Settings(tmp_path).save_window(stage.window())
    stage.window().resize(1440, 900)
    settle()
    Settings(tmp_path).restore_splitters(stage)
    settle()
    assert stage.panels.side_panel.width() == wide


def test_the_page_list_is_as_wide_as_its_thumbnails(small: EditorStage, theme: Theme) -> None:
    assert small.panels.pages.viewport().width() >= theme.px(THUMBNAIL_SIZE.width())


@pytest.mark.parametrize(
    "show",
    [EditorStage.toggle_outline, EditorStage.toggle_problems, lambda stage: stage.selection.request_edit()],
)
def test_adjacent_widgets_do_not_overlap(small: EditorStage, show: Callable[[EditorStage], None]) -> None:
    state, panels = small.state, small.panels
    for item in [item for _path, item in state.layout.walk()]:
        state.apply(SetAttributes(item.key, {"description": ""}))
    small.selection.select((next(item.key for _path, item in state.layout.walk()),))
    show(small)
    settle()
    across = panels.canvas.parentWidget() or panels
    for widget in (panels.pages_panel, panels.canvas, panels.inspector):
        assert not widget.isVisible() or is_fully_shown(widget, across)
    assert is_fully_shown(panels.problems, panels)


def test_a_very_long_word_does_not_widen_its_card(stage: EditorStage) -> None:
    for _path, item in stage.state.layout.walk():
        stage.state.apply(SetAttributes(item.key, {"description": 60 * "endless"}))
    settle()
    sheet = stage.panels.canvas.page_canvas
    assert sheet.width() <= stage.panels.canvas.width()
    assert sheet.minimumSizeHint().width() < 600


def test_reordered_cards_are_as_tall_as_their_texts(qtbot: QtBot) -> None:
    container, first, last = QWidget(), Label("one", wraps=True), Label("two", wraps=True)
    qtbot.addWidget(container)
    lines = QVBoxLayout(container)
    set_widgets(lines, [first, last])
    set_widgets(lines, [last, first])
    before = lines.totalHeightForWidth(100)
    first.setText(10 * "many words ")
    assert lines.totalHeightForWidth(100) > before
