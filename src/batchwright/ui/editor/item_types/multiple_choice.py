"""`multiple_choice` in the editor."""

from batchwright.layout.item_types.registry import MultipleChoice
from batchwright.ui.editor.item_types.base import PLACEHOLDER_FIELDS, ItemEditor
from batchwright.ui.editor.item_types.choice import CHOICE_CONTROLS, CHOICE_FIELDS, choice_card_body

EDITOR = ItemEditor(
    MultipleChoice,
    glyph="list-bullets",
    family="question",
    card_body=choice_card_body,
    fields=CHOICE_FIELDS,
    more_fields=PLACEHOLDER_FIELDS,
    controls=CHOICE_CONTROLS,
)
