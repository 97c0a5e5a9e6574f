"""The attributes of one option that the table has no column for, and the type of its value."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, is_object
from batchwright.base.text import truncate
from batchwright.layout.attributes import Attribute, AttributeType
from batchwright.layout.option_values import as_text
from batchwright.layout.rules.problems import AttributePath, Problem, Severity
from batchwright.ui.editor.inspector.attribute_focus import FocusOutFilter, focus_field
from batchwright.ui.editor.inspector.collapsible import CollapsibleHeader
from batchwright.ui.editor.inspector.fix_button import FixHint, show_problem
from batchwright.ui.editor.inspector.form import capitalized
from batchwright.ui.editor.inspector.options.model import (
    COLUMN_ATTRIBUTES,
    OptionColumn,
    OptionModel,
    kind_labels,
)
from batchwright.ui.editor.inspector.text_binding import ChunkNavigator, TextBinding
from batchwright.ui.editor.inspector.validation_editor import ValidationEditor
from batchwright.ui.editor.inspector.value_kinds import ValueKind
from batchwright.ui.theme import TextRole
from batchwright.ui.theme.foreign import is_too_long
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.fields import InputField, TextArea
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.stable_message_area import StableMessageArea
from batchwright.ui.widgets.surfaces import SunkenSurface
from batchwright.ui.widgets.text import Label, show_literal
from batchwright.ui.widgets.toggles import Switch


class OptionField(QWidget):
    """Base class: one attribute of an option. `shown_problem` is the problem that the field displays."""

    def __init__(self, model: OptionModel, attribute: Attribute) -> None:
        super().__init__()
        self.attribute, self.model, self.row = attribute, model, -1
        self.shown_problem: Problem | None = None
        self.fix_hint = FixHint(model.form)

    def show_option(self, row: int, value: Json) -> None:
        """Show the attribute of the option at a row."""
        self.row = row
        self.show_value(value)
        self.shown_problem = self.problem()
        self.show_problem(self.shown_problem)
        self.fix_hint.show_problem(self.shown_problem, None if self.can_show(value) else value)

    def problem(self) -> Problem | None:
        """The problem of the attribute, if any."""
        path = AttributePath(self.model.attribute.name, self.row, self.attribute.name)
        return next(iter(self.model.form.problems.get(path, ())), None)

    def can_show(self, value: Json) -> bool:
        """Whether the control can represent this value without loss."""
        return True

    def show_value(self, value: Json) -> None:
        """Show a value in the control."""
        raise TypeError(f"{type(self).__name__} shows nothing")

    def show_problem(self, problem: Problem | None) -> None:
        """Show the message of a problem, or clear it if `problem` is None."""
        raise TypeError(f"{type(self).__name__} says nothing")

    def set(self, value: Json, *, is_typed: bool = False) -> None:
        """Set the attribute, or remove it if `value` is None."""
        self.model.set_attribute(self.row, self.attribute.name, value, is_typed=is_typed)


class TextOptionField(OptionField):
    """A text, for example the heading of an explanation."""

    def __init__(self, model: OptionModel, attribute: Attribute) -> None:
        super().__init__(model, attribute)
        field = QLineEdit()
        field.setPlaceholderText(_("Why this one?"))
        hint = _("Asks for a reason when this option is selected.")
        self._field = InputField(_("Heading"), field, hint=hint, required=attribute.required)
        self._binding = TextBinding(field, self._type, model.form.end_typing)
        FocusOutFilter(field, lambda: self.model.record_visit(self.row, self.attribute.name))
        self._field.add_below(self.fix_hint)
        self._field.add_below(ChunkNavigator(self._binding))
        column(self._field, parent=self)

    def show_value(self, value: Json) -> None:
        """Show a text, or any other value as JSON."""
        self._binding.show_text("" if value is None else as_text(value))

    def show_problem(self, problem: Problem | None) -> None:
        """Show the message of a problem below the field."""
        show_problem(self._field, problem)

    def _type(self, text: str) -> None:
        self.set(text if text or self.attribute.required else None, is_typed=True)


class LongTextField(QWidget):
    """A label or value that is too long for its table cell, edited in chunks; hidden for any other text."""

    def __init__(self, model: OptionModel, column_shown: OptionColumn) -> None:
        super().__init__()
        self._model, self._column, self._row = model, column_shown, -1
        area = TextArea(3)
        self._binding = TextBinding(area, self._type, model.form.end_typing)
        title = str(model.headerData(column_shown, Qt.Orientation.Horizontal))
        field = InputField(title, area)
        field.add_below(ChunkNavigator(self._binding))
        column(field, parent=self)
        self.hide()

    def show_option(self, row: int) -> None:
        """Show the text of the option at a row."""
        self._row = row
        text = self._model.text(row, self._column)
        self.setVisible(is_too_long(text))
        if is_too_long(text):
            self._binding.show_text(text)

    def _type(self, text: str) -> None:
        self._model.setData(self._model.index(self._row, self._column), text)


class SwitchOptionField(OptionField):
    """A switch for whether an option excludes all others."""

    def __init__(self, model: OptionModel, attribute: Attribute) -> None:
        super().__init__(model, attribute)
        self._switch = Switch(_("Excludes all other options"))
        self._switch.toggled.connect(self._on_toggled)
        self._problem_label = Label("", TextRole.CAPTION, "err", wraps=True)
        column(
            self._switch,
            StableMessageArea(self._switch, self._problem_label, self.fix_hint),
            gap=0,
            parent=self,
        )

    def show_value(self, value: Json) -> None:
        """Set the switch."""
        with QSignalBlocker(self._switch):
            self._switch.setChecked(value is True)

    def can_show(self, value: Json) -> bool:
        """True for booleans only."""
        return value is None or isinstance(value, bool)

    def show_problem(self, problem: Problem | None) -> None:
        """Show the message of a problem below the switch."""
        show_problem_text(self._problem_label, problem)

    def _on_toggled(self, is_on: bool) -> None:
        self.set(True if is_on else None)


class ValidationOptionField(OptionField):
    """The validation of answers that are given with one unit."""

    def __init__(self, model: OptionModel, attribute: Attribute) -> None:
        super().__init__(model, attribute)
        self._editor = ValidationEditor(_("Accepted input"))
        self._field = InputField(_("Accepted input"), self._editor)
        self._editor.edited.connect(lambda rule, is_typed: self.set(rule, is_typed=is_typed))
        self._editor.editing_finished.connect(model.form.end_typing)
        self._field.add_below(self.fix_hint)
        column(self._field, parent=self)

    def show_value(self, value: Json) -> None:
        """Show a validation."""
        self._editor.show_validation(value)

    def can_show(self, value: Json) -> bool:
        """True for validations of a known type only."""
        return self._editor.can_show(value)

    def show_problem(self, problem: Problem | None) -> None:
        """Show the message of a problem below the editor."""
        show_problem(self._field, problem)


OPTION_FIELDS: Mapping[AttributeType, Callable[[OptionModel, Attribute], OptionField]] = {
    AttributeType.TEXT: TextOptionField,
    AttributeType.BOOLEAN: SwitchOptionField,
    AttributeType.OBJECT: ValidationOptionField,
}
"""The field class for each type of attribute."""


def show_problem_text(text: Label, problem: Problem | None) -> None:
    """Show the message of a problem in a label, or hide the label."""
    text.setText(problem.message if problem is not None else "")
    text.set_tone("warn" if problem is not None and problem.severity is Severity.ADVICE else "err")
    text.setVisible(problem is not None)


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
        value = InputField(_("Type of the value in the data"), self._kind)
        message_area = StableMessageArea(self._kind, self._problem_label, self._fix_hint)
        self._long_text_fields = [LongTextField(model, attribute) for attribute in COLUMN_ATTRIBUTES]
        column(
            message_area,
            column(*self._fields, value, gap=10),
            gap=0,
            margins=(0, 2, 0, 10),
            parent=inside,
        )
        column(*self._long_text_fields, self._header, inside, gap=0, margins=(12, 0, 12, 0), parent=self)
        self.has_required_field = any(attribute.required for attribute in rare)
        """Whether an attribute that is edited here must be filled in."""
        self._header.setChecked(self.has_required_field)
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
        value, entry = self._model.options[self._row], self._model.option_at(self._row)
        label = as_text(entry.get("label", "")) or _("no label yet")
        what = capitalized(_(self._model.attribute.entry_title))
        show_literal(
            self._header,
            _("{what} {number}: {label}").format(what=what, number=self._row + 1, label=truncate(label)),
        )
        self._header.update()
        self._kind.setCurrentIndex(list(kind_labels()).index(ValueKind.of(entry.get("value"))))
        for long in self._long_text_fields:
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
