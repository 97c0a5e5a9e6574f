"""One attribute each: a label, a control that follows the form, and what is wrong with it below."""

from collections.abc import Callable, Collection, Mapping, Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QLineEdit, QMenu, QWidget

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, is_array, json_equal
from batchwright.base.text import truncate
from batchwright.layout.attributes import Attribute
from batchwright.layout.option_values import as_text, read_number
from batchwright.layout.rules.problems import AttributePath
from batchwright.ui.editor.inspector.attribute_focus import FocusOutFilter, focus_field
from batchwright.ui.editor.inspector.fix_button import FixHint, show_problem
from batchwright.ui.editor.inspector.form import NodeForm, capitalized
from batchwright.ui.editor.inspector.large_editor import TextEditor, expand_button, show_large
from batchwright.ui.editor.inspector.text_binding import ChunkNavigator, TextBinding
from batchwright.ui.theme import TextRole
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.fields import InputField, TextArea
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.stable_message_area import StableMessageArea
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import SegmentedControl, Switch

_MAX_TITLE = 200
"""Characters of a menu entry."""


class AttributeField(InputField):
    """A field of the form; subclasses show the value."""

    def __init__(
        self,
        form: NodeForm,
        attribute: Attribute,
        control: QWidget,
        *,
        label: str = "",
        hint: str = "",
        corner: QWidget | None = None,
    ) -> None:
        title = label or capitalized(_(attribute.title))
        super().__init__(title, control, hint=hint, required=attribute.required, corner=corner)
        self.form, self.attribute = form, attribute
        self._fix_hint = FixHint(form)
        self.add_below(self._fix_hint)
        FocusOutFilter(control, lambda: self.form.mark_visited(AttributePath(attribute.name)))
        form.changed.connect(self.refresh)

    @property
    def attribute_names(self) -> Collection[str]:
        """The one attribute that it edits."""
        return (self.attribute.name,)

    def focus_attribute(self, path: AttributePath) -> None:
        """Put the cursor into the control."""
        focus_field(self.control)

    def refresh(self) -> None:
        """Show the form as it is now."""
        value, problem = self.form.value(self.attribute.name), self.form.problem(self.attribute.name)
        self.show_value(value)
        show_problem(self, problem)
        self._fix_hint.show_problem(problem, None if self.can_show(value) else value)

    def can_show(self, value: Json) -> bool:
        """Whether the control shows this value as it is."""
        return True

    def show_value(self, value: Json) -> None:
        """Show another value."""
        raise TypeError(f"{type(self).__name__} shows nothing")


class TextField(AttributeField):
    """A text, of one line or of several; left empty it is taken away, unless it is required."""

    def __init__(
        self,
        form: NodeForm,
        attribute: Attribute,
        *,
        label: str = "",
        hint: str = "",
        example: str = "",
        lines: int = 1,
        is_long: bool = False,
        corner: QWidget | None = None,
    ) -> None:
        """Make a row; a text that may be `long` has a large editor, too."""
        control = QLineEdit() if lines == 1 else TextArea(lines)
        control.setPlaceholderText(sanitize_line(example))
        self._example = example
        corner = expand_button(control, self.open_large_editor) if is_long else corner
        super().__init__(form, attribute, control, label=label, hint=hint, corner=corner)
        self._binding = TextBinding(control, self._type, form.end_typing)
        self.add_below(ChunkNavigator(self._binding))
        self.refresh()

    def show_value(self, value: Json) -> None:
        """Show a text, or anything else as JSON writes it; what is typed keeps its spelling: `1.50`."""
        if not json_equal(self.value_of(self._binding.text), value):
            self._binding.show_text("" if value is None else as_text(value))

    def open_large_editor(self) -> None:
        """Show the text in the large editor."""
        title = capitalized(_(self.attribute.title))
        show_large(self, TextEditor(self.form, self.attribute.name, title, self.value_of, self._example))

    def _type(self, text: str) -> None:
        name = self.attribute.name
        self.form.set(name, self.value_of(text), typing=name)

    def value_of(self, text: str) -> Json:
        """The value that a typed text stands for."""
        return text if text or self.attribute.required else None


class NumberField(TextField):
    """A number; the default stands in the empty field. What is no number is kept and said to be wrong."""

    def __init__(self, form: NodeForm, attribute: Attribute, *, hint: str = "") -> None:
        default = attribute.default
        super().__init__(form, attribute, hint=hint, example="" if default is None else as_text(default))

    def value_of(self, text: str) -> Json:
        """The number typed."""
        number = read_number(text)
        return number if number is not None else text.strip() or None


class TextListField(TextField):
    """A list of short texts, with commas between them; a menu adds those that go together."""

    def __init__(
        self, form: NodeForm, attribute: Attribute, presets: Mapping[str, Sequence[str]], *, hint: str = ""
    ) -> None:
        default = attribute.default
        example = ", ".join(map(as_text, default)) if is_array(default) else ""
        super().__init__(form, attribute, hint=hint, example=example, corner=self._menu(presets))

    def show_value(self, value: Json) -> None:
        """Show the entries; while they are typed, they stay as they were typed."""
        if is_array(value) and not json_equal(self.value_of(self._binding.text), value):
            value = ", ".join(map(as_text, value))
        super().show_value(value)

    def value_of(self, text: str) -> Json:
        """The entries typed."""
        return _split(text) or None

    def add(self, texts: Sequence[str]) -> None:
        """Add what is not there yet."""
        value = self.form.value(self.attribute.name)
        entries = list(value) if is_array(value) else []
        self.form.set(self.attribute.name, [*entries, *(text for text in texts if text not in entries)])

    def _menu(self, presets: Mapping[str, Sequence[str]]) -> QWidget:
        button = Button(_("Add"), ButtonKind.LINK, height=ButtonSize.TINY)
        menu = QMenu(button)
        for title, texts in presets.items():
            action = menu.addAction(_("{kind} ({types})").format(kind=title, types=" ".join(texts)))
            action.triggered.connect(lambda _checked=False, texts=texts: self.add(texts))
        button.setMenu(menu)
        return button


class MenuField(AttributeField):
    """One of several texts; a text that is none of them is shown, too."""

    def __init__(
        self,
        form: NodeForm,
        attribute: Attribute,
        titles: Callable[[], Mapping[str, str]],
        *,
        label: str = "",
        hint: str = "",
    ) -> None:
        """`titles` give the texts that can be chosen, with what each is called; "" takes the value away."""
        self._titles, self._combo = titles, FormComboBox()
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
            titles[current] = sanitize_line(current) or _("Choose one")
        entries = [(text, truncate(title, _MAX_TITLE)) for text, title in titles.items()]
        if entries != [
            (self._combo.itemData(n), self._combo.itemText(n)) for n in range(self._combo.count())
        ]:
            self._combo.clear()
            for text, title in entries:
                self._combo.add(title, text)
        self._combo.setCurrentIndex(list(titles).index(current))

    def _choose(self, number: int) -> None:
        text = str(self._combo.itemData(number))
        self.form.set(self.attribute.name, text or None)


class SegmentedField(AttributeField):
    """One of two or three texts, all in view; of a value that is none of them no tile is chosen."""

    def __init__(
        self,
        form: NodeForm,
        attribute: Attribute,
        titles: Mapping[str, str],
        *,
        label: str = "",
        hint: str = "",
    ) -> None:
        title = label or capitalized(_(attribute.title))
        self._segments = SegmentedControl(title, [(text, words, "") for text, words in titles.items()])
        self._titles = titles
        super().__init__(form, attribute, self._segments, label=label, hint=hint)
        self._segments.chosen.connect(self._choose)
        self.refresh()

    def show_value(self, value: Json) -> None:
        """Choose the tile of a text."""
        text = self.attribute.default if value is None else value
        with QSignalBlocker(self._segments):
            if isinstance(text, str) and text in self._titles:
                self._segments.choose(text)
            else:
                self._segments.clear_choice()

    def can_show(self, value: Json) -> bool:
        """Only the texts that have a tile."""
        return value is None or (isinstance(value, str) and value in self._titles)

    def _choose(self, text: str) -> None:
        value = None if text == self.attribute.default else text
        if not json_equal(value, self.form.value(self.attribute.name)):
            self.form.set(self.attribute.name, value)


class SwitchField(QWidget):
    """True or false; false is the default and is not written."""

    def __init__(self, form: NodeForm, attribute: Attribute, label: str, hint: str = "") -> None:
        super().__init__()
        self._form, self._attribute = form, attribute
        self._switch = Switch(label)
        self._switch.setAccessibleDescription(sanitize(hint))
        self._problem_label = Label("", TextRole.CAPTION, "err", wraps=True)
        self._fix_hint = FixHint(form)
        column(
            self._switch,
            StableMessageArea(self._switch, self._problem_label, self._fix_hint),
            gap=0,
            parent=self,
        )
        if hint:
            self._switch.setToolTip(tooltip_text(hint))
        self._switch.toggled.connect(self._on_toggled)
        form.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the form as it is now."""
        value = self._form.value(self._attribute.name)
        with QSignalBlocker(self._switch):
            self._switch.setChecked(value is True)
        problem = self._form.problem(self._attribute.name)
        self._problem_label.setText(problem.message if problem else "")
        self._problem_label.setVisible(problem is not None)
        self._fix_hint.show_problem(problem, None if isinstance(value, bool) else value)

    @property
    def attribute_names(self) -> Collection[str]:
        """The one attribute that it edits."""
        return (self._attribute.name,)

    def focus_attribute(self, path: AttributePath) -> None:
        """Put the keyboard on the switch."""
        focus_field(self._switch)

    def _on_toggled(self, is_on: bool) -> None:
        self._form.set(self._attribute.name, True if is_on else None)


def _split(text: str) -> list[str]:
    return [entry.strip() for entry in text.replace(";", ",").split(",") if entry.strip()]
