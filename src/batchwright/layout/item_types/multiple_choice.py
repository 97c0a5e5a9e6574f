"""The `multiple_choice` item type: participants choose one or more options."""

from batchwright.base.i18n import N_
from batchwright.layout.attributes import LABEL, VALUE
from batchwright.layout.item_types.base import TypeChange
from batchwright.layout.item_types.choice import EXCLUSIVE, Choice, choice_attributes


class MultipleChoice(Choice):
    """An instruction to choose one or more options."""

    type = "multiple_choice"
    title = N_("Multiple choice")
    known_attributes = choice_attributes(LABEL, VALUE, EXCLUSIVE)
    type_changes = (TypeChange("multiple_choice_with_free_text"),)
