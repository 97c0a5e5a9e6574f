"""The field for `answer_limit`: how many options of a choice item may be selected, or any number."""

from collections.abc import Collection

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.layout.attributes import Attribute
from batchwright.layout.item_types.registry import Choice
from batchwright.layout.rules.problems import AttributePath
from batchwright.ui.editor.inspector.attribute_focus import focus_field
from batchwright.ui.editor.inspector.fix_button import FixHint, show_problem
from batchwright.ui.editor.inspector.form import NodeForm, capitalized
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.no_wheel import FormSpinBox
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import Switch

_ANY = -1
_MOST = 9999


class AnswerLimit(QWidget):
    """A spin box, a label that explains the value 1, and a switch for "any number"."""

    def __init__(self, form: NodeForm, attribute: Attribute) -> None:
        super().__init__()
        self._form, self._name = form, attribute.name
        self.spin = FormSpinBox()
        self.spin.setRange(1, _MOST)
        self.spin.setFixedWidth(theme().px(96))
        self.any_number = Switch(_("Any number of answers"))
        self._meaning = Label("", TextRole.SMALL, "text2")
        row_widget = QWidget()
        column(row(self.spin, self._meaning, None, gap=10), self.any_number, gap=8, parent=row_widget)
        self._field = InputField(capitalized(_(attribute.title)), row_widget)
        self.spin.setAccessibleName(capitalized(_(attribute.title)))
        self._fix_hint = FixHint(form)
        self._field.add_below(self._fix_hint)
        column(self._field, parent=self)
        self.spin.textChanged.connect(self._on_count_edited)
        self.spin.editingFinished.connect(form.end_typing)
        self.any_number.toggled.connect(self._on_toggled)
        form.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current value and problem of the attribute."""
        limit = self._form.node.answer_limit if isinstance(self._form.node, Choice) else None
        is_any = limit == _ANY
        with QSignalBlocker(self.spin), QSignalBlocker(self.any_number):
            self.any_number.setChecked(is_any)
            self.spin.setEnabled(not is_any)
            if limit is not None and 0 < limit <= _MOST:
                self.spin.setValue(limit)
            elif not is_any:
                self.spin.clear()
        self._meaning.setText(_("1 = single choice") if limit == 1 else "")
        problem = self._form.problem(self._name)
        show_problem(self._field, problem)
        value = self._form.value(self._name)
        can_show = limit is not None and (is_any or 0 < limit <= _MOST)
        self._fix_hint.show_problem(problem, None if can_show else value)

    @property
    def attribute_names(self) -> Collection[str]:
        """The one attribute that this field edits."""
        return (self._name,)

    def focus_attribute(self, path: AttributePath) -> None:
        """Focus the spin box, or the switch if the spin box is disabled."""
        focus_field(self.spin if self.spin.isEnabled() else self.any_number)

    def _on_count_edited(self, text: str) -> None:
        if text:
            self._form.set(self._name, self.spin.value(), typing=self._name)

    def _on_toggled(self, is_on: bool) -> None:
        self._form.set(self._name, _ANY if is_on else self.spin.value())
