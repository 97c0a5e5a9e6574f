"""Shows the problem of one attribute at its field, with the value as it came and the fix of its rule."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, to_json
from batchwright.base.text import truncate
from batchwright.layout.edits import EditRejected
from batchwright.layout.rules.problems import Problem, Severity
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.theme import TextRole
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.text import ElidedLabel, Label

_MAX_VALUE = 500
"""Characters of a value in the form."""


def show_problem(field: InputField, problem: Problem | None) -> None:
    """Say at a field what is wrong with its attribute, or that nothing is."""
    if problem is not None and problem.severity is Severity.ADVICE:
        field.show_advice(problem.message)
    else:
        field.show_error(problem.message if problem else "")


class FixHint(QWidget):
    """Shown below a field: a value that the field cannot show, as it came, and a button for the fix.

    Nothing is changed before somebody asks for it: a value of the wrong kind stays in the layout. A form has
    many of these and most stay empty, so each is made when it is needed first.
    """

    def __init__(self, form: NodeForm) -> None:
        super().__init__()
        self._form = form
        self._problem: Problem | None = None
        self._parts: _FixHintWidgets | None = None
        self.hide()

    @property
    def fix(self) -> Button | None:
        """The button; None while nothing was ever wrong."""
        return None if self._parts is None else self._parts.fix

    def show_problem(self, problem: Problem | None, unseen: Json = None) -> None:
        """Offer the fix of a problem; `unseen` is a value that the field has no way to show."""
        self._problem = problem
        fix = problem.fix if problem is not None else None
        is_empty = fix is None and unseen is None
        if not is_empty and self._parts is None:
            self._parts = _FixHintWidgets(self)
            self._parts.fix.clicked.connect(self._apply_fix)
        if self._parts is not None:
            self._parts.show_value(unseen)
            self._parts.fix.setText(fix.label if fix is not None else "")
            self._parts.fix.setVisible(fix is not None)
        self.setVisible(not is_empty)

    def _apply_fix(self) -> None:
        fix = self._problem.fix if self._problem is not None else None
        if fix is None or self._parts is None:
            return
        self._form.end_typing()
        try:
            self._form.study.apply(fix)
        except EditRejected as refused:
            self._parts.fix.setToolTip(tooltip_text(refused.reason))


class _FixHintWidgets:
    """What a `FixHint` is made of."""

    def __init__(self, parent: QWidget) -> None:
        self._value_row = QWidget()
        self._value = ElidedLabel("", TextRole.CAPTION, "text2")
        layout = row(Label(_("As it came:"), TextRole.CAPTION, "text2"), gap=5, parent=self._value_row)
        layout.addWidget(self._value, 1)
        self.fix = Button("", height=ButtonSize.SMALL)
        lines = column(self._value_row, gap=6, parent=parent)
        lines.addWidget(self.fix, 0, Qt.AlignmentFlag.AlignLeft)

    def show_value(self, unseen: Json) -> None:
        """Show a value as it came, or none."""
        self._value_row.setVisible(unseen is not None)
        self._value.setText("" if unseen is None else truncate(to_json(unseen), _MAX_VALUE))
