"""Stage headers."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.headings import StageHeader

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
    header.show()
    for width in range(1300, 860, -20):
        header.resize(width, 64)
        QApplication.processEvents()
        assert header._subtitle.width() >= header._subtitle.sizeHint().width(), width
