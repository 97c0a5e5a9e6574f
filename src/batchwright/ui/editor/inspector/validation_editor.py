"""The editor of a `validation` attribute: any text, a text with length limits, or a number within bounds."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, is_object, json_equal
from batchwright.layout.attributes import Attribute
from batchwright.layout.option_values import as_text, read_number
from batchwright.ui.editor.inspector.fields import AttributeField
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.editor.inspector.text_binding import TextBinding
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.text import Label


def _kinds() -> Mapping[str, str]:
    return {"": _("Any text"), "string": _("Text of a certain length"), "number": _("A number")}


class ValidationEditor(QWidget):
    """Edits one validation object; unknown keys in it are kept."""

    edited = Signal(object, bool)
    """The new validation object, or None for no validation, and whether it was typed (bool)."""
    editing_finished = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self._validation: JsonObject = {}
        self._kind = FormComboBox()
        self._kind.setAccessibleName(name)
        for kind, title in _kinds().items():
            self._kind.add(title, kind)
        self._kind.activated.connect(self._choose)
        self._bounds: dict[str, tuple[QLineEdit, TextBinding]] = {}
        self._range = QWidget()
        self._unit = Label(_("characters"), TextRole.SMALL, "text2")
        layout = row(gap=8, parent=self._range)
        for bound, label in (("min", _("from")), ("max", _("to"))):
            field = QLineEdit()
            field.setAccessibleName(_("{name}, {bound}").format(name=name, bound=label))
            field.setPlaceholderText(_("any"))
            field.setMaximumWidth(theme().px(88))
            binding = TextBinding(field, partial(self._type, bound), self.editing_finished.emit)
            self._bounds[bound] = (field, binding)
            layout.add(Label(label, TextRole.SMALL, "text2"), field)
        layout.add(self._unit, None)
        column(self._kind, self._range, gap=8, parent=self)
        self.setFocusProxy(self._kind)
        self.show_validation(None)

    def show_validation(self, value: Json) -> None:
        """Show a validation. No type is selected if the value is not an object or its type is unknown."""
        self._validation = value if is_object(value) else {}
        kind = self._validation.get("type")
        kinds = list(_kinds())
        at = kinds.index(kind) if isinstance(kind, str) and kind in kinds else -1
        self._kind.setCurrentIndex(0 if value is None else at)
        for bound, (_field, binding) in self._bounds.items():
            limit = self._validation.get(bound)
            if not json_equal(_bound_value(binding.text), limit):  # `1.50` is kept while typing
                binding.show_text("" if limit is None else as_text(limit))
        self.setFocusProxy(self._bounds["min"][0] if self._are_swapped() else self._kind)
        self._range.setVisible(is_object(value))
        self._unit.setVisible(kind == "string")

    def can_show(self, value: Json) -> bool:
        """Whether the editor can represent this value: None, or a validation of a known type."""
        return value is None or (is_object(value) and value.get("type") in list(_kinds())[1:])

    def _are_swapped(self) -> bool:
        """Whether the minimum exceeds the maximum. The focus then goes to the minimum and not to the type."""
        least, most = (read_number(binding.text) for _field, binding in self._bounds.values())
        return least is not None and most is not None and least > most

    def _choose(self, number: int) -> None:
        kind = str(self._kind.itemData(number))
        self.edited.emit({**self._validation, "type": kind} if kind else None, False)

    def _type(self, bound: str, text: str) -> None:
        value = _bound_value(text)
        validation = {key: inner for key, inner in self._validation.items() if key != bound}
        self.edited.emit(validation if value is None else {**validation, bound: value}, True)


def _bound_value(text: str) -> Json:
    """The bound for a typed text. A text that is not a number is kept as text, which the rules report."""
    number = read_number(text)
    return number if number is not None else text.strip() or None


class ValidationField(AttributeField):
    """The form field for the `validation` attribute: what may be entered as an answer."""

    def __init__(self, form: NodeForm, attribute: Attribute) -> None:
        label = _("Accepted input")
        self._editor = ValidationEditor(label)
        super().__init__(form, attribute, self._editor, label=label)
        self._editor.edited.connect(self._edit)
        self._editor.editing_finished.connect(form.end_typing)
        self.refresh()

    def show_value(self, value: Json) -> None:
        """Show a validation."""
        self._editor.show_validation(value)

    def can_show(self, value: Json) -> bool:
        """True for None and validations of a known type."""
        return self._editor.can_show(value)

    def _edit(self, rule: Json, is_typed: bool) -> None:
        self.form.set(self.attribute.name, rule, typing=self.attribute.name if is_typed else "")
