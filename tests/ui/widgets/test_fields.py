"""Input fields: text areas, error messages and search."""

import pytest
from PySide6.QtCore import QPoint, QRect, QSignalBlocker, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QStyle, QStyleOptionComboBox, QWidget
from pytestqt.qtbot import QtBot

from batchwright.ui.theme import Theme
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.fields import (
    MAX_SPIN_VALUE,
    FilterCombo,
    InputField,
    SearchField,
    TextArea,
    spin_box,
)
from tests.ui.conftest import activate_window
from tests.ui.widgets.conftest import picture

pytestmark = pytest.mark.gui


@pytest.mark.parametrize("text_size", [100, 125, 150])
def test_a_text_area_is_as_tall_as_its_lines(qtbot: QtBot, theme: Theme, text_size: int) -> None:
    theme.set_text_size(text_size)
    area = TextArea(2)
    qtbot.addWidget(area)
    area.setPlainText("one\ntwo")
    area.show()
    area.resize(area.sizeHint())
    qtbot.waitUntil(lambda: not area.verticalScrollBar().isVisible(), timeout=30_000)


def test_a_text_area_with_wrapped_lines_has_no_horizontal_scroll_bar(qtbot: QtBot, theme: Theme) -> None:
    area = TextArea(2)
    qtbot.addWidget(area)
    area.document().setDocumentMargin(0)
    area.setPlainText("words that wrap " * 6)
    area.resize(area.fontMetrics().horizontalAdvance("words that wrap " * 4), area.sizeHint().height())
    area.show()
    for width in range(area.width(), area.width() - 60, -1):
        area.resize(width, area.height())
        area.moveCursor(QTextCursor.MoveOperation.End)
        assert not area.horizontalScrollBar().isVisible()


def test_the_error_of_a_field_replaces_its_hint(qtbot: QtBot) -> None:
    field = InputField("Address", QLineEdit(), hint="Begins with https.")
    qtbot.addWidget(field)
    before = picture(field.control)
    field.show_error("Use an https address.")
    assert field.control.accessibleDescription() == "Use an https address."
    assert picture(field.control) != before
    field.show_error("")
    assert field.control.accessibleDescription() == "Begins with https."


def test_what_a_search_field_searches_is_shown_in_full(qtbot: QtBot) -> None:
    hint = "Chercher dans toutes les entrées"
    search = SearchField(hint)
    qtbot.addWidget(search)
    search.resize(search.sizeHint())
    with QSignalBlocker(search):  # shows no button to clear it
        search.setText(hint)
    picture(search)
    assert search.cursorPositionAt(QPoint(0, search.height() // 2)) == 0, "the text is scrolled"


def test_escape_clears_a_search_field(qtbot: QtBot) -> None:
    search = SearchField("Search items")
    qtbot.addWidget(search)
    QTest.keyClicks(search, "resp")
    QTest.keyClick(search, Qt.Key.Key_Escape)
    assert search.text() == ""


def painted_lines(widget: QWidget, area: QRect) -> tuple[int, int]:
    """The first and the last line of an area of a widget on which anything is drawn."""
    image = widget.grab().toImage()
    background = image.pixelColor(area.right(), area.bottom())
    lines = [
        y
        for y in range(area.top(), area.bottom())
        if any(image.pixelColor(x, y) != background for x in range(area.left(), area.right()))
    ]
    return lines[0], lines[-1]


def test_the_error_icon_is_aligned_with_its_message(qtbot: QtBot) -> None:
    host = QWidget()
    field = InputField("Number", QLineEdit())
    column(field, None, parent=host)
    qtbot.addWidget(host)
    host.resize(200, 220)
    host.show()
    activate_window(host)
    field.control.setFocus()
    field.show_error("This error message takes several lines in a field that is as narrow as this one.")
    QApplication.processEvents()
    field.show_error("Too long.")  # its space is kept while the user types
    QApplication.processEvents()
    areas = [QRect(entry.mapTo(field, QPoint()), entry.size()) for entry in (field._icon, field._message)]
    (icon_top, icon_end), (message_top, message_end) = (painted_lines(field, area) for area in areas)
    assert abs((icon_top + icon_end) - (message_top + message_end)) <= 4


@pytest.mark.parametrize("text_size", [100, 130, 150])
def test_the_longest_text_of_a_combo_box_fits(qtbot: QtBot, theme: Theme, text_size: int) -> None:
    theme.set_text_size(text_size)
    combo = FilterCombo("Field", "Choose a field")
    qtbot.addWidget(combo)
    combo.show()
    combo.resize(combo.sizeHint())
    option = QStyleOptionComboBox()
    combo.initStyleOption(option)
    control, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
    text = combo.style().subControlRect(control, option, part, combo)
    assert combo.fontMetrics().horizontalAdvance("Choose a field") <= text.width()


def test_the_list_of_a_filter_is_wide_enough_for_its_texts(qtbot: QtBot) -> None:
    combo = FilterCombo("System", "All values")
    qtbot.addWidget(combo)
    combo.set_choices({"a": "a", "b": "large-instruct-2026-09, third version"}, "")
    combo.show()
    combo.resize(combo.minimumSize())
    combo.showPopup()
    view = combo.view()
    qtbot.waitUntil(lambda: view.viewport().width() >= view.sizeHintForColumn(0) > combo.width())
    combo.hidePopup()


@pytest.mark.parametrize("text_size", [100, 150])
def test_the_largest_number_of_a_number_field_is_shown_in_full(
    qtbot: QtBot, theme: Theme, text_size: int
) -> None:
    theme.set_text_size(text_size)
    spin = spin_box(MAX_SPIN_VALUE, MAX_SPIN_VALUE)
    qtbot.addWidget(spin)
    spin.show()
    edit = spin.findChild(QLineEdit)
    assert edit is not None
    edit.end(False)
    picture(spin)
    assert edit.cursorPositionAt(QPoint(0, edit.height() // 2)) == 0, "the text is scrolled"
