"""An estimate of how long a participant works, from the lengths of texts and the types of items.

People read 238 words a minute silently (M. Brysbaert, How many words do we read per minute?, Journal of
Memory and Language 109, 2019), about 24 characters a second. The seconds of looking and answering are
assumptions.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from batchwright.base.json_values import Json, is_array, is_object
from batchwright.layout.item_types.registry import (
    DatasetField,
    FileUpload,
    FreeText,
    FreeTextWithUnit,
    Image,
    Item,
    MultipleChoice,
    MultipleChoiceWithFreeText,
)
from batchwright.layout.model import Layout, Page
from batchwright.schema.model import FieldType, Schema

READ_PER_S = 24.0
"""Characters read per second."""

ANSWER_S: Mapping[type[Item], float] = {
    FreeText: 25.0,
    FreeTextWithUnit: 8.0,
    MultipleChoice: 4.0,
    MultipleChoiceWithFreeText: 10.0,
    FileUpload: 60.0,
    Image: 4.0,
}
"""Seconds for looking at or answering an item, in addition to reading its texts."""

FIELD_S: Mapping[FieldType, float] = {
    FieldType.IMAGE_URL: 4.0,
    FieldType.AUDIO_URL: 20.0,
    FieldType.VIDEO_URL: 30.0,
}
"""Seconds for what a field shows, unless it is a text."""

_MARKUP = re.compile(r"<[^<>]*>|[*_#`]+")


@dataclass(frozen=True)
class WorkingTime:
    """Seconds of a participant for what is shown once, and for each task."""

    once_s: float
    task_s: float

    def of(self, tasks: float) -> float:
        """Seconds for a number of tasks."""
        return self.once_s + tasks * self.task_s

    def together(self, participants: float, answers: float) -> float:
        """Seconds of all participants, who answer so many tasks together."""
        return participants * self.once_s + answers * self.task_s


def working_time(layout: Layout, schema: Schema | None, characters: Mapping[str, float]) -> WorkingTime:
    """Estimate the working time; `characters` are the mean lengths of the values of fields."""
    types = {name: field.type for name, field in schema.fields.items()} if schema else {}

    def seconds(page: Page) -> float:
        return sum(_item_seconds(item, types, characters) for _path, item in page.walk())

    pages = [page for page in layout.pages if isinstance(page, Page)]
    task_s = sum(seconds(page) for page in pages if page.position == "body")
    return WorkingTime(sum(map(seconds, pages)) - task_s, task_s)


def _item_seconds(item: Item, types: Mapping[str, FieldType], characters: Mapping[str, float]) -> float:
    if isinstance(item, DatasetField):
        shown_as = types.get(item.field, FieldType.TEXT)
        return FIELD_S.get(shown_as, characters.get(item.field, 0) / READ_PER_S)
    return ANSWER_S.get(type(item), 0.0) + _characters(item) / READ_PER_S


def _characters(item: Item) -> int:
    """Characters of the texts that participants read in an item."""
    known = item.known_attributes
    shown = (attribute for attribute in known if not (attribute.is_reference or attribute.allowed))
    return sum(_length(item.attributes.get(attribute.name)) for attribute in shown)


def _length(value: Json) -> int:
    if isinstance(value, str):
        return len(_MARKUP.sub("", value))
    if is_array(value):
        return sum(map(_length, value))
    return _length(value["label"]) if is_object(value) and "label" in value else 0
