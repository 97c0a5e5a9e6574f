"""The two choice item types in the editor: controls of the preview, and body of the card."""

from collections.abc import Mapping

from PySide6.QtWidgets import QBoxLayout, QButtonGroup, QWidget

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import JsonObject
from batchwright.layout.attributes import Attribute
from batchwright.layout.form_encoding import explanation_name
from batchwright.layout.item_types.choice import DropdownQuestion, ListQuestion
from batchwright.layout.item_types.registry import Choice
from batchwright.layout.pages.questions import Option, Question
from batchwright.schema.model import Schema
from batchwright.ui.editor.inspector.answer_limit import AnswerLimit
from batchwright.ui.editor.inspector.fields import SwitchField
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.editor.inspector.options.list import OptionList
from batchwright.ui.editor.inspector.presets import option_presets
from batchwright.ui.editor.item_types.base import (
    CardBody,
    FieldFactory,
    description_field,
    helper_text_field,
    hint_label,
    option_label,
    question_labels,
)
from batchwright.ui.editor.preview.answer_inputs import Control, answer_area, chosen_values
from batchwright.ui.editor.preview.option_tiles import BoxTile, RingTile
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.answer_previews import OptionPreview, OptionsPreview
from batchwright.ui.widgets.box_layouts import LayoutItem, ScaledBoxLayout, column
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.text import Label

_MENU_WIDTH_PX = 480

_SHORT_OPTION_CHARACTERS = 14
_MOST_SIDE_BY_SIDE = 3
_MOST_OPTIONS = 12
"""How many options a card shows; the others are counted."""


class ListControl(Control):
    """Options as tiles for single or multiple choice; a selected option may require an explanation."""

    def __init__(self, model: PreviewState, question: ListQuestion, *, is_narrow: bool = False) -> None:
        super().__init__(model, question, is_narrow=is_narrow)
        self._options = question.options
        self._group = QButtonGroup(self)
        self._group.setExclusive(not question.is_multiple)
        self._explanations: dict[int, QWidget] = {}
        is_row = question.side_by_side and not is_narrow
        direction = QBoxLayout.Direction.LeftToRight if is_row else QBoxLayout.Direction.TopToBottom
        lines = ScaledBoxLayout(direction, gap=12 if is_row else 8, parent=self)
        for option in question.options:
            tile = BoxTile(option.label) if question.is_multiple else RingTile(option.label)
            tile.setChecked(option.chosen)
            self._group.addButton(tile, option.index)
            lines.addWidget(tile, 1 if is_row else 0)
            self.add_input(tile, option.label)
            if option.heading:
                self._explanations[option.index] = Explanation(model, question, option)
                lines.addWidget(self._explanations[option.index])
        self._show_explanations()
        self._group.idToggled.connect(self._choose)

    def _choose(self, index: int, is_on: bool) -> None:
        if is_on and not self._group.exclusive():
            self._deselect_others(index)
        selection = [str(option.index) for option in self._options if self._is_chosen(option.index)]
        self.model.set_answer(self.question.name, selection)
        self._show_explanations()

    def _deselect_others(self, index: int) -> None:
        """Deselect the other options if this one or the other one is exclusive."""
        for option in self._options:
            if option.index != index and (option.exclusive or self._options[index].exclusive):
                self._group.button(option.index).setChecked(False)

    def _is_chosen(self, index: int) -> bool:
        return self._group.button(index).isChecked()

    def _show_explanations(self) -> None:
        for index, explanation in self._explanations.items():
            explanation.setVisible(self._is_chosen(index))


class DropdownControl(Control):
    """Options as a drop-down menu for single choice."""

    def __init__(self, model: PreviewState, question: DropdownQuestion, *, is_narrow: bool = False) -> None:
        super().__init__(model, question, is_narrow=is_narrow)
        self._menu = FormComboBox()
        self._menu.setMaximumWidth(theme().px(_MENU_WIDTH_PX))
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
        self.add_input(self._menu, question.description)
        self._show_explanations()

    def _choose(self, number: int) -> None:
        self.model.set_answer(self.question.name, chosen_values(self._menu, number))
        self._show_explanations()

    def _show_explanations(self) -> None:
        for index, explanation in self._explanations.items():
            explanation.setVisible(self._menu.currentData() == str(index))


class Explanation(QWidget):
    """The text field for the explanation of a selected option."""

    def __init__(
        self, model: PreviewState, question: ListQuestion | DropdownQuestion, option: Option
    ) -> None:
        super().__init__()
        name = explanation_name(question.number, option.index)
        placeholder = question.placeholder if isinstance(question, ListQuestion) else ""
        area = answer_area(model, name, option.explanation, placeholder, rows=2)
        area.setAccessibleName(sanitize_line(option.heading))
        if option.chosen:
            model.set_answer(name, [option.explanation])
        # Below a drop-down menu, the prompt must name the option.
        prompt = option.heading
        if isinstance(question, DropdownQuestion):
            prompt = _("{option}: {heading}").format(option=option.label, heading=option.heading)
        column(Label(prompt, TextRole.STRONG, wraps=True), area, gap=4, margins=(14, 0, 0, 4), parent=self)


def choice_card_body(item: Choice, _schema: Schema | None, _record: JsonObject | None) -> CardBody:
    """The question with its first options."""
    labels = [option_label(option) for option in item.options]
    boxes = item.max_choices != 1
    rows = [OptionPreview(label, is_box=boxes) for label in labels[:_MOST_OPTIONS]]
    body: list[LayoutItem] = [*question_labels(item)]
    if 0 < len(labels) <= _MOST_SIDE_BY_SIDE and all(
        len(label) <= _SHORT_OPTION_CHARACTERS for label in labels
    ):
        body.append(OptionsPreview(rows))
    elif rows:
        body.append(column(*rows, gap=4))
    else:
        body.append(hint_label(_("Add options at the right.")))
    if len(labels) > _MOST_OPTIONS:
        more = ngettext("{count} more option", "{count} more options", len(labels) - _MOST_OPTIONS)
        body.append(hint_label(more.format(count=len(labels) - _MOST_OPTIONS)))
    return body


def _options_field(form: NodeForm, attribute: Attribute) -> QWidget:
    return OptionList(form, attribute, option_presets())


def _disable_dropdown_field(form: NodeForm, attribute: Attribute) -> QWidget:
    return SwitchField(
        form, attribute, _("Show as list, never as menu"), _("Five options or more become a menu otherwise.")
    )


CHOICE_FIELDS: Mapping[str, FieldFactory] = {
    "description": description_field,
    "options": _options_field,
    "answer_limit": AnswerLimit,
    "helper_text": helper_text_field,
    "disable_dropdown": _disable_dropdown_field,
}

CHOICE_CONTROLS: Mapping[type[Question], type[Control]] = {
    ListQuestion: ListControl,
    DropdownQuestion: DropdownControl,
}
