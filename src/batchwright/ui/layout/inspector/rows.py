"""One attribute each: a label, a control that follows the form, and what is wrong with it below."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from batchwright.layout.attributes import Attribute
from batchwright.layout.option_values import as_text
from batchwright.layout.rules.problems import Severity
from batchwright.records.json_values import Json, is_array
from batchwright.ui.kit.boxes import column
from batchwright.ui.kit.choices import Segments, Switch
from batchwright.ui.kit.fields import Field, TextArea
from batchwright.ui.kit.still_fields import Menu
from batchwright.ui.kit.text import Text
from batchwright.ui.layout.inspector.entries import read_number
from batchwright.ui.layout.inspector.form import Form, titled
from batchwright.ui.layout.inspector.typed import Typed
from batchwright.ui.theme import Role
from batchwright.words import _


class Row(Field):
    """A field of the form; subclasses show the value."""

    def __init__(
        self, form: Form, attribute: Attribute, control: QWidget, *, label: str = "", hint: str = ""
    ) -> None:
        title = label or titled(_(attribute.title))
        super().__init__(title, control, hint=hint, required=attribute.required)
        self.form, self.attribute = form, attribute
        form.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Show the form as it is now."""
        self.show_value(self.form.value(self.attribute.name))
        problem = self.form.problem(self.attribute.name)
        if problem is not None and problem.severity is Severity.ADVICE:
            self.show_advice(problem.sentence)
        else:
            self.show_error(problem.sentence if problem else "")

    def show_value(self, value: Json) -> None:
        """Show another value."""
        raise TypeError(f"{type(self).__name__} shows nothing")


class TextRow(Row):
    """A text, of one line or of several; left empty it is taken away, unless it is required."""

    def __init__(
        self,
        form: Form,
        attribute: Attribute,
        *,
        label: str = "",
        hint: str = "",
        example: str = "",
        lines: int = 1,
    ) -> None:
        control = QLineEdit() if lines == 1 else TextArea(lines)
        control.setPlaceholderText(example)
        super().__init__(form, attribute, control, label=label, hint=hint)
        self._typed = Typed(control, self._type, form.leave)
        self.refresh()

    def show_value(self, value: Json) -> None:
        """Show a text, or anything else as JSON writes it."""
        self._typed.show_text("" if value is None else as_text(value))

    def _type(self, text: str) -> None:
        name = self.attribute.name
        self.form.put(name, self.meaning(text), typing=name)

    def meaning(self, text: str) -> Json:
        """The value that a typed text stands for."""
        return text if text or self.attribute.required else None


class NumberRow(TextRow):
    """A number; the default stands in the empty field. What is no number is kept and said to be wrong."""

    def __init__(self, form: Form, attribute: Attribute, *, hint: str = "") -> None:
        default = attribute.default
        super().__init__(form, attribute, hint=hint, example="" if default is None else as_text(default))

    def meaning(self, text: str) -> Json:
        """The number typed."""
        number = read_number(text)
        return number if number is not None else text.strip() or None


class TextsRow(TextRow):
    """A list of short texts, with commas between them."""

    def __init__(self, form: Form, attribute: Attribute, *, hint: str = "") -> None:
        default = attribute.default
        example = ", ".join(map(as_text, default)) if is_array(default) else ""
        super().__init__(form, attribute, hint=hint, example=example)
        self.setMinimumWidth(0)

    def show_value(self, value: Json) -> None:
        """Show the entries; while they are typed, they stay as they were typed."""
        control = self.control
        if is_array(value) and isinstance(control, QLineEdit):
            if _split(control.text()) == list(value):
                return
            value = ", ".join(map(as_text, value))
        super().show_value(value)

    def meaning(self, text: str) -> Json:
        """The entries typed."""
        return _split(text) or None


class MenuRow(Row):
    """One of several texts; a text that is none of them is shown, too."""

    def __init__(
        self,
        form: Form,
        attribute: Attribute,
        titles: Callable[[], Mapping[str, str]],
        *,
        label: str = "",
        hint: str = "",
    ) -> None:
        """`titles` give the texts that can be chosen, with what each is called; "" takes the value away."""
        self._titles, self._combo = titles, Menu()
        super().__init__(form, attribute, self._combo, label=label, hint=hint)
        self._combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._combo.setMinimumContentsLength(8)
        self._combo.activated.connect(self._choose)
        self.refresh()

    def show_value(self, value: Json) -> None:
        """Choose a text in the menu."""
        current = "" if value is None else as_text(value)
        titles = dict(self._titles())
        if current not in titles:
            titles[current] = current or _("Choose one")
        entries = list(titles.items())
        if entries != [
            (self._combo.itemData(n), self._combo.itemText(n)) for n in range(self._combo.count())
        ]:
            self._combo.clear()
            for text, title in entries:
                self._combo.addItem(title, text)
        self._combo.setCurrentIndex(list(titles).index(current))

    def _choose(self, number: int) -> None:
        text = str(self._combo.itemData(number))
        self.form.put(self.attribute.name, text or None)


class SegmentsRow(Row):
    """One of two or three texts, all in view; a value that is none of them counts as the default."""

    def __init__(
        self, form: Form, attribute: Attribute, titles: Mapping[str, str], *, label: str = "", hint: str = ""
    ) -> None:
        title = label or titled(_(attribute.title))
        self._segments = Segments(title, [(text, words, "") for text, words in titles.items()])
        self._titles = titles
        super().__init__(form, attribute, self._segments, label=label, hint=hint)
        self._segments.chosen.connect(self._choose)
        self.refresh()

    def show_value(self, value: Json) -> None:
        """Choose the tile of a text."""
        text = value if isinstance(value, str) and value in self._titles else self.attribute.default
        with QSignalBlocker(self._segments):
            self._segments.choose(text if isinstance(text, str) else next(iter(self._titles)))

    def _choose(self, text: str) -> None:
        is_default = text == self.attribute.default
        if text != self.form.value(self.attribute.name):
            self.form.put(self.attribute.name, None if is_default else text)


class SwitchRow(QWidget):
    """True or false; false is the default and is not written."""

    def __init__(self, form: Form, attribute: Attribute, words: str, hint: str = "") -> None:
        super().__init__()
        self._form, self._attribute = form, attribute
        self._switch = Switch(words)
        self._switch.setAccessibleDescription(hint)
        self._wrong = Text("", Role.CAPTION, "err", wraps=True)
        column(self._switch, self._wrong, gap=5, parent=self)
        if hint:
            self._switch.setToolTip(hint)
        self._switch.toggled.connect(self._turn)
        form.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the form as it is now."""
        with QSignalBlocker(self._switch):
            self._switch.setChecked(self._form.value(self._attribute.name) is True)
        problem = self._form.problem(self._attribute.name)
        self._wrong.setText(problem.sentence if problem else "")
        self._wrong.setVisible(problem is not None)

    def _turn(self, is_on: bool) -> None:
        self._form.put(self._attribute.name, True if is_on else None)


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.replace(";", ",").split(",") if part.strip()]
