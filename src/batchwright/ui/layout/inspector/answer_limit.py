"""How many options may be chosen: a number, or any number (wire.md 6)."""

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QWidget

from batchwright.layout.attributes import Attribute
from batchwright.layout.model import Choice
from batchwright.layout.rules.problems import Severity
from batchwright.ui.kit.boxes import column, row
from batchwright.ui.kit.choices import Switch
from batchwright.ui.kit.fields import Field
from batchwright.ui.kit.still_fields import Number
from batchwright.ui.kit.text import Text
from batchwright.ui.layout.inspector.form import Form, titled
from batchwright.ui.theme import Role, theme
from batchwright.words import _

_ANY = -1
_MOST = 999


class AnswerLimit(QWidget):
    """A spin box with what its number means, and a switch for any number."""

    def __init__(self, form: Form, attribute: Attribute) -> None:
        super().__init__()
        self._form, self._name = form, attribute.name
        self.spin = Number()
        self.spin.setRange(1, _MOST)
        self.spin.setFixedWidth(theme().px(96))
        self.any = Switch(_("Any number of answers"))
        self._meaning = Text("", Role.SMALL, "text2")
        line = QWidget()
        column(row(self.spin, self._meaning, None, gap=10), self.any, gap=8, parent=line)
        self._field = Field(titled(_(attribute.title)), line)
        self.spin.setAccessibleName(titled(_(attribute.title)))
        column(self._field, parent=self)
        self.spin.valueChanged.connect(self._count)
        self.spin.editingFinished.connect(form.leave)
        self.any.toggled.connect(self._turn)
        form.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the form as it is now."""
        limit = self._form.entry.answer_limit if isinstance(self._form.entry, Choice) else None
        is_any = limit == _ANY
        with QSignalBlocker(self.spin), QSignalBlocker(self.any):
            self.any.setChecked(is_any)
            self.spin.setEnabled(not is_any)
            if limit is not None and limit > 0:
                self.spin.setValue(limit)
        self._meaning.setText(_("1 = single choice") if self.spin.value() == 1 and not is_any else "")
        problem = self._form.problem(self._name)
        if problem is not None and problem.severity is Severity.ADVICE:
            self._field.show_advice(problem.sentence)
        else:
            self._field.show_error(problem.sentence if problem else "")

    def _count(self, number: int) -> None:
        self._form.put(self._name, number, typing=self._name)

    def _turn(self, is_on: bool) -> None:
        self._form.put(self._name, _ANY if is_on else self.spin.value())
