"""Stage headers, and heads of panels."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.headings import PanelHead, SectionHeading, StageHeader
from batchwright.ui.widgets.text import ElidedLabel, Label
from batchwright.ui.widgets.wrapping_row import WrappingRow

pytestmark = pytest.mark.gui


def test_the_primary_button_of_a_stage_header_can_change(qtbot: QtBot) -> None:
    header = StageHeader("Layout")
    qtbot.addWidget(header)
    header.show_subtitle("2 errors to fix before this layout can be sent.")
    header.show_primary("Go to next problem", keys="F8")
    assert header.primary.text() == "Go to next problem"
    header.show_primary("Continue to Run", disabled_reason="The import still runs")
    assert not header.primary.isEnabled()


def test_a_long_subtitle_wraps_and_buttons_collapse_before_it_needs_a_third_line(qtbot: QtBot) -> None:
    header, window = StageHeader("Data"), QWidget()
    column(header, None, parent=window)
    qtbot.addWidget(window)
    header.add_buttons(
        Button("Choose another file", glyph="file-text"), Button("Refresh", glyph="arrow-clockwise")
    )
    header.show_primary("Lay out the pages")
    sentence = "The study uses “cats and dogs” with 1,200 records on this computer. Next: lay out the pages."
    header.show_subtitle(sentence)
    with qtbot.waitExposed(window):
        window.show()

    def is_uncut() -> bool:
        label = header.subtitle
        return label.height() >= label.heightForWidth(label.width())

    for width in range(1300, 560, -40):
        window.resize(width, 200)
        qtbot.waitUntil(lambda: window.size().width() == width and is_uncut())  # noqa: B023 called at once
        if width > 860:
            assert header.height() == header.minimumHeight()


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


@pytest.mark.parametrize(("width", "is_beside"), [(180, False), (400, True)])
def test_what_belongs_to_a_section_heading_is_below_it_if_space_is_short(
    qtbot: QtBot, width: int, is_beside: bool
) -> None:
    side = Button("Edit the details")
    heading = SectionHeading("New records after setup", side)
    panel = QWidget()
    column(heading, None, parent=panel)
    qtbot.addWidget(panel)
    panel.resize(width, 200)
    panel.show()
    (title,) = heading.findChildren(Label)
    qtbot.waitUntil(lambda: (side.geometry().top() < title.geometry().bottom()) is is_beside)
    assert panel.width() == width
    assert all(heading.rect().contains(child.geometry()) for child in (title, side))


def test_a_section_heading_starts_at_the_right_where_texts_do(qtbot: QtBot) -> None:
    side = Button("Edit the details")
    heading = SectionHeading("New records after setup", side)
    qtbot.addWidget(heading)
    heading.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    heading.resize(400, 40)
    heading.show()
    (title,) = heading.findChildren(Label)
    qtbot.waitUntil(lambda: title.geometry().right() == heading.rect().right() and side.x() == 0)


def test_a_row_that_wraps_follows_a_change_of_the_direction_of_texts(qtbot: QtBot) -> None:
    first, last = QWidget(), QWidget()  # unlike labels, they ask for no new layout when the direction changes
    for widget in (first, last):
        widget.setFixedSize(40, 20)
    line = WrappingRow(first, None, last)
    qtbot.addWidget(line)
    line.resize(400, 40)
    line.show()
    qtbot.waitUntil(lambda: (first.x(), last.x()) == (0, 360))
    line.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    qtbot.waitUntil(lambda: (first.x(), last.x()) == (360, 0))
