"""Segmented controls and switches."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from batchwright.ui.theme.tokens import Scheme, Tokens
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.toggles import SegmentedControl, Switch

pytestmark = pytest.mark.gui


def test_one_segment_is_selected_at_a_time(qtbot: QtBot) -> None:
    segments = SegmentedControl("Width", [("wide", "Wide", "monitor"), ("narrow", "Narrow", "device-mobile")])
    qtbot.addWidget(segments)
    assert segments.current == "wide"
    with qtbot.waitSignal(segments.chosen) as chosen:
        segments.choose("narrow")
    assert chosen.args == ["narrow"]


def test_segments_fill_a_wide_control_and_are_below_each_other_in_a_narrow_one(qtbot: QtBot) -> None:
    control = SegmentedControl("Format", [("markdown", "Markdown", ""), ("html", "HTML", "")])
    panel = QWidget()
    column(control, None, parent=panel)
    qtbot.addWidget(panel)
    panel.resize(300, 100)
    panel.show()
    first, second = control.findChildren(QAbstractButton)
    qtbot.waitUntil(lambda: abs(first.width() - second.width()) <= 1 and first.width() > 140)
    assert second.geometry().left() == first.geometry().right() + 1
    margin = first.geometry().left()
    assert control.width() - 1 - second.geometry().right() == margin
    panel.resize(control.minimumSizeHint().width(), 100)
    qtbot.waitUntil(lambda: second.geometry().top() > first.geometry().top())
    assert control.sizeHint().height() > 2 * first.sizeHint().height()


def test_a_click_on_the_label_toggles_a_switch(qtbot: QtBot) -> None:
    switch = Switch("Every field must be filled")
    qtbot.addWidget(switch)
    switch.resize(switch.sizeHint())
    QTest.mouseClick(
        switch, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(switch.width() - 5, 10)
    )
    assert switch.isChecked()


def test_the_selected_segment_stands_out_in_both_colour_schemes() -> None:
    for scheme in Scheme:
        tokens = Tokens.of(scheme)
        assert abs(tokens.chosen_segment.lightness() - tokens.hover.lightness()) >= 15
