"""Form fields for one attribute each: label, control bound to the `NodeForm`, and problem below it."""

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
"""Maximum number of characters of a menu entry."""


class AttributeField(InputField):
    """Base class of the fields of a form; subclasses implement `show_value`."""

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
        FocusOutFilter(control, lambda: self.form.record_visit(AttributePath(attribute.name)))
        form.changed.connect(self.refresh)

    @property
    def attribute_names(self) -> Collection[str]:
        """The one attribute that this field edits."""
        return (self.attribute.name,)

    def focus_attribute(self, path: AttributePath) -> None:
        """Give the control the keyboard focus."""
        focus_field(self.control)

    def refresh(self) -> None:
        """Show the current value and problem of the attribute."""
        value, problem = self.form.value(self.attribute.name), self.form.problem(self.attribute.name)
        self.show_value(value)
        show_problem(self, problem)
        self._fix_hint.show_problem(problem, None if self.can_show(value) else value)

    def can_show(self, value: Json) -> bool:
        """Whether the control can represent this value without loss. Otherwise the value is shown as JSON
        below it.
        """
        return True

    def show_value(self, value: Json) -> None:
        """Show a value in the control."""
        raise TypeError(f"{type(self).__name__} shows nothing")


class TextField(AttributeField):
    """A text of one or several lines. If it is cleared, the attribute is removed, unless it is required."""

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
        """Create the field. With `is_long`, it also has a button that opens the large editor."""
        control = QLineEdit() if lines == 1 else TextArea(lines)
        control.setPlaceholderText(sanitize_line(example))
        self._example = example
        corner = expand_button(control, self.open_large_editor) if is_long else corner
        super().__init__(form, attribute, control, label=label, hint=hint, corner=corner)
        self._binding = TextBinding(control, self._type, form.end_typing)
        self.add_below(ChunkNavigator(self._binding))
        self.refresh()

    def show_value(self, value: Json) -> None:
        """Show a text, or any other value as JSON.

        While the user types, the text stays as typed if it represents the value: `1.50` is not changed to
        `1.5`.
        """
        if not json_equal(self.value_of(self._binding.text), value):
            self._binding.show_text("" if value is None else as_text(value))

    def open_large_editor(self) -> None:
        """Open the text in the large editor."""
        title = capitalized(_(self.attribute.title))
        show_large(self, TextEditor(self.form, self.attribute.name, title, self.value_of, self._example))

    def _type(self, text: str) -> None:
        name = self.attribute.name
        self.form.set(name, self.value_of(text), typing=name)

    def value_of(self, text: str) -> Json:
        """The attribute value for a typed text."""
        return text if text or self.attribute.required else None


class NumberField(TextField):
    """A number. The default value is the placeholder. A text that is not a number is stored as text, with a
    problem.
    """

    def __init__(self, form: NodeForm, attribute: Attribute, *, hint: str = "") -> None:
        default = attribute.default
        super().__init__(form, attribute, hint=hint, example="" if default is None else as_text(default))

    def value_of(self, text: str) -> Json:
        """The number for a typed text, or the text itself if it is not a number."""
        number = read_number(text)
        return number if number is not None else text.strip() or None


class TextListField(TextField):
    """A comma-separated list of short texts, such as file extensions; a menu adds groups of them."""

    def __init__(
        self, form: NodeForm, attribute: Attribute, presets: Mapping[str, Sequence[str]], *, hint: str = ""
    ) -> None:
        default = attribute.default
        example = ", ".join(map(as_text, default)) if is_array(default) else ""
        super().__init__(form, attribute, hint=hint, example=example, corner=self._menu(presets))

    def show_value(self, value: Json) -> None:
        """Show the list. While the user types, the text stays as typed."""
        if is_array(value) and not json_equal(self.value_of(self._binding.text), value):
            value = ", ".join(map(as_text, value))
        super().show_value(value)

    def value_of(self, text: str) -> Json:
        """The list for a typed text."""
        return _split(text) or None

    def add(self, texts: Sequence[str]) -> None:
        """Append the texts that the list does not contain yet."""
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
    """A menu of texts. A value that is not one of them is added to the menu, so that it can be seen."""

    def __init__(
        self,
        form: NodeForm,
        attribute: Attribute,
        titles: Callable[[], Mapping[str, str]],
        *,
        label: str = "",
        hint: str = "",
        set_attribute: Callable[[str, Json], None] | None = None,
    ) -> None:
        """Create the field.

        Args:
            form: the form of the node.
            attribute: what the field edits.
            titles: returns the selectable values with their titles. Selecting "" removes the attribute.
            label: the title of the field; the one of the attribute by default.
            hint: a text below the field.
            set_attribute: sets the attribute, given its name; `form.set` by default.
        """
        self._titles, self._combo = titles, FormComboBox()
        self._set_attribute = set_attribute or form.set
        super().__init__(form, attribute, self._combo, label=label, hint=hint)
        self._combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._combo.setMinimumContentsLength(8)
        self._combo.activated.connect(self._choose)
        self.refresh()

    def show_value(self, value: Json) -> None:
        """Select the entry of a value."""
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
        self._set_attribute(self.attribute.name, text or None)


class SegmentedField(AttributeField):
    """Two or three texts as adjacent buttons. None is selected if the value is not one of them."""

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
        self._segments = SegmentedControl(title, [(text, caption, "") for text, caption in titles.items()])
        self._titles = titles
        super().__init__(form, attribute, self._segments, label=label, hint=hint)
        self._segments.chosen.connect(self._choose)
        self.refresh()

    def show_value(self, value: Json) -> None:
        """Select the button of a value."""
        text = self.attribute.default if value is None else value
        with QSignalBlocker(self._segments):
            if isinstance(text, str) and text in self._titles:
                self._segments.choose(text)
            else:
                self._segments.clear_choice()

    def can_show(self, value: Json) -> bool:
        """True for the texts that have a button."""
        return value is None or (isinstance(value, str) and value in self._titles)

    def _choose(self, text: str) -> None:
        value = None if text == self.attribute.default else text
        if not json_equal(value, self.form.value(self.attribute.name)):
            self.form.set(self.attribute.name, value)


class SwitchField(QWidget):
    """A switch for a boolean attribute. False is the default and is not written to the layout."""

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
        """Show the current value and problem of the attribute."""
        value = self._form.value(self._attribute.name)
        with QSignalBlocker(self._switch):
            self._switch.setChecked(value is True)
        problem = self._form.problem(self._attribute.name)
        self._problem_label.setText(problem.message if problem else "")
        self._problem_label.setVisible(problem is not None)
        self._fix_hint.show_problem(problem, None if isinstance(value, bool) else value)

    @property
    def attribute_names(self) -> Collection[str]:
        """The one attribute that this field edits."""
        return (self._attribute.name,)

    def focus_attribute(self, path: AttributePath) -> None:
        """Give the switch the keyboard focus."""
        focus_field(self._switch)

    def _on_toggled(self, is_on: bool) -> None:
        self._form.set(self._attribute.name, True if is_on else None)


def _split(text: str) -> list[str]:
    return [entry.strip() for entry in text.replace(";", ",").split(",") if entry.strip()]
