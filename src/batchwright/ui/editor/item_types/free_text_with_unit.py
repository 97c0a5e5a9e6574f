"""`free_text_with_unit` in the editor."""

from collections.abc import Iterable, Mapping

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.attributes import Attribute
from batchwright.layout.form_encoding import unit_name
from batchwright.layout.item_types.free_text_with_unit import UnitQuestion
from batchwright.layout.item_types.registry import FreeTextWithUnit
from batchwright.layout.option_values import as_text
from batchwright.schema.model import Schema
from batchwright.ui.content.answer_previews import FieldPreview
from batchwright.ui.editor.inspector.fields import MenuField, SegmentedField
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.editor.inspector.options.list import OptionList
from batchwright.ui.editor.inspector.presets import unit_presets
from batchwright.ui.editor.item_types.base import (
    PLACEHOLDER_FIELDS,
    CardBody,
    ItemEditor,
    description_field,
    helper_text_field,
    option_label,
    question_labels,
)
from batchwright.ui.editor.preview.answer_inputs import Control, chosen_values, line_input
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.text import Label


class UnitControl(Control):
    """A field for a value, with its unit before or after it."""

    def __init__(self, state: PreviewState, question: UnitQuestion, *, is_narrow: bool = False) -> None:
        super().__init__(state, question, is_narrow=is_narrow)
        self._name = unit_name(question.number)
        control = line_input(state, question.name, question.value, question.placeholder)
        control.setParent(self)  # created before the unit, so that it is first in the tab order
        self.add_input(control, question.description)
        unit = self._unit(question)
        layout = row(*((unit, control) if question.position == "prefix" else (control, unit)), parent=self)
        layout.addStretch(1)

    def _unit(self, question: UnitQuestion) -> QWidget:
        if len(question.units) == 1:
            self.state.set_answer(self._name, ["0"])
            return Label(question.units[0].label, TextRole.PAGE)
        menu = FormComboBox()
        if not question.unit_chosen:
            menu.add(question.unit_prompt, "")
        for unit in question.units:
            menu.add(unit.label, str(unit.index))
            if unit.chosen:
                menu.setCurrentIndex(menu.count() - 1)
                self.state.set_answer(self._name, [str(unit.index)])
        menu.activated.connect(lambda number: self.state.set_answer(self._name, chosen_values(menu, number)))
        self.add_input(menu, question.unit_label)
        return menu


def _card_body(item: FreeTextWithUnit, _schema: Schema | None, _record: JsonObject | None) -> CardBody:
    field = FieldPreview(item.text("placeholder_text_input"), width=150)
    labels = [option_label(unit) for unit in item.units]
    label = labels[0] if labels else _("unit")
    unit = FieldPreview(label, width=90, is_menu=len(labels) > 1, is_value=bool(labels))
    widgets = (unit, field) if item.is_unit_first else (field, unit)
    return [*question_labels(item), row(*widgets, None)]


def _units_field(form: NodeForm, attribute: Attribute) -> QWidget:
    return OptionList(form, attribute, unit_presets())


def _default_unit_field(form: NodeForm, attribute: Attribute) -> QWidget:
    def titles() -> Mapping[str, str]:
        units: Iterable[Mapping[str, Json]] = (
            form.node.units if isinstance(form.node, FreeTextWithUnit) else ()
        )
        labels_by_value = {
            as_text(unit.get("value")): as_text(unit.get("label") or unit.get("value"))
            for unit in units
            if unit.get("value") not in (None, "")
        }
        return {"": _("None; participants choose"), **labels_by_value}

    return MenuField(form, attribute, titles)


def _position_field(form: NodeForm, attribute: Attribute) -> QWidget:
    return SegmentedField(
        form,
        attribute,
        {"prefix": _("Before"), "suffix": _("After")},
        hint=_("Relative to the text field."),
    )


EDITOR = ItemEditor(
    FreeTextWithUnit,
    glyph="ruler",
    family="question",
    card_body=_card_body,
    fields={
        "description": description_field,
        "unit_options": _units_field,
        "helper_text": helper_text_field,
        "default_unit": _default_unit_field,
        "unit_position": _position_field,
    },
    more_fields=PLACEHOLDER_FIELDS,
    controls={UnitQuestion: UnitControl},
)
