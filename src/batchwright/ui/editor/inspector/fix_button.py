"""What a field shows for a problem of its attribute: message, original value, button for the quick fix."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, to_json
from batchwright.base.text import truncate
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.rules.problems import Problem, Severity
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.theme import TextRole
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.text import ElidedLabel, Label

_MAX_VALUE = 500
"""Maximum number of characters of the original value."""


def show_problem(field: InputField, problem: Problem | None) -> None:
    """Show the message of a problem at a field, or clear it if `problem` is None."""
    if problem is not None and problem.severity is Severity.ADVICE:
        field.show_advice(problem.message)
    else:
        field.show_error(problem.message if problem else "")


class FixHint(QWidget):
    """Below a field: the original value if the field cannot represent it, and a button that applies the fix.

    Nothing is changed until the button is clicked: a value of the wrong type stays in the layout. A form has
    many of these and most stay empty, so the child widgets are created when they are first needed.
    """

    def __init__(self, form: NodeForm) -> None:
        super().__init__()
        self._form = form
        self._problem: Problem | None = None
        self._widgets: _FixHintWidgets | None = None
        self.hide()

    @property
    def fix(self) -> Button | None:
        """The button, or None if no problem was shown so far."""
        return None if self._widgets is None else self._widgets.fix

    def show_problem(self, problem: Problem | None, original_value: Json = None) -> None:
        """Offer the fix of a problem.

        `original_value` is the value if the field cannot represent it, otherwise None.
        """
        self._problem = problem
        fix = problem.fix if problem is not None else None
        is_empty = fix is None and original_value is None
        if not is_empty and self._widgets is None:
            self._widgets = _FixHintWidgets(self)
            self._widgets.fix.clicked.connect(self._apply_fix)
        if self._widgets is not None:
            self._widgets.show_value(original_value)
            self._widgets.fix.setText(fix.label if fix is not None else "")
            self._widgets.fix.setVisible(fix is not None)
        self.setVisible(not is_empty)

    def _apply_fix(self) -> None:
        fix = self._problem.fix if self._problem is not None else None
        if fix is None or self._widgets is None:
            return
        self._form.end_typing()
        try:
            self._form.study.apply(fix)
        except EditRejected as error:
            self._widgets.fix.setToolTip(tooltip_text(error.reason))


class _FixHintWidgets:
    """The child widgets of a `FixHint`."""

    def __init__(self, parent: QWidget) -> None:
        self._value_row = QWidget()
        self._value = ElidedLabel("", TextRole.CAPTION, "text2")
        layout = row(Label(_("Original value:"), TextRole.CAPTION, "text2"), gap=5, parent=self._value_row)
        layout.addWidget(self._value, 1)
        self.fix = Button("", height=ButtonSize.SMALL)
        lines = column(self._value_row, gap=6, parent=parent)
        lines.addWidget(self.fix, 0, Qt.AlignmentFlag.AlignLeft)

    def show_value(self, original_value: Json) -> None:
        """Show a value as JSON, or hide the row if it is None."""
        self._value_row.setVisible(original_value is not None)
        self._value.setText("" if original_value is None else truncate(to_json(original_value), _MAX_VALUE))
