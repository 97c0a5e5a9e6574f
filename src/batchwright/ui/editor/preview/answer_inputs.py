"""The controls with which questions are answered, one class for each kind of question.

Each puts what was answered into the model at once; `inputs` are the widgets that take the keyboard.
"""

from PySide6.QtWidgets import QBoxLayout, QButtonGroup, QLineEdit, QWidget

from batchwright.base.i18n import _
from batchwright.layout.form_encoding import explanation_name, unit_name
from batchwright.layout.item_types.choice import DropdownQuestion, ListQuestion
from batchwright.layout.item_types.free_text import TextQuestion
from batchwright.layout.item_types.free_text_with_unit import UnitQuestion
from batchwright.layout.pages.questions import Option, Question
from batchwright.ui.editor.preview.option_tiles import BoxTile, RingTile
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import harmless_line
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, column, row
from batchwright.ui.widgets.fields import TextArea
from batchwright.ui.widgets.no_wheel import ComboBoxNoWheel
from batchwright.ui.widgets.text import Label

_TALL, _WIDEST, _NUMBER = 44, 480, 220


class Control(QWidget):
    """What a question is answered with."""

    def __init__(self, model: PreviewState, question: Question) -> None:
        super().__init__()
        self.model, self.asked = model, question
        self.inputs: list[QWidget] = []

    def take(self, control: QWidget, name: str) -> None:
        """Make a widget one of the inputs, with a name for screen readers."""
        control.setAccessibleName(harmless_line(name))
        control.setFont(theme().font(TextRole.PAGE))
        if isinstance(control, (QLineEdit, ComboBoxNoWheel)):
            control.setMinimumHeight(theme().px(_TALL))
        self.inputs.append(control)


class TextControl(Control):
    """A line for a number, or a box for text."""

    def __init__(self, model: PreviewState, question: TextQuestion) -> None:
        super().__init__(model, question)
        if question.numeric:
            line = answer_line(model, question.name, question.value, question.placeholder)
            row(line, None, parent=self)
            self.take(line, question.description)
        else:
            area = answer_area(model, question.name, question.value, question.placeholder, rows=4)
            column(area, parent=self)
            self.take(area, question.description)


class UnitControl(Control):
    """A line for a value, with its unit before or behind it."""

    def __init__(self, model: PreviewState, question: UnitQuestion) -> None:
        super().__init__(model, question)
        self._name = unit_name(question.number)
        line = answer_line(model, question.name, question.value, question.placeholder)
        line.setParent(self)  # before the unit, so that Tab comes to it first wherever that stands
        self.take(line, question.description)
        unit = self._unit(question)
        beside = row(*((unit, line) if question.position == "prefix" else (line, unit)), parent=self)
        beside.addStretch(1)

    def _unit(self, question: UnitQuestion) -> QWidget:
        if len(question.units) == 1:
            self.model.put(self._name, ["0"])
            return Label(question.units[0].label, TextRole.PAGE)
        menu = ComboBoxNoWheel()
        if not question.unit_chosen:
            menu.add(question.unit_prompt, "")
        for unit in question.units:
            menu.add(unit.label, str(unit.index))
            if unit.chosen:
                menu.setCurrentIndex(menu.count() - 1)
                self.model.put(self._name, [str(unit.index)])
        menu.activated.connect(lambda number: self.model.put(self._name, _chosen(menu, number)))
        self.take(menu, question.unit_label)
        return menu


class ListControl(Control):
    """Options as tiles: one to choose, or several; a chosen one may ask for an explanation."""

    def __init__(self, model: PreviewState, question: ListQuestion, *, is_narrow: bool) -> None:
        super().__init__(model, question)
        self._options = question.options
        self._group = QButtonGroup(self)
        self._group.setExclusive(not question.many)
        self._explanations: dict[int, QWidget] = {}
        beside = question.side_by_side and not is_narrow
        direction = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        lines = ScaledBoxLayout(direction, gap=12 if beside else 8, parent=self)
        for option in question.options:
            tile = BoxTile(option.label) if question.many else RingTile(option.label)
            tile.setChecked(option.chosen)
            self._group.addButton(tile, option.index)
            lines.addWidget(tile, 1 if beside else 0)
            self.take(tile, option.label)
            if option.heading:
                self._explanations[option.index] = Explanation(model, question, option)
                lines.addWidget(self._explanations[option.index])
        self._show_explanations()
        self._group.idToggled.connect(self._choose)

    def _choose(self, index: int, is_on: bool) -> None:
        if is_on and not self._group.exclusive():
            self._leave_alone(index)
        chosen = [str(option.index) for option in self._options if self._is_chosen(option.index)]
        self.model.put(self.asked.name, chosen)
        self._show_explanations()

    def _leave_alone(self, index: int) -> None:
        """An option that rules out others stands alone, whichever was chosen first."""
        for option in self._options:
            if option.index != index and (option.exclusive or self._options[index].exclusive):
                self._group.button(option.index).setChecked(False)

    def _is_chosen(self, index: int) -> bool:
        return self._group.button(index).isChecked()

    def _show_explanations(self) -> None:
        for index, explanation in self._explanations.items():
            explanation.setVisible(self._is_chosen(index))


class DropdownControl(Control):
    """Options as a menu, one to choose."""

    def __init__(self, model: PreviewState, question: DropdownQuestion) -> None:
        super().__init__(model, question)
        self._menu = ComboBoxNoWheel()
        self._menu.setMaximumWidth(theme().px(_WIDEST))
        self._menu.add(question.placeholder or question.prompt, "")
        self._explanations = {
            option.index: Explanation(model, question, option)
            for option in question.options
            if option.heading
        }
        for option in question.options:
            self._menu.add(option.label, str(option.index))
            if option.chosen:
                self._menu.setCurrentIndex(self._menu.count() - 1)
        column(self._menu, *self._explanations.values(), gap=10, parent=self)
        self._menu.activated.connect(self._choose)
        self.take(self._menu, question.description)
        self._show_explanations()

    def _choose(self, number: int) -> None:
        self.model.put(self.asked.name, _chosen(self._menu, number))
        self._show_explanations()

    def _show_explanations(self) -> None:
        for index, explanation in self._explanations.items():
            explanation.setVisible(self._menu.currentData() == str(index))


class Explanation(QWidget):
    """What a chosen option asks to be explained."""

    def __init__(
        self, model: PreviewState, question: ListQuestion | DropdownQuestion, option: Option
    ) -> None:
        super().__init__()
        name = explanation_name(question.number, option.index)
        placeholder = question.placeholder if isinstance(question, ListQuestion) else ""
        area = answer_area(model, name, option.explanation, placeholder, rows=2)
        area.setAccessibleName(harmless_line(option.heading))
        if option.chosen:
            model.put(name, [option.explanation])
        # Below a menu it has to be said which option is explained.
        asks = option.heading
        if isinstance(question, DropdownQuestion):
            asks = _("{option}: {heading}").format(option=option.label, heading=option.heading)
        column(Label(asks, TextRole.STRONG, wraps=True), area, gap=4, margins=(14, 0, 0, 4), parent=self)


def answer_line(model: PreviewState, name: str, value: str, placeholder: str) -> QLineEdit:
    """A field of one line, for a number."""
    field = QLineEdit(value)
    field.setPlaceholderText(harmless_line(placeholder))
    field.setFixedWidth(theme().px(_NUMBER))
    field.textEdited.connect(lambda text: model.put(name, [text]))
    return field


def answer_area(model: PreviewState, name: str, value: str, placeholder: str, *, rows: int) -> TextArea:
    """A field of several lines."""
    area = TextArea(rows)
    area.setFont(theme().font(TextRole.PAGE))
    area.setPlainText(value)
    area.setPlaceholderText(harmless_line(placeholder))
    area.textChanged.connect(lambda: model.put(name, [area.toPlainText()]))
    return area


def _chosen(menu: ComboBoxNoWheel, number: int) -> list[str]:
    value = str(menu.itemData(number))
    return [value] if value else []
