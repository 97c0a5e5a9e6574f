"""Splitters: their sizes are saved and restored."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from batchwright.ui.core.settings import Settings
from batchwright.ui.theme import theme
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.splitters import Splitter

pytestmark = pytest.mark.gui


def test_the_sizes_of_a_splitter_are_saved_and_restored(qtbot: QtBot) -> None:
    first, second = (
        Splitter(Qt.Orientation.Horizontal, QWidget(), QWidget(), name="panels") for _number in range(2)
    )
    for splitter in (first, second):
        qtbot.addWidget(splitter)
        splitter.resize(400, 100)
    first.setSizes([100, 295])
    second.restore_text(first.state_text())
    assert second.sizes() == first.sizes()
    second.restore_text("no state at all")
    assert second.sizes() == first.sizes()


def panels(qtbot: QtBot, width: int, *, is_visible: bool = True) -> tuple[QWidget, Splitter, QWidget]:
    """A splitter with two panels; the second is shown if there is space."""
    host, second = QWidget(), QWidget()
    qtbot.addWidget(host)
    splitter = Splitter(Qt.Orientation.Horizontal, QWidget(), second, name="panels")
    column(splitter, parent=host)
    splitter.setSizes([500, 300])
    splitter.show_panel(second, is_shown=width > 500)
    host.resize(width, 200)
    host.setVisible(is_visible)
    return host, splitter, second


def test_a_panel_hidden_for_a_whole_session_keeps_its_width(qtbot: QtBot, tmp_path: Path) -> None:
    before, wide, _second = panels(qtbot, 805)
    Settings(tmp_path).save_window(before)
    narrow, one_panel, _second = panels(qtbot, 300)
    one_panel.setSizes([300, 0])  # as the Run stage does
    Settings(tmp_path).restore_splitters(narrow)
    Settings(tmp_path).save_window(narrow)
    after, wide_again, _second = panels(qtbot, 805)
    Settings(tmp_path).restore_splitters(after)
    assert wide_again.sizes() == wide.sizes() == [500, 300]


def test_panels_of_a_stage_not_shown_for_a_whole_session_keep_their_widths(
    qtbot: QtBot, tmp_path: Path
) -> None:
    before, wide, _second = panels(qtbot, 805)
    Settings(tmp_path).save_window(before)
    hidden_stage = QWidget()
    qtbot.addWidget(hidden_stage)
    Splitter(Qt.Orientation.Horizontal, QWidget(), QWidget(), name="panels", parent=hidden_stage).setSizes(
        [1, 2]
    )
    Settings(tmp_path).save_window(hidden_stage)
    after, wide_again, _second = panels(qtbot, 805)
    Settings(tmp_path).restore_splitters(after)
    assert wide_again.sizes() == wide.sizes() == [500, 300]


def test_panels_have_their_sizes_again_when_all_are_shown(qtbot: QtBot) -> None:
    host, splitter, second = panels(qtbot, 805)
    splitter.show_panel(second, is_shown=False)
    host.resize(300, 200)
    splitter.show_panel(second, is_shown=True)
    host.resize(805, 200)
    assert splitter.sizes() == [500, 300]


def test_panels_beside_the_one_that_stretches_follow_the_text_size(qtbot: QtBot, tmp_path: Path) -> None:
    host, splitter, _second = panels(qtbot, 805)
    splitter.setStretchFactor(1, 1)
    first = splitter.widget(0)
    assert first is not None
    splitter.setSizes([200, 600])
    theme().set_text_size(150)
    assert splitter.sizes() == [300, 500]
    splitter.show_panel(first, is_shown=False)
    theme().set_text_size(100)
    Settings(tmp_path).save_window(host)
    splitter.show_panel(first, is_shown=True)
    assert splitter.sizes() == [200, 600]
    later, shown_later, _second = panels(qtbot, 805, is_visible=False)
    shown_later.setStretchFactor(1, 1)
    Settings(tmp_path).restore_splitters(later)
    theme().set_text_size(150)
    later.show()
    assert shown_later.sizes() == [300, 500]
