"""Finding controls of an inspector by name, and typing into them."""

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QPlainTextEdit, QWidget

from batchwright.ui.editor.inspector.options.list import OptionList
from batchwright.ui.editor.inspector.options.model import OptionColumn
from batchwright.ui.editor.inspector.options.table import OptionTable
from batchwright.ui.widgets.text import Label
from tests.ui.editor.inspector.conftest import InspectorHarness


def find_named(harness: InspectorHarness, name: str) -> QWidget:
    """The control with this accessible name."""
    widgets = [
        widget for widget in harness.inspector.findChildren(QWidget) if widget.accessibleName() == name
    ]
    assert widgets, name
    return widgets[0]


def label_texts(harness: InspectorHarness) -> list[str]:
    """The texts of all visible labels of the inspector."""
    return [
        text.text() for text in harness.inspector.findChildren(Label) if text.isVisibleTo(harness.inspector)
    ]


def option_list(harness: InspectorHarness) -> OptionList:
    """The list of options or units."""
    widgets = harness.inspector.findChild(OptionList)
    assert widgets is not None
    return widgets


def button(harness: InspectorHarness, text: str) -> QAbstractButton:
    """The button with this text."""
    return next(widget for widget in harness.inspector.findChildren(QAbstractButton) if widget.text() == text)


def type_into(field: QWidget, text: str) -> None:
    """Replace the text of a field."""
    field.setFocus()
    if isinstance(field, (QLineEdit, QPlainTextEdit)):
        field.selectAll()
    QTest.keyClicks(field, text)


def cell(table: OptionTable, row: int, column: OptionColumn) -> QLineEdit:
    """Open the editor of a cell, and return it."""
    table.edit_cell(row, column)
    return editor(table)


def editor(table: OptionTable) -> QLineEdit:
    """The open cell editor of a table."""
    widgets = [widget for widget in table.findChildren(QLineEdit) if widget.isVisible()]
    assert len(widgets) == 1
    return widgets[0]
