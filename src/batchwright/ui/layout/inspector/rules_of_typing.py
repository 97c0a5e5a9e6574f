"""The editor of a validation: any text, a text of some length, or a number within bounds (wire.md 6.1)."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from batchwright.layout.option_values import as_text
from batchwright.records.json_values import Json, JsonObject, is_object
from batchwright.ui.kit.boxes import column, row
from batchwright.ui.kit.still_fields import Menu
from batchwright.ui.kit.text import Text
from batchwright.ui.layout.inspector.entries import read_number
from batchwright.ui.layout.inspector.typed import Typed
from batchwright.ui.theme import Role, theme
from batchwright.words import _


def _kinds() -> Mapping[str, str]:
    return {"": _("Any text"), "string": _("Text of a certain length"), "number": _("A number")}


class RuleEditor(QWidget):
    """Edits one rule; unknown keys in it stay."""

    edited = Signal(object, bool)
    """The rule as it is to be, None for none, and whether it was typed."""
    left = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self._rule: JsonObject = {}
        self._kind = Menu()
        self._kind.setAccessibleName(name)
        for kind, title in _kinds().items():
            self._kind.addItem(title, kind)
        self._kind.activated.connect(self._choose)
        self._bounds: dict[str, tuple[QLineEdit, Typed]] = {}
        self._range = QWidget()
        self._unit = Text(_("characters"), Role.SMALL, "text2")
        line = row(gap=8, parent=self._range)
        for bound, words in (("min", _("from")), ("max", _("to"))):
            field = QLineEdit()
            field.setAccessibleName(_("{name}, {bound}").format(name=name, bound=words))
            field.setPlaceholderText(_("any"))
            field.setMaximumWidth(theme().px(88))
            typed = Typed(field, lambda text, bound=bound: self._type(bound, text), self.left.emit)  # type: ignore[misc]  # a default binds the loop's value
            self._bounds[bound] = (field, typed)
            line.put(Text(words, Role.SMALL, "text2"), field)
        line.put(self._unit, None)
        column(self._kind, self._range, gap=8, parent=self)
        self.setFocusProxy(self._kind)
        self.show_rule(None)

    def show_rule(self, value: Json) -> None:
        """Show a rule; anything that is none counts as no rule."""
        self._rule = value if is_object(value) else {}
        kind = self._rule.get("type")
        kinds = list(_kinds())
        self._kind.setCurrentIndex(kinds.index(kind) if isinstance(kind, str) and kind in kinds else 0)
        for bound, (_field, typed) in self._bounds.items():
            given = self._rule.get(bound)
            typed.show_text("" if given is None else as_text(given))
        self._range.setVisible(is_object(value))
        self._unit.setVisible(kind == "string")

    def _choose(self, number: int) -> None:
        kind = str(self._kind.itemData(number))
        self.edited.emit({**self._rule, "type": kind} if kind else None, False)

    def _type(self, bound: str, text: str) -> None:
        number = read_number(text)
        value: Json = number if number is not None else text.strip() or None
        kept = {key: inner for key, inner in self._rule.items() if key != bound}
        self.edited.emit(kept if value is None else {**kept, bound: value}, True)
