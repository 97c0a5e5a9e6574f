"""`multiple_choice_with_free_text` in the editor."""

from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject
from batchwright.layout.item_types.registry import MultipleChoiceWithFreeText
from batchwright.schema.model import Schema
from batchwright.ui.content.answer_previews import FieldPreview
from batchwright.ui.editor.item_types.base import PLACEHOLDER_FIELDS, CardBody, ItemEditor, option_label
from batchwright.ui.editor.item_types.choice import CHOICE_CONTROLS, CHOICE_FIELDS, choice_card_body


def _card_body(
    item: MultipleChoiceWithFreeText, schema: Schema | None, record: JsonObject | None
) -> CardBody:
    first = item.options[0] if item.options else {}
    heading = first.get("heading")
    label = option_label(first) if first else ""
    more = (
        heading if isinstance(heading, str) and heading else _("Say more about {label}").format(label=label)
    )
    return (
        [*choice_card_body(item, schema, record), FieldPreview(more)]
        if first
        else choice_card_body(item, schema, record)
    )


EDITOR = ItemEditor(
    MultipleChoiceWithFreeText,
    glyph="chat-centered-text",
    family="question",
    card_body=_card_body,
    fields=CHOICE_FIELDS,
    more_fields=PLACEHOLDER_FIELDS,
    controls=CHOICE_CONTROLS,
)
