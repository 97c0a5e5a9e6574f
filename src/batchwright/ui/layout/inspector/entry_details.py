"""What the table of options has no column for: what the value is, and the rarer attributes of one entry."""

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QLineEdit, QWidget

from batchwright.layout.attributes import Attribute, Kind
from batchwright.layout.option_values import as_text
from batchwright.layout.rules.problems import Severity
from batchwright.records.json_values import Json
from batchwright.ui.kit.boxes import column
from batchwright.ui.kit.choices import Switch
from batchwright.ui.kit.fields import Field
from batchwright.ui.kit.panels import Well
from batchwright.ui.kit.still_fields import Menu
from batchwright.ui.layout.inspector.entries import ValueKind
from batchwright.ui.layout.inspector.entry_model import EntryModel
from batchwright.ui.layout.inspector.folds import FoldHead
from batchwright.ui.layout.inspector.form import titled
from batchwright.ui.layout.inspector.rules_of_typing import RuleEditor
from batchwright.ui.layout.inspector.spots import Spot
from batchwright.ui.layout.inspector.typed import Typed
from batchwright.words import _

_IN_TABLE = frozenset({"label", "value"})


class EntryDetails(Well):
    """One entry of a list, chosen in its table."""

    def __init__(self, model: EntryModel) -> None:
        super().__init__()
        self._model, self._row = model, -1
        self._head = FoldHead("")
        self._kind = Menu()
        for kind, title in _kinds().items():
            self._kind.addItem(title, kind)
        self._kind.activated.connect(self._set_kind)
        self._inner = [
            part
            for one in model.attribute.inside
            if one.name not in _IN_TABLE and (part := self._part(one)) is not None
        ]
        inside = QWidget()
        value = Field(_("What the value is in the data"), self._kind)
        column(*self._inner, value, gap=10, margins=(0, 2, 0, 10), parent=inside)
        column(self._head, inside, gap=0, margins=(12, 0, 12, 0), parent=self)
        self._head.setChecked(
            any(one.required for one in model.attribute.inside if one.name not in _IN_TABLE)
        )
        self._head.toggled.connect(inside.setVisible)
        inside.setVisible(self._head.isChecked())
        model.shown.connect(self.refresh)
        self.show_row(-1)

    def show_row(self, row: int) -> None:
        """Show another entry; none for -1."""
        self._row = row
        self.refresh()

    def refresh(self) -> None:
        """Show the entry as it is now."""
        self.setVisible(0 <= self._row < self._model.rowCount())
        entry = self._model.entry(self._row)
        label = as_text(entry.get("label", "")) or _("no label yet")
        what = titled(_(self._model.attribute.entry_title))
        self._head.setText(_("{what} {number}: {label}").format(what=what, number=self._row + 1, label=label))
        self._head.update()
        self._kind.setCurrentIndex(list(_kinds()).index(ValueKind.of(entry.get("value"))))
        for part in self._inner:
            part.show_entry(self._row, entry.get(part.attribute.name))

    def _part(self, attribute: Attribute) -> "_TextPart | _SwitchPart | _RulePart | None":
        match attribute.kind:
            case Kind.TEXT:
                return _TextPart(self._model, attribute)
            case Kind.BOOLEAN:
                return _SwitchPart(self._model, attribute)
            case Kind.OBJECT:
                return _RulePart(self._model, attribute)
        return None

    def _set_kind(self, number: int) -> None:
        self._model.set_kind(self._row, list(_kinds())[number])


def _kinds() -> Mapping[ValueKind, str]:
    return {
        ValueKind.TEXT: _("Text"),
        ValueKind.NUMBER: _("A number"),
        ValueKind.BOOLEAN: _("True or false"),
    }


class _TextPart(Field):
    """A text of an entry: the heading of an explanation."""

    def __init__(self, model: EntryModel, attribute: Attribute) -> None:
        self.attribute, self._model, self._row = attribute, model, -1
        field = QLineEdit()
        field.setPlaceholderText(_("Why this one?"))
        hint = _("Asks for the reason when this is chosen.")
        super().__init__(_("Heading"), field, hint=hint, required=attribute.required)
        self._typed = Typed(field, self._type, model.form.leave)

    def show_entry(self, row: int, value: Json) -> None:
        """Show the attribute of another entry."""
        self._row = row
        self._typed.show_text("" if value is None else as_text(value))
        spot = Spot(self._model.attribute.name, row, self.attribute.name)
        found = self._model.form.problems.get(spot, ())
        self.show_error(found[0].sentence if found else "")

    def _type(self, text: str) -> None:
        value: Json = text if text or self.attribute.required else None
        self._model.put_inner(self._row, self.attribute.name, value, is_typed=True)


class _SwitchPart(QWidget):
    """Whether an option rules out all others."""

    def __init__(self, model: EntryModel, attribute: Attribute) -> None:
        super().__init__()
        self.attribute, self._model, self._row = attribute, model, -1
        self._switch = Switch(_("Rules out all others"))
        self._switch.toggled.connect(self._turn)
        column(self._switch, parent=self)

    def show_entry(self, row: int, value: Json) -> None:
        """Show the attribute of another entry."""
        self._row = row
        with QSignalBlocker(self._switch):
            self._switch.setChecked(value is True)

    def _turn(self, is_on: bool) -> None:
        self._model.put_inner(self._row, self.attribute.name, True if is_on else None)


class _RulePart(Field):
    """What may be typed with one unit."""

    def __init__(self, model: EntryModel, attribute: Attribute) -> None:
        self.attribute, self._model, self._row = attribute, model, -1
        self._editor = RuleEditor(_("What may be typed"))
        super().__init__(_("What may be typed"), self._editor)
        self._editor.edited.connect(self._edit)
        self._editor.left.connect(model.form.leave)

    def show_entry(self, row: int, value: Json) -> None:
        """Show the attribute of another entry."""
        self._row = row
        self._editor.show_rule(value)
        form, name = self._model.form, self._model.attribute.name
        found = [
            *form.problems.get(Spot(name, row, self.attribute.name), ()),
            *form.problems.get(Spot(name), ()),
        ]
        errors = [problem for problem in found if problem.severity is Severity.ERROR]
        self.show_error(errors[0].sentence if errors else "")

    def _edit(self, rule: Json, is_typed: bool) -> None:
        self._model.put_inner(self._row, self.attribute.name, rule, is_typed=is_typed)
