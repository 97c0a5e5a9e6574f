"""`free_text` in the editor."""

from batchwright.base.json_values import JsonObject
from batchwright.layout.item_types.free_text import TextQuestion
from batchwright.layout.item_types.registry import FreeText
from batchwright.schema.model import Schema
from batchwright.ui.content.answer_previews import FieldPreview
from batchwright.ui.editor.inspector.validation_editor import ValidationField
from batchwright.ui.editor.item_types.base import (
    PLACEHOLDER_FIELDS,
    CardBody,
    ItemEditor,
    description_field,
    helper_text_field,
    question_labels,
)
from batchwright.ui.editor.preview.answer_inputs import Control, answer_area, line_input
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.widgets.box_layouts import column, row


class TextControl(Control):
    """A single-line field for a number, or a multi-line field for text."""

    def __init__(self, state: PreviewState, question: TextQuestion, *, is_narrow: bool = False) -> None:
        super().__init__(state, question, is_narrow=is_narrow)
        if question.numeric:
            control = line_input(state, question.name, question.value, question.placeholder)
            row(control, None, parent=self)
            self.add_input(control, question.description)
        else:
            area = answer_area(state, question.name, question.value, question.placeholder, rows=4)
            column(area, parent=self)
            self.add_input(area, question.description)


def _card_body(item: FreeText, _schema: Schema | None, _record: JsonObject | None) -> CardBody:
    return [*question_labels(item), FieldPreview(item.text("placeholder_text_input"), height=38)]


EDITOR = ItemEditor(
    FreeText,
    glyph="note-pencil",
    family="question",
    card_body=_card_body,
    fields={
        "description": description_field,
        "helper_text": helper_text_field,
        "validation": ValidationField,
    },
    more_fields=PLACEHOLDER_FIELDS,
    controls={TextQuestion: TextControl},
)
