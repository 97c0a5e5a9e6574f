"""Stage headers, and heads of panels."""

import pytest
from pytestqt.qtbot import QtBot

from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.headings import PanelHead, StageHeader
from batchwright.ui.widgets.text import ElidedLabel, Label

pytestmark = pytest.mark.gui


def test_the_primary_button_of_a_stage_header_can_change(qtbot: QtBot) -> None:
    header = StageHeader("Layout")
    qtbot.addWidget(header)
    header.show_subtitle("2 errors to fix before this layout can be sent.")
    header.show_primary("Go to next problem", keys="F8")
    assert header.primary.text() == "Go to next problem"
    header.show_primary("Continue to Run", disabled_reason="The import still runs")
    assert not header.primary.isEnabled()


def test_buttons_collapse_before_the_subtitle_is_elided(qtbot: QtBot) -> None:
    header = StageHeader("Data")
    qtbot.addWidget(header)
    header.add_buttons(
        Button("Choose another file", glyph="file-text"), Button("Refresh", glyph="arrow-clockwise")
    )
    header.show_primary("Lay out the pages")
    sentence = "The study uses “cats and dogs” with 1,200 records on this computer. Next: lay out the pages."
    header.show_subtitle(sentence)
    with qtbot.waitExposed(header):
        header.show()

    def is_uncut() -> bool:
        return header._subtitle.width() >= header._subtitle.sizeHint().width()

    for width in range(1300, 860, -20):
        header.resize(width, 64)
        qtbot.waitUntil(lambda: header.size().width() == width and is_uncut())  # noqa: B023 called at once


def test_the_buttons_of_a_panel_show_icons_only_if_space_for_the_name_is_short(qtbot: QtBot) -> None:
    head, badge, button = PanelHead(), Label("Draft"), Button("See answers", glyph="chart-bar")
    qtbot.addWidget(head)
    column(head.head_row(ElidedLabel("A batch with a long name"), badge, (button,)), parent=head)
    with qtbot.waitExposed(head):
        head.show()
    full = button.full_width
    head.resize(700, 40)
    qtbot.waitUntil(lambda: button.width() >= full)
    head.resize(200, 40)
    qtbot.waitUntil(lambda: button.width() < full)
