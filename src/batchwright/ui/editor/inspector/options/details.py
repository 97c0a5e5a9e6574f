"""The attributes of one option that the table has no column for, and the type of its value."""

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.base.json_values import is_object
from batchwright.base.text import truncate
from batchwright.layout.option_values import as_text
from batchwright.ui.editor.inspector.attribute_focus import focus_field
from batchwright.ui.editor.inspector.collapsible import CollapsibleHeader
from batchwright.ui.editor.inspector.fix_button import FixHint
from batchwright.ui.editor.inspector.form import capitalized
from batchwright.ui.editor.inspector.options.fields import OPTION_FIELDS, LongTextField, show_problem_text
from batchwright.ui.editor.inspector.options.model import COLUMN_ATTRIBUTES, OptionModel, kind_labels
from batchwright.ui.editor.inspector.value_kinds import ValueKind
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.stable_message_area import StableMessageArea
from batchwright.ui.widgets.surfaces import SunkenSurface
from batchwright.ui.widgets.text import Label, show_literal

_IN_TABLE = frozenset({"label", "value"})


class OptionDetails(SunkenSurface):
    """The fields below the table, for the option of the current row."""

    def __init__(self, model: OptionModel) -> None:
        super().__init__()
        self._model, self._row = model, -1
        self._header = CollapsibleHeader("")
        self._kind = FormComboBox()
        for kind, title in kind_labels().items():
            self._kind.add(title, kind)
        self._kind.activated.connect(self._set_kind)
        rare = [attribute for attribute in model.attribute.nested if attribute.name not in _IN_TABLE]
        self._fields = [OPTION_FIELDS[attribute.kind](model, attribute) for attribute in rare]
        self._problem_label = Label("", TextRole.CAPTION, "err", wraps=True)
        self._fix_hint = FixHint(model.form)
        inside = QWidget()
        value = InputField(_("What the value is in the data"), self._kind)
        message_area = StableMessageArea(self._kind, self._problem_label, self._fix_hint)
        self._long = [LongTextField(model, attribute) for attribute in COLUMN_ATTRIBUTES]
        column(
            message_area,
            column(*self._fields, value, gap=10),
            gap=0,
            margins=(0, 2, 0, 10),
            parent=inside,
        )
        column(*self._long, self._header, inside, gap=0, margins=(12, 0, 12, 0), parent=self)
        self._header.setChecked(any(attribute.required for attribute in rare))
        self._header.toggled.connect(inside.setVisible)
        inside.setVisible(self._header.isChecked())
        model.options_changed.connect(self.refresh)
        self.show_row(-1)

    def show_row(self, row: int) -> None:
        """Show the option of a row; -1 for none."""
        self._row = row
        self.refresh()

    def has_field(self, name: str) -> bool:
        """Whether an attribute of an option is edited here and not in the table."""
        return any(field.attribute.name == name for field in self._fields)

    def focus_attribute(self, name: str) -> None:
        """Focus the field of an attribute of the option."""
        self._header.setChecked(True)
        for field in self._fields:
            if field.attribute.name == name:
                focus_field(field)

    def refresh(self) -> None:
        """Show the current attributes of the option."""
        has_option = 0 <= self._row < len(self._model.options)
        self.setVisible(has_option)
        if not has_option:
            return
        value, entry = self._model.options[self._row], self._model.option(self._row)
        label = as_text(entry.get("label", "")) or _("no label yet")
        what = capitalized(_(self._model.attribute.entry_title))
        show_literal(
            self._header,
            _("{what} {number}: {label}").format(what=what, number=self._row + 1, label=truncate(label)),
        )
        self._header.update()
        self._kind.setCurrentIndex(list(kind_labels()).index(ValueKind.of(entry.get("value"))))
        for long in self._long:
            long.show_option(self._row)
        for field in self._fields:
            field.show_option(self._row, entry.get(field.attribute.name))
        shown_problems = [field.shown_problem for field in self._fields]
        unshown = next(
            (problem for problem in self._model.problems_of(self._row) if problem not in shown_problems), None
        )
        show_problem_text(self._problem_label, unshown)
        self._fix_hint.show_problem(unshown, None if is_object(value) else value)

    def _set_kind(self, number: int) -> None:
        self._model.set_kind(self._row, list(kind_labels())[number])
