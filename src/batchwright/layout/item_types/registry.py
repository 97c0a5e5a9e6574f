"""The registry of item types: their attributes, rules and answers, and how participants see them.

To add a type, add its module here and an entry to `_TYPES`; its module in `ui/editor/item_types` and an entry
in the registry there; its template in `resources/participant/item_types`; and, if needed, the model of its
answer in `wire/responses`.
"""

from collections.abc import Sequence

from batchwright.layout.item_types import (
    choice,
    dataset_field,
    file_upload,
    free_text,
    free_text_with_unit,
    image,
    rich_text,
)
from batchwright.layout.item_types.base import ITEM_TYPES, NEWER_TYPES, Instruction, Item
from batchwright.layout.item_types.choice import Choice
from batchwright.layout.item_types.dataset_field import DatasetField
from batchwright.layout.item_types.file_upload import FileUpload
from batchwright.layout.item_types.free_text import FreeText
from batchwright.layout.item_types.free_text_with_unit import FreeTextWithUnit
from batchwright.layout.item_types.image import Image
from batchwright.layout.item_types.multiple_choice import MultipleChoice
from batchwright.layout.item_types.multiple_choice_with_free_text import MultipleChoiceWithFreeText
from batchwright.layout.item_types.rich_text import RichText
from batchwright.layout.rules import PAGE_RULES, RULES, add_page_rules
from batchwright.layout.rules.page_index import PageIndex
from batchwright.layout.rules.registry import Rule

__all__ = [
    "ITEM_TYPES",
    "NEWER_TYPES",
    "PAGE_RULES",
    "RULES",
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
    "register",
]

_TYPES: Sequence[tuple[type[Item], Sequence[Rule[PageIndex]]]] = (
    (DatasetField, dataset_field.RULES),
    (Image, image.RULES),
    (RichText, rich_text.RULES),
    (FreeText, free_text.RULES),
    (FreeTextWithUnit, free_text_with_unit.RULES),
    (MultipleChoice, choice.RULES),
    (MultipleChoiceWithFreeText, choice.RULES),
    (FileUpload, file_upload.RULES),
)


def register(item_type: type[Item], rules: Sequence[Rule[PageIndex]] = ()) -> None:
    """Register an item type with its rules. Several types may share rules."""
    ITEM_TYPES[item_type.type] = item_type
    add_page_rules(rules)


for _item_type, _rules in _TYPES:
    register(_item_type, _rules)
