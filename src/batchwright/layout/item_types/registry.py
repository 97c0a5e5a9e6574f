"""The registry of item types: their attributes and answers, and how participants see them.

To add a type, add its module here and the class to `ITEM_TYPES`; its module in `ui/editor/item_types` and an
entry in the registry there; its template in `resources/participant/item_types`; if needed, the model of its
answer in `wire/responses`; and its rules, if it has some, in `layout/rules/items`.
"""

from batchwright.layout.item_types.base import UNSUPPORTED_TYPES, Instruction, Item
from batchwright.layout.item_types.choice import Choice
from batchwright.layout.item_types.dataset_field import DatasetField
from batchwright.layout.item_types.file_upload import FileUpload
from batchwright.layout.item_types.free_text import FreeText
from batchwright.layout.item_types.free_text_with_unit import FreeTextWithUnit
from batchwright.layout.item_types.image import Image
from batchwright.layout.item_types.multiple_choice import MultipleChoice
from batchwright.layout.item_types.multiple_choice_with_free_text import MultipleChoiceWithFreeText
from batchwright.layout.item_types.rich_text import RichText

__all__ = [
    "ITEM_TYPES",
    "UNSUPPORTED_TYPES",
    "Choice",
    "DatasetField",
    "FileUpload",
    "FreeText",
    "FreeTextWithUnit",
    "Image",
    "Instruction",
    "Item",
    "MultipleChoice",
    "MultipleChoiceWithFreeText",
    "RichText",
]

ITEM_TYPES: dict[str, type[Item]] = {
    item_type.type: item_type
    for item_type in (
        DatasetField,
        Image,
        RichText,
        FreeText,
        FreeTextWithUnit,
        MultipleChoice,
        MultipleChoiceWithFreeText,
        FileUpload,
    )
}
"""All item types by name, in the order of the specification."""
